import {limits} from '../../limits.js'

/** Why a JSON value is refused whatever it means (decision 13), or nothing. */
export function uncleanBecause(value: unknown, depth = 1): string | undefined {
  if (typeof value === 'number') {
    const whole = Number.isInteger(value)
    return whole && !Number.isSafeInteger(value) ? 'a whole number beyond 2^53 loses digits' : undefined
  }
  if (typeof value === 'string') return value.isWellFormed() ? undefined : 'a text holds half of a surrogate pair'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > limits.jsonDepth) return `the nesting is deeper than ${limits.jsonDepth}`
  for (const name of Object.keys(value)) {
    if (name === '__proto__') return "'__proto__' is not a member name"
    const problem = uncleanBecause((value as Readonly<Record<string, unknown>>)[name], depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
