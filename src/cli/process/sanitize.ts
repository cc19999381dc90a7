/**
 * Sanitizer for terminals: characters of foreign text that could move the cursor, hide text or reorder it are shown as
 * escapes.
 */

// C0 without the line feed, DEL and C1; soft hyphen; the bidirectional marks, embeddings, overrides and isolates; zero-width
// characters; line and paragraph separators; controls of shorthand and music; tag characters; lone surrogates.
const unsafe =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

const short = new Map([
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escaped(character: string): string {
  const known = short.get(character)
  if (known) return known
  const point = character.codePointAt(0) ?? 0
  if (point < 0x100) return `\\x${point.toString(16).padStart(2, '0')}`
  return point < 0x10000 ? `\\u${point.toString(16).padStart(4, '0')}` : `\\u{${point.toString(16)}}`
}

/** `1 row`, `3 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** One line of text that a terminal shows as it is written. */
export const oneLine = (text: string): string => text.replace(unsafe, escaped).replaceAll('\n', '\\n')

/** The same for text of several lines, which may end as those of a table do: line feeds stay. */
export const manyLines = (text: string): string => text.replaceAll('\r\n', '\n').replace(unsafe, escaped)

/** JSON text with everything escaped that `JSON.stringify` leaves raw and a terminal would obey. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value ?? null, null, indent).replace(unsafe, jsonEscape)

/** A character as JSON escapes it: beyond the basic plane by both of its surrogates. */
const jsonEscape = (character: string): string =>
  Array.from(
    {length: character.length},
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** An error with its stack, for FRONTDESK_DEBUG: its message in one line, so that it cannot pass for lines of ours. */
export function debugText(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error))
  const stack = error.stack ?? ''
  const head = `${error.name}: ${error.message}`
  const at = stack.indexOf(head)
  const frames = at < 0 ? '' : stack.slice(at + head.length)
  return `${oneLine(head)}${manyLines(frames)}`
}
