import type {OnFault} from '../../api/pipeline/pipeline.js'
import {ApiError} from '../../domain/errors.js'

/** The same cause is said once in so long. */
const quietMs = 1_000
/** Causes that are remembered at once. */
const maxTexts = 100
const maxDepth = 5

/** Why something failed, in one line: an error, what caused it, and so on. */
function chainOf(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at !== undefined && parts.length < maxDepth; ) {
    if (!(at instanceof Error)) {
      parts.push(String(at))
      break
    }
    const {code} = at as {code?: unknown}
    const known = typeof code === 'string' && !(at instanceof ApiError) ? ` (${code})` : ''
    parts.push(`${at.message || at.name}${known}`)
    at = at.cause
  }
  return parts.join(': ').replace(/\s+/g, ' ')
}

/**
 * Writes failures as lines: with the stack if the fault is ours, with the chain of causes if the state could not serve
 * the request. A cause that fails many requests at once is written once a second, with how often it struck.
 */
export function faultLog(write: (line: string) => void, now: () => number = () => performance.now()): OnFault {
  const said = new Map<string, {at: number; unsaid: number}>()
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
    if (said.size >= maxTexts) said.clear()
    said.set(text, {at: now(), unsaid: 0})
    write(`${correlationId} ${text}${last && last.unsaid > 0 ? ` (and ${last.unsaid} times before)` : ''}`)
  }
}
