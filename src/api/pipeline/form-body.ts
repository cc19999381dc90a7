import {ApiError} from '../../domain/errors.js'
import {limits} from '../../limits.js'

const utf8 = new TextDecoder('utf-8', {fatal: true})

const invalidRequest = (message: string): ApiError => ApiError.of('invalid_request', {message})

/**
 * Reads `application/x-www-form-urlencoded` strictly: each known parameter at most once, well-formed percent escapes of
 * valid UTF-8 without NUL (decision 25). Blanks and colons may come raw, as the public SDK sends them.
 */
export function parseFormBody(bytes: Uint8Array, known: readonly string[]): ReadonlyMap<string, string> {
  const text = decoded(bytes, 'The body')
  const form = new Map<string, string>()
  const pairs = text === '' ? [] : text.split('&')
  if (pairs.length > limits.formParameters)
    throw invalidRequest(`The body has more than ${limits.formParameters} parameters.`)
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const name = unescaped(at < 0 ? pair : pair.slice(0, at), 'A parameter name')
    if (!known.includes(name)) continue
    if (form.has(name)) throw invalidRequest(`The parameter ${name} stands more than once.`)
    form.set(name, unescaped(at < 0 ? '' : pair.slice(at + 1), `The parameter ${name}`))
  }
  for (const [name, value] of form) if (value === '') form.delete(name)
  return form
}

function unescaped(text: string, what: string): string {
  const plain = text.replaceAll('+', ' ')
  try {
    const value = plain.includes('%') ? decodeURIComponent(plain) : plain
    if (value.includes('\0')) throw invalidRequest(`${what} holds a NUL.`)
    return value
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw invalidRequest(`${what} is not well encoded.`)
  }
}

function decoded(bytes: Uint8Array, what: string): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidRequest(`${what} is not valid UTF-8.`)
  }
}
