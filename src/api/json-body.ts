import {ApiError} from '../domain/errors.js'
import {jsonLimits as limits} from '../domain/json-limits.js'

const refused = (detailedErrorMessage: string): ApiError => ApiError.of('InvalidJsonInput', {detailedErrorMessage})

/** Parses a JSON object. Throws InvalidJsonInput for anything a careful reader would not accept. */
export function parseJsonBody(bytes: Uint8Array): object {
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused(`$: expected an object, received ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}`)
  }
  return value
}

/** Parses any JSON text under the same limits; seed packs come through here too, and may have more members. */
export function parseJson(bytes: Uint8Array, {members = limits.members} = {}): unknown {
  if (bytes.length === 0) throw refused('No content to map due to end-of-input')
  let text: string
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    throw refused('The body is not valid UTF-8.')
  }
  if (text.trim() === '') throw refused('No content to map due to end-of-input')
  checkDepth(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refused(error instanceof Error ? withoutSnippet(error.message) : 'The body is not JSON.')
  }
  checkValues(value, members)
  return value
}

/** V8 quotes a piece of the text, which may hold a password; the position stays. */
const withoutSnippet = (message: string): string =>
  message.replace(/(, )?(\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, ' in JSON')

/** Counts brackets outside strings, so that a deep text is refused before anything recurses over it. */
function checkDepth(text: string): void {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > limits.depth) throw refused(`The nesting is deeper than ${limits.depth}.`)
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
}

function checkValues(root: unknown, maxMembers: number): void {
  let members = 0
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'number') checkNumber(value, path)
    else if (typeof value === 'string') {
      if (value.length > limits.stringCharacters)
        throw refused(`${path}: longer than ${limits.stringCharacters} characters`)
    } else if (Array.isArray(value)) {
      for (const [at, entry] of value.entries()) visit(entry, `${path}[${at}]`)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, entry] of Object.entries(value)) {
        members += 1
        if (members > maxMembers) throw refused(`The body has more than ${maxMembers} members.`)
        checkName(name, entry, path)
        visit(entry, `${path}.${name}`)
      }
    }
  }
  visit(root, '$')
}

function checkNumber(value: number, path: string): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw refused(`${path}: a number that JSON readers do not carry exactly`)
  }
}

/** Names that change an object's prototype when a careless reader copies them. */
function checkName(name: string, value: unknown, path: string): void {
  const poisoned =
    name === '__proto__' ||
    (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
  if (poisoned) throw refused(`${path}: a member must not be named '${name}'`)
}
