import type {Config} from '@oclif/core'
import {normalizeArgv} from '@oclif/core/help'
import {withoutTokens} from '../../client/redact.js'
import {reportOf, showReport} from '../output/error-report.js'
import {exitCodes} from '../process/exit-codes.js'
import {guardedIo, type Io, processIo} from '../process/io.js'
import {wantsJson} from '../process/wants-json.js'
import {debugText} from '../render/sanitize.js'
import type {Prompts} from '../secrets/ask.js'
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
    return await dispatch(prepared(argv), await load(), {io, ...options})
  } catch (error) {
    if (io.env['FRONTDESK_DEBUG']) io.stderr.write(`${withoutTokens(debugText(error))}\n`)
    const report = reportOf(error)
    showReport(report, io, {json: wantsJson(argv, io.env)})
    return report.exitCode
  }
}

/** `--trace-http` may stand without a file; oclif knows only flags with or without a value. */
function prepared(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return argv.map((argument, index) => {
    if (argument !== '--trace-http' || index >= end) return argument
    return argv[index + 1]?.endsWith('.har') ? argument : '--trace-http=-'
  })
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h'

async function dispatch(
  argv: readonly string[],
  config: Config,
  {io, prompts, onCall}: Omit<StartOptions, 'config'> & {readonly io: Io},
): Promise<number> {
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  if (own[0] === '--version') {
    io.stdout.write(`${config.userAgent}\n`)
    return exitCodes.done.code
  }
  const words = own.filter((argument) => !isHelp(argument))
  if (words.length === 0 || words[0] === 'help' || own.some(isHelp)) {
    const {showHelp} = await import('./help.js')
    await showHelp(words[0] === 'help' ? words.slice(1) : words, config, io)
    return exitCodes.done.code
  }
  const [id = '', ...rest] = normalizeArgv(config, [...argv])
  const found = config.findCommand(id)
  if (!found) {
    // A bare topic shows its help; a topic followed by an unknown word is an unknown command.
    if (config.findTopic(id) && rest.every((argument) => argument.startsWith('-'))) {
      const {showHelp} = await import('./help.js')
      await showHelp([id], config, io)
      return exitCodes.done.code
    }
    throw unknownCommand(argv, config)
  }
  const Loaded = (await found.load()) as unknown as LoadedCommand
  const command = new Loaded(rest, config)
  command.io = io
  if (prompts) command.prompts = prompts
  if (onCall) {
    const declared = Loaded.operations
    command.onCall = (operation) => onCall({command: id.replaceAll(':', ' '), declared, operation: operation.id})
  }
  return command.begin()
}
