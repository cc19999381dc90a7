/** Texts whose every character is one grapheme of one column: ASCII, Latin, Greek, Cyrillic and their punctuation. */
const oneColumnEach =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]*$/

/** Columns that a terminal uses for a text. */
export interface Ruler {
  widthOf(text: string): number
  /** Cuts text to a number of columns, never inside a character, and marks the cut, with `…` by default. */
  cut(text: string, columns: number, mark?: string): string
  padded(text: string, columns: number): string
}

const simple = rulerOf((text) => text.length, Array.from)

/**
 * A ruler for these texts, which are sanitized. The tables of Unicode cost more than a start, and what most
 * shops hold needs none.
 */
export async function rulerFor(texts: Iterable<string>): Promise<Ruler> {
  for (const text of texts) {
    if (!oneColumnEach.test(text)) return rulerForAll()
  }
  return simple
}

/** A ruler for texts that are not known yet. */
export function rulerForAll(): Promise<Ruler> {
  unicode ??= unicodeRuler()
  return unicode
}

let unicode: Promise<Ruler> | undefined

async function unicodeRuler(): Promise<Ruler> {
  const {default: stringWidth} = await import('string-width')
  const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'})
  return rulerOf(
    (text) => (oneColumnEach.test(text) ? text.length : stringWidth(text)),
    (text) => Array.from(segmenter.segment(text), ({segment}) => segment),
  )
}

function rulerOf(widthOf: (text: string) => number, graphemesOf: (text: string) => readonly string[]): Ruler {
  return {
    widthOf,
    cut: (text, columns, mark = '…') => {
      if (widthOf(text) <= columns) return text
      let kept = ''
      for (const grapheme of graphemesOf(text)) {
        if (widthOf(kept + grapheme) > columns - mark.length) break
        kept += grapheme
      }
      return kept + mark
    },
    padded: (text, columns) => text + ' '.repeat(Math.max(0, columns - widthOf(text))),
  }
}
