/**
 * Aborted with a signal, or after a time. The timeout is a member of the result, since Node 20 collects one that only
 * `AbortSignal.any` refers to, and nothing would be aborted.
 */
export function withTimeLimit(signal: AbortSignal, milliseconds: number): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds)
  return Object.assign(AbortSignal.any([signal, timeout]), {timeout})
}
