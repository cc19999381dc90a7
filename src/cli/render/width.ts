// Made at its first use: it costs more than the rest of a start, and plain text needs none.
let segmenter: Intl.Segmenter | undefined

function graphemesOf(text: string): Iterable<{readonly segment: string}> {
  segmenter ??= new Intl.Segmenter(undefined, {granularity: 'grapheme'})
  return segmenter.segment(text)
}

const wide =
  /^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u
const plainAscii = /^[\x20-\x7e]*$/

const widthOf = (grapheme: string): number => {
  if (/^\p{Mark}+$/u.test(grapheme)) return 0
  return wide.test(grapheme) ? 2 : 1
}

/** Columns that a terminal uses for sanitized text. */
export function displayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length
  let width = 0
  for (const {segment} of graphemesOf(text)) width += widthOf(segment)
  return width
}

/** Cuts text to a number of columns, never inside a character, and marks the cut. */
export function cut(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const {segment} of graphemesOf(text)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Fills text up to a number of columns. */
export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
