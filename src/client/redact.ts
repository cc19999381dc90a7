/** What traces and logs may show of an exchange: headers, bodies and paths without secrets (S-70). */

const secretHeader = /^(authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i
const secretMember = /password|secret|token|^value$/i
const shownMembers: ReadonlySet<string> = new Set(['token_type', 'passwordTokenEpoch', 'invalidateOlderTokens'])

export const hidden = '***'

export const redactedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? hidden : value]))

/** A refusal names the one-time token that it does not know. */
export const withoutTokens = (text: string): string => text.replace(/\bToken\([^)]*\)/g, `Token(${hidden})`)

/** A copy of a JSON value whose secret members are masked, at any depth. */
export function redactedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactedJson)
  if (typeof value === 'string') return withoutTokens(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      secretMember.test(name) && !shownMembers.has(name) && typeof entry === 'string' ? hidden : redactedJson(entry),
    ]),
  )
}

/** The text of a request body, JSON or form, with its secrets masked. */
export function redactedText(text: string): string {
  try {
    return JSON.stringify(redactedJson(JSON.parse(text)))
  } catch {
    return text.replace(/((?:^|&)[^=&]*(?:password|secret|token)[^=&]*=)[^&]*/gi, `$1${hidden}`)
  }
}

export const redactedPath = (path: string): string => path.replace(/((?:password|email)-token=)[^/?]*/g, `$1${hidden}`)
