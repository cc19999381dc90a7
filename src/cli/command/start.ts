import type {Config} from '@oclif/core'
import {withoutTokens} from '../../domain/redact.js'
import type {Prompts} from '../input/ask.js'
import {reportOf, showReport} from '../output/error-report.js'
import {exitCodes} from '../process/exit-codes.js'
import {guardedIo, type Io, processIo} from '../process/io.js'
import {printsJson} from '../process/prints-json.js'
import {debugText} from '../process/sanitize.js'
import {readCommandLine} from './argv.js'
import type {BaseCommand} from './base-command.js'
import type {Calls} from './operations.js'
import {unknownCommand} from './unknown-command.js'

export interface StartOptions {
  /** oclif's view of the commands: of the bundle, or of the sources. */
  readonly config: () => Promise<Config>
  readonly io?: Io
  readonly prompts?: Prompts
  /** Observes each operation that a command calls, with those that it declared. */
  readonly onCall?: (call: Call) => void
  /** Learns which command runs, `help` included, before it does. */
  readonly onCommand?: (name: string) => void
}

export interface Call {
  readonly command: string
  readonly declared: Calls
  readonly operation: string
}

type LoadedCommand = (new (argv: string[], config: Config) => BaseCommand<never>) & {readonly operations: Calls}

/** Runs one command line and returns its exit code. Every failure is printed; never throws. */
export async function start(
  argv: readonly string[],
  {config: load, io: given, ...options}: StartOptions,
): Promise<number> {
  const io = given ? guardedIo(given) : processIo
  try {
    return await dispatch(argv, await load(), {io, ...options})
  } catch (error) {
    if (io.env['FRONTDESK_DEBUG']) io.stderr.write(`${withoutTokens(debugText(error))}\n`)
    const report = reportOf(error)
    showReport(report, io, {json: printsJson(argv, io.env)})
    return report.exitCode
  }
}

async function dispatch(
  argv: readonly string[],
  config: Config,
  {io, prompts, onCall, onCommand}: Omit<StartOptions, 'config'> & {readonly io: Io},
): Promise<number> {
  const line = await readCommandLine(argv, config)
  const {id} = line
  if (line.version) {
    io.stdout.write(
      printsJson(argv, io.env) ? `${JSON.stringify({version: config.version})}\n` : `${config.userAgent}\n`,
    )
    return exitCodes.done.code
  }
  if (line.help || (!line.isCommand && line.unknown === undefined)) {
    onCommand?.('help')
    const {showHelp} = await import('./help.js')
    await showHelp(line, config, io)
    return exitCodes.done.code
  }
  const found = line.isCommand ? config.findCommand(id) : undefined
  if (!found) throw unknownCommand(id, line.unknown ?? '', config)
  const name = id.replaceAll(':', ' ')
  onCommand?.(name)
  const Loaded = (await found.load()) as unknown as LoadedCommand
  const command = new Loaded([...line.args], config)
  command.io = io
  if (prompts) command.prompts = prompts
  if (onCall) {
    const declared = Loaded.operations
    command.onCall = (operation) => onCall({command: name, declared, operation: operation.id})
  }
  return command.begin()
}
