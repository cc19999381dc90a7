/**
 * Uncaught exceptions and unhandled rejections. A command ends on one, since its answer could be wrong. A server reports
 * it and goes on (decision 37): no request owns the error, ending would fail all requests, and a client that can provoke
 * the error could stop the server at will. Acknowledged commits are safe: each is a whole line on the disk, checked by
 * versions and unique keys within one turn of the event loop.
 */

type Report = (error: unknown) => void

let report: Report | undefined

/** Keeps the process alive after uncaught errors from now on; each is reported with its stack. */
export function outliveStrayErrors(how: Report): void {
  report = how
}

/** Reports an uncaught error. Returns whether the process goes on. */
export function reportStrayError(error: unknown): boolean {
  report?.(error)
  return report !== undefined
}

export const outlivesErrors = (): boolean => report !== undefined
