import {limits} from '../../work/limits.js'

/** Why a JSON value is refused whatever it means (decision 13), or nothing. */
export function uncleanBecause(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'number') {
    const whole = Number.isInteger(value)
    return whole && !Number.isSafeInteger(value) ? 'a whole number beyond 2^53 loses digits' : undefined
  }
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a text holds half of a surrogate pair'
  return unsafeBecause(value, depth, uncleanBecause)
}

/** Why a document is refused whatever is read of it, or nothing: what its values are counts where they are read. */
export function unsafeBecause(value: unknown, depth = 1, inner = unsafeBecause as typeof uncleanBecause) {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > limits.jsonDepth) return `the nesting is deeper than ${limits.jsonDepth}`
  for (const name of Object.keys(value)) {
    if (name === '__proto__') return "'__proto__' is not a member name"
    const problem = inner((value as Readonly<Record<string, unknown>>)[name], depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

const longDigits = /\d{16}/
/** Outside of texts, in JSON that is valid. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** `JSON.parse`, but for whole numbers beyond 2^53: their digits come as a text. Throws SyntaxError. */
export function exactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!longDigits.test(text)) return value
  const isLong = (token: string): boolean => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token))
  return JSON.parse(text.replace(tokens, (token) => (isLong(token) ? `"${token}"` : token)))
}
