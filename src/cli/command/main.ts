import type {Config} from '@oclif/core'
import {withoutTokens} from '../../domain/redact.js'
import {removeAbandonedScratch} from '../../files/scratch.js'
import type {Prompts} from '../input/ask.js'
import {printsJson, reportOf, showReport} from '../output/error-report.js'
import {exitCodes} from '../process/exit-codes.js'
import {handleSignals, interruptedCode} from '../process/interruption.js'
import {guardedIo, type Io, onStreamErrors, processIo} from '../process/io.js'
import {debugText} from '../process/sanitize.js'
import {outlivesErrors, reportStrayError} from '../process/stray-errors.js'
import {systemFailure} from '../process/system-errors.js'
import {readCommandLine} from './argv.js'
import type {BaseCommand} from './base-command.js'
import type {Calls} from './operations.js'
import {unknownCommand} from './synonyms.js'

/** The entry of the process: signals, closed pipes and uncaught errors. */
export async function main(argv: readonly string[], options: StartOptions): Promise<void> {
  handleSignals({
    atOnce: (why) => {
      const json = printsJson(argv, process.env) && !hasPrinted()
      // The terminal has printed `^C` into the line.
      if (processIo.stderr.isTTY) processIo.stderr.write('\n')
      showReport(reportOf(why), processIo, {json})
    },
    notYet: (signal) =>
      processIo.stderr.write(`\nWhat has begun is being finished; another ${signal} ends the command at once.\n`),
  })
  onStreamErrors(onStreamError)
  // oclif listens to stdout as well, and throws what it hears.
  process.on('uncaughtException', (error) => (isOfStream(error) ? onStreamError(process.stdout, error) : onBug(error)))
  process.on('unhandledRejection', onBug)
  removeAbandonedScratch()
  const code = await start(argv, options)
  // A stream reports its write error in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  if (code === 0 && unwritten) showReport(reportOf(unwritten), processIo, {json: false})
  const ofOutput = isClosed ? exitCodes.pipeClosed.code : unwritten ? reportOf(unwritten).exitCode : 0
  process.exitCode = interruptedCode() ?? (code || ofOutput)
}

/** Whether stdout has output already: then no JSON error may follow it. */
const hasPrinted = (): boolean => ((processIo.stdout as {bytesWritten?: number}).bytesWritten ?? 0) > 0

/** Why the result of this run could not be written: a full disk, a quota. */
let unwritten: NodeJS.ErrnoException | undefined

/** Whether the reader of stdout went away before all was printed. */
let isClosed = false

/** Files have a path; streams of this process have none. */
const isOfStream = (error: NodeJS.ErrnoException): boolean => error.syscall === 'write' && error.path === undefined

/** Handles an error of stdout or stderr. A pipe (EPIPE) or a terminal (EIO) that was closed is not a failure. */
function onStreamError(stream: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' && stream === process.stdout) isClosed = true
  // A server that cannot write its log, on a full disk for example, goes on serving.
  if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY) || outlivesErrors()) return
  if (!systemFailure(error)) onBug(error)
  // An error of stderr cannot be reported; the exit code is kept.
  else if (stream === process.stdout) unwritten ??= error
}

function onBug(error: unknown): void {
  if (reportStrayError(error)) return
  const text = withoutTokens(debugText(error))
  const shown = process.env['FRONTDESK_DEBUG'] ? text : text.split('\n')[0]
  const lines = [
    `Error: Unexpected: ${shown}`,
    'This is a bug in frontdesk; FRONTDESK_DEBUG=1 shows where.',
    `exit ${exitCodes.bug.code}`,
  ]
  processIo.stderr.write(`${lines.join('\n')}\n`)
  process.exit(exitCodes.bug.code)
}

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
