import {xml} from './ci-text.js'

/** Text that is HTML already. Only `html` makes it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Html[]

const maxCharacters = 600

/** A text as a page shows it: what is invisible or reorders text is spelled out, and what has no end is cut. */
function escaped(text: string): string {
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}… (${text.length} characters)` : text
  return xml(cut)
}

function partText(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({text}) => text).join('')
  return escaped(String(part))
}

/** HTML with values in it; whatever is not HTML itself is escaped, in texts and quoted attributes alike. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(texts.map((text, at) => text + (at < parts.length ? partText(parts[at] ?? '') : '')).join(''))

export const nothing = new Html('')
