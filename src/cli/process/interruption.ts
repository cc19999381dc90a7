import {exitCodes} from './exit-codes.js'
import {Failure} from './failure.js'

/**
 * What SIGINT and SIGTERM do. Whoever has something to finish asks for the signal and ends by itself; a second signal, or
 * nobody asking, ends the process at once: everything acknowledged is on disk already.
 */
let controller: AbortController | undefined
let received: 'SIGINT' | 'SIGTERM' | undefined

/** Aborted at the first signal. Asking for it promises to end soon after. */
export function interruption(): AbortSignal {
  controller ??= new AbortController()
  return controller.signal
}

/** The exit code of a run that a signal ended; undefined if none came. */
export const interruptedCode = (): number | undefined => {
  if (received === undefined) return undefined
  return received === 'SIGINT' ? exitCodes.interrupted.code : exitCodes.terminated.code
}

/** After a signal the process ends with its code, and the report says the same. */
export const withSignal = <R extends {readonly exitCode: number}>(report: R): R => ({
  ...report,
  exitCode: interruptedCode() ?? report.exitCode,
})

/** The signal that came first; undefined if none did. */
export const receivedSignal = (): 'SIGINT' | 'SIGTERM' | undefined => received

/** What to throw where a signal ended the work before its result. */
export const interrupted = (message: string, ...hints: readonly string[]): Failure =>
  new Failure(received === 'SIGTERM' ? 'terminated' : 'interrupted', 'Interrupted', message, {hints})

/** Installs the handlers; once per process. `atOnce` says last words where nobody asked for the signal. */
export function handleSignals(atOnce: (why: Failure) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const first = received === undefined
      received ??= signal
      if (first && controller) controller.abort()
      else {
        atOnce(interrupted(`Ended by ${signal}.`, 'What was acknowledged is safe; look before you repeat a write.'))
        process.exit(interruptedCode())
      }
    })
  }
}
