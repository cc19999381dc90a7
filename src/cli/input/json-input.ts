import {usage} from '../process/failure.js'
import type {Io} from '../process/io.js'
import {readText} from '../process/system-errors.js'
import {refuseSecretsInline} from './secret-arguments.js'
import {readAll} from './secret-inputs.js'

/** JSON from a flag: inline text, `@file`, or `-` for stdin. */
export async function jsonInput(text: string, flag: string, io: Io): Promise<unknown> {
  const source = sourceName(text, flag)
  const value = jsonOf(await textOf(text, flag, io), source, `Give ${flag} inline JSON, @FILE, or - for stdin.`)
  if (source === flag) refuseSecretsInline(value, flag)
  return value
}

/** The value of a text. Throws usage, which does not repeat the text. */
export function jsonOf(json: string, source: string, hint: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch (error) {
    throw usage(`${source} is not JSON: ${reasonOf(error)}.`, hint)
  }
}

/** The parser's message without the text that it quotes, which may be a password. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(
    /, (?:\.{3})?".*" is not valid JSON$|, (?:\.{3})?".*"\.{3} is not valid JSON$/s,
    '',
  )

export async function jsonObjectInput(text: string, flag: string, io: Io): Promise<Record<string, unknown>> {
  const value = await jsonInput(text, flag, io)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw usage(`${flag} must be a JSON object.`)
}

/** What the text of a flag is called: its file, stdin, or the flag itself. */
export const sourceName = (text: string, flag: string): string =>
  text === '-' ? 'stdin' : text.startsWith('@') ? text.slice(1) : flag

/** Text from a flag: inline, `@file`, or `-` for stdin. */
export async function textOf(text: string, flag: string, io: Io): Promise<string> {
  if (text === '-') return readAll(io, 16 * 1024 * 1024)
  if (!text.startsWith('@')) return text
  return readText(text.slice(1), `Check ${flag}.`)
}
