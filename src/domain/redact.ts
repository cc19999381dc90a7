import {isSecretAnswer, isSecretMember, withoutSegments} from './secret-members.js'

/** What traces and logs may show of an exchange: headers, bodies and paths without secrets. */

/** Whether a header identifies its sender: cookies, and what is named as a secret is. */
const isSecretHeader = (name: string): boolean => /^(?:set-)?cookie2?$/i.test(name) || isSecretMember(name)

export const hidden = '***'

export const redactedHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? hidden : value]))

/**
 * Whether a text may be repeated as a correlation id: 8 to 256 letters, digits, `-`, `_` and `/`. The API's own refusal does not
 * name the slash; the vendor's clients for Java and .NET put one into each id (decision 66).
 */
export const isCorrelationId = (text: string): boolean => /^[A-Za-z0-9_/-]{8,256}$/.test(text)

/** A name and a text in quotes, of JSON within a text or of GraphQL. */
const namedText = /([\w-]+)(\\?["']?\s*[:=]\s*\\?["'])[^"'\\]*/g

/** A text without one-time tokens as refusals name them, credentials in URLs, and texts behind a secret's name. */
export const withoutTokens = (text: string): string =>
  withoutSegments(text, hidden)
    .replace(/\bToken\([^)]*\)/g, `Token(${hidden})`)
    .replace(/(:\/\/)[^\s/@"']+@/g, `$1${hidden}@`)
    .replace(namedText, (all, name: string, between: string) =>
      isSecretMember(name) ? `${name}${between}${hidden}` : all,
    )

/** A member with a text, as GraphQL writes it. */
const literal = /(\w+)(\s*:\s*)("""[\s\S]*?"""|"(?:[^"\\]|\\.)*")/g

/** A text inside a body: a query of GraphQL may hold passwords. */
const redactedLiterals = (text: string): string =>
  text.replace(literal, (all, name: string, colon: string) =>
    isSecretAnswer(name) ? `${name}${colon}"${hidden}"` : all,
  )

/** Numbers and switches, such as the validity of tokens, are no secrets. */
const holdsText = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)

/** A copy of a JSON value whose secret members are masked, at any depth. */
export function redactedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactedJson)
  if (typeof value === 'string') return withoutTokens(redactedLiterals(value))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      isSecretAnswer(name) && holdsText(entry) ? hidden : redactedJson(entry),
    ]),
  )
}

/** The text of a request body, JSON or form, with its secrets masked. */
export function redactedText(text: string): string {
  try {
    return JSON.stringify(redactedJson(JSON.parse(text)))
  } catch {
    return text.replace(/([^=&]*)=[^&]*/g, (pair, name: string) =>
      isSecretAnswer(decodedPart(name)) ? `${name}=${hidden}` : pair,
    )
  }
}

/** A part of a form or a query as it was before it was encoded; one that is not well encoded is left as it is. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
