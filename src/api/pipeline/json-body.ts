import {ApiError} from '../../domain/errors.js'
import {limits} from '../../work/limits.js'

const invalidJson = (detailedErrorMessage: string): ApiError => ApiError.of('InvalidJsonInput', {detailedErrorMessage})

/** Parses a JSON object strictly, within limits of depth and size. Throws InvalidJsonInput. */
export function parseJsonBody(bytes: Uint8Array): object {
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidJson(`$: expected an object, received ${Array.isArray(value) ? 'an array' : JSON.stringify(value)}`)
  }
  return value
}

const utf8 = new TextDecoder('utf-8', {fatal: true})

/** Parses any JSON value under the same limits; seed packs allow more values. */
export function parseJson(bytes: Uint8Array, {maxValues = limits.jsonValues as number} = {}): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalidJson('The body is not valid UTF-8.')
  }
  return parseJsonText(text, maxValues)
}

export function parseJsonText(text: string, maxValues: number = limits.jsonValues): unknown {
  if (text.trim() === '') throw invalidJson('No content to map due to end-of-input')
  checkSize(text, maxValues)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalidJson(error instanceof Error ? withoutSnippet(error.message) : 'The body is not JSON.')
  }
  const problem = problemIn(value)
  if (problem) throw invalidJson(`$${problem.path}: ${problem.rule}`)
  return value
}

/** V8's message without its excerpt of the text, which may hold a password; the position stays. */
const withoutSnippet = (message: string): string =>
  message.replace(/(, )?(\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, ' in JSON')

/**
 * Counts brackets and values outside strings, so that a text too deep or too wide is refused before it is parsed. A
 * comma separates two values of a container, and the first value follows the bracket.
 */
function checkSize(text: string, maxValues: number): void {
  let depth = 0
  let values = 0
  let isFirst = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code <= 0x20) continue
    const closes = code === 0x7d || code === 0x5d
    if (code === 0x2c || (isFirst && !closes)) values += 1
    if (values > maxValues) throw invalidJson(`The body has more than ${maxValues} members and elements.`)
    isFirst = code === 0x7b || code === 0x5b
    if (code === 0x22) at = endOfString(text, at)
    else if (closes) depth -= 1
    else if (isFirst) {
      depth += 1
      if (depth > limits.jsonDepth) throw invalidJson(`The nesting is deeper than ${limits.jsonDepth}.`)
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    let escapes = 0
    while (text.charCodeAt(quote - 1 - escapes) === 0x5c) escapes += 1
    if (escapes % 2 === 0) return quote
    at = quote
  }
}

/** What a value of the body must not be, and where it is below the value that was looked at. */
interface Problem {
  readonly path: string
  readonly rule: string
}

/** The first problem. The path is put together on the way back, since nearly every body has none. */
function problemIn(value: unknown): Problem | undefined {
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
    return isExact ? undefined : {path: '', rule: 'a number that JSON readers do not carry exactly'}
  }
  if (typeof value === 'string') {
    const isLong = value.length > limits.textCharacters
    return isLong ? {path: '', rule: `longer than ${limits.textCharacters} characters`} : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const problem = problemIn(value[at])
      if (problem) return {...problem, path: `[${at}]${problem.path}`}
    }
    return undefined
  }
  for (const name of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[name]
    if (isPoisoned(name, member)) return {path: '', rule: `a member must not be named '${name}'`}
    const problem = problemIn(member)
    if (problem) return {...problem, path: `.${name}${problem.path}`}
  }
  return undefined
}

/** Names of members that could pollute a prototype when copied. */
export const isPoisoned = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'))
