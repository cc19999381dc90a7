import {withoutTokens} from '../client/redact.js'
import {reportOf, showReport} from './error-report.js'
import {exitCodes} from './exit-codes.js'
import {handleSignals, interruptedCode} from './interruption.js'
import {processIo} from './io.js'
import {debugText} from './render/sanitize.js'
import {type StartOptions, start} from './start.js'
import {outlivesErrors, reported} from './stray-errors.js'
import {wantsJson} from './wants-json.js'

/** The process: signals, closed pipes, and the last line of defence before Node would print a stack. */
export async function main(argv: readonly string[], options: StartOptions): Promise<void> {
  handleSignals((why) => {
    const json = wantsJson(argv, process.env) && !hasPrinted()
    showReport(reportOf(why), processIo, {json})
  })
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onStreamError)
  process.on('uncaughtException', onBug)
  process.on('unhandledRejection', onBug)
  const code = await start(argv, options)
  process.exitCode = interruptedCode() ?? code
}

/** One document is owed; after the beginning of another, none is. */
const hasPrinted = (): boolean => ((process.stdout as {bytesWritten?: number}).bytesWritten ?? 0) > 0

/** Who reads our output may stop at any time; that is no failure of ours. */
function onStreamError(error: NodeJS.ErrnoException): void {
  // A server that cannot log, on a full disk for example, has nowhere to say so and still serves.
  if (error.code !== 'EPIPE' && !outlivesErrors()) onBug(error)
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
