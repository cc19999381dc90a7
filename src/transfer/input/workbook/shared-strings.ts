import {maxRowBytes} from '../row.js'
import {type Archive, readXml} from './archive.js'

/** Of all texts together: a sheet of a million rows with twenty texts of ten characters in each of them has fewer. */
const mostCharacters = 256 * 1_048_576

/** How workbooks write characters that XML does not have: `_x000D_`. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Collects the text of cells and strings: what is in `t` elements, but not how it is pronounced. */
export class RichText {
  text = ''
  #isText = false
  #isPhonetic = false

  open(name: string): void {
    if (name === 't') this.#isText = true
    else if (name === 'rPh') this.#isPhonetic = true
  }

  add(text: string): void {
    if (!this.#isText || this.#isPhonetic) return
    this.text += text
    if (this.text.length > maxRowBytes) throw new Error(`a text is longer than ${maxRowBytes} characters`)
  }

  close(name: string): void {
    if (name === 't') this.#isText = false
    else if (name === 'rPh') this.#isPhonetic = false
  }

  take(): string {
    const text = unescaped(this.text)
    this.text = ''
    return text
  }
}

/** The texts of a workbook, to which its cells refer by number. */
export async function sharedStrings(archive: Archive, part: string | undefined): Promise<readonly string[]> {
  const rich = new RichText()
  const strings: string[] = []
  if (part === undefined) return strings
  let left = mostCharacters
  await readXml(archive, part, {
    open: (name) => rich.open(name),
    text: (text) => rich.add(text),
    close: (name) => {
      rich.close(name)
      if (name !== 'si') return
      const text = rich.take()
      // An empty one takes memory too.
      left -= text.length + 8
      if (left < 0) throw new Error('its texts take more memory than there may be: save the sheet as CSV')
      strings.push(text)
    },
  })
  return strings
}
