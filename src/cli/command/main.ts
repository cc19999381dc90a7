import {withoutTokens} from '../../domain/redact.js'
import {removeAbandonedScratch} from '../../files/scratch.js'
import {reportOf, showReport} from '../output/error-report.js'
import {exitCodes} from '../process/exit-codes.js'
import {handleSignals, interruptedCode} from '../process/interruption.js'
import {onStreamErrors, processIo} from '../process/io.js'
import {printsJson} from '../process/prints-json.js'
import {debugText} from '../process/sanitize.js'
import {outlivesErrors, reported} from '../process/stray-errors.js'
import {systemTrouble} from '../process/system-errors.js'
import {type StartOptions, start} from './start.js'

/** The entry of the process: signals, closed pipes and uncaught errors. */
export async function main(argv: readonly string[], options: StartOptions): Promise<void> {
  handleSignals((why) => {
    const json = printsJson(argv, process.env) && !hasPrinted()
    // The terminal has printed `^C` into the line.
    if (processIo.stderr.isTTY) processIo.stderr.write('\n')
    showReport(reportOf(why), processIo, {json})
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
  process.exitCode = interruptedCode() ?? (code || (unwritten ? reportOf(unwritten).exitCode : 0))
}

/** Whether stdout has output already: then no JSON error may follow it. */
const hasPrinted = (): boolean => ((processIo.stdout as {bytesWritten?: number}).bytesWritten ?? 0) > 0

/** Why the result of this run could not be written: a full disk, a quota. */
let unwritten: NodeJS.ErrnoException | undefined

/** Files have a path; streams of this process have none. */
const isOfStream = (error: NodeJS.ErrnoException): boolean => error.syscall === 'write' && error.path === undefined

/** Handles an error of stdout or stderr. A pipe (EPIPE) or a terminal (EIO) that was closed is not a failure. */
function onStreamError(stream: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  // A server that cannot write its log, on a full disk for example, goes on serving.
  if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY) || outlivesErrors()) return
  if (!systemTrouble(error)) onBug(error)
  // An error of stderr cannot be reported; the exit code is kept.
  else if (stream === process.stdout) unwritten ??= error
}

function onBug(error: unknown): void {
  if (reported(error)) return
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
