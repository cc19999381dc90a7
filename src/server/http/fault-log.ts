import type {OnFault} from '../../api/operation/context.js'
import {ApiError} from '../../domain/errors.js'
import {BoundedMap} from '../../work/bounded-map.js'

/** The same cause is logged once in this time. */
const quietMs = 1_000
/** Maximum number of causes remembered. */
const maxTexts = 100
const maxDepth = 5

/** An error and its chain of causes in one line. */
function chainOf(error: unknown, depth = 1): string {
  const {code, cause}: {code?: unknown; cause?: unknown} = error instanceof Error ? error : {}
  const known = typeof code === 'string' && !(error instanceof ApiError) ? ` (${code})` : ''
  const said = error instanceof Error ? `${error.message || error.name}${known}` : String(error)
  const rest = cause === undefined || depth === maxDepth ? '' : `: ${chainOf(cause, depth + 1)}`
  return `${said}${rest}`.replace(/\s+/g, ' ')
}

/**
 * Logs failures as lines: bugs with their stack, failures of the state with their chain of causes. Logs a cause that fails
 * many requests once a second, with the number of its failures.
 *
 *     startServer({projectKey: 'shop', onFault: faultLog(console.error)})
 */
export function faultLog(write: (line: string) => void, now: () => number = () => performance.now()): OnFault {
  const said = new BoundedMap<string, {at: number; unsaid: number}>(maxTexts)
  return (error, correlationId) => {
    if (!(error instanceof ApiError) || error.statusCode === 500) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
      const cause = error instanceof Error && error.cause !== undefined ? `\nCause: ${chainOf(error.cause)}` : ''
      write(`${correlationId} ${text}${cause}`)
      return
    }
    const text = `${error.statusCode} ${chainOf(error)}`
    const last = said.get(text)
    if (last && now() - last.at < quietMs) {
      last.unsaid += 1
      return
    }
    said.set(text, {at: now(), unsaid: 0})
    write(`${correlationId} ${text}${last && last.unsaid > 0 ? ` (and ${last.unsaid} times before)` : ''}`)
  }
}
