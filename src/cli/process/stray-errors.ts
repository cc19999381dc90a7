/**
 * Errors that reached nobody: a throw in a callback, a promise that nobody waits for. A command ends with one, since its
 * answer could be wrong. A server reports it and goes on (decision 37): no request owns the error, so ending would fail
 * all of them for it, and whoever found out how to provoke it could end the server again and again. What is acknowledged
 * does not depend on it: commits are whole lines on the disk, checked by versions and claims in one turn.
 */

type Report = (error: unknown) => void

let report: Report | undefined

/** From here on the process outlives errors that reached nobody; each is reported with its stack. */
export function outliveStrayErrors(how: Report): void {
  report = how
}

/** Whether somebody else than the end of the process answers for the error. */
export function reported(error: unknown): boolean {
  report?.(error)
  return report !== undefined
}

/** Whether the process is one that goes on. */
export const outlivesErrors = (): boolean => report !== undefined
