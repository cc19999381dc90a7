import type {Interfaces} from '@oclif/core'
import {exitCodes} from './exit-codes.js'
import {handleSignals, interruptedCode} from './interruption.js'
import {start} from './start.js'

/** The process: signals, closed pipes, and the last line of defence before Node would print a stack. */
export async function main(argv: readonly string[], load: Interfaces.LoadOptions): Promise<void> {
  handleSignals()
  for (const stream of [process.stdout, process.stderr]) stream.on('error', onStreamError)
  process.on('uncaughtException', onBug)
  process.on('unhandledRejection', onBug)
  const code = await start(argv, {load})
  process.exitCode = interruptedCode() ?? code
}

/** Who reads our output may stop at any time; that is no failure of ours. */
function onStreamError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') onBug(error)
}

function onBug(error: unknown): void {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const shown = process.env['FRONTDESK_DEBUG'] && error instanceof Error ? (error.stack ?? text) : text.split('\n')[0]
  const lines = [
    `Error: Unexpected: ${shown}`,
    'This is a bug in frontdesk; FRONTDESK_DEBUG=1 shows where.',
    `exit ${exitCodes.bug.code}`,
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(exitCodes.bug.code)
}
