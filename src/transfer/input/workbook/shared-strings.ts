import {closeSync, openSync, readSync} from 'node:fs'
import {join} from 'node:path'
import {writeWhole} from '../../../files/private-file.js'
import {removeScratch, scratchFolder} from '../../../files/scratch.js'
import {maxRowBytes} from '../row.js'
import type {Archive} from './archive.js'
import {xmlPart} from './xml.js'

const blockLength = 256
const maxMemoryCharacters = 8 * 1024 * 1024
const maxCachedBlocks = 64

type Block = readonly string[] | {readonly at: number; readonly bytes: number}

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

/**
 * The texts of a workbook, to which its cells refer by number. The first ones stay in memory; beyond that they go to a
 * file without a name, from which blocks are read as cells ask for them, mostly in order.
 */
export class SharedStrings {
  readonly #blocks: Block[] = []
  readonly #cache = new Map<number, readonly string[]>()
  #open: string[] = []
  #characters = 0
  #end = 0
  #file: number | undefined

  static async read(archive: Archive, part: string | undefined): Promise<SharedStrings> {
    const strings = new SharedStrings()
    if (part === undefined) return strings
    const rich = new RichText()
    const texts = xmlPart<string>(archive, part, (emit) => ({
      open: (name) => rich.open(name),
      text: (text) => rich.add(text),
      close: (name) => {
        rich.close(name)
        if (name === 'si') emit(rich.take())
      },
    }))
    try {
      for await (const piece of texts) for (const text of piece) strings.#add(text)
      strings.#endBlock()
      return strings
    } catch (error) {
      strings.close()
      throw error
    }
  }

  #add(text: string): void {
    this.#open.push(text)
    this.#characters += text.length
    if (this.#open.length === blockLength) this.#endBlock()
  }

  #endBlock(): void {
    const block = this.#open
    this.#open = []
    if (this.#characters <= maxMemoryCharacters) {
      this.#blocks.push(block)
      return
    }
    this.#file ??= nameless()
    const text = JSON.stringify(block)
    writeWhole(this.#file, text, 'The temporary folder')
    this.#blocks.push({at: this.#end, bytes: Buffer.byteLength(text)})
    this.#end += Buffer.byteLength(text)
  }

  /** A text by its number, or nothing if there is none. */
  get(index: number): string | undefined {
    const number = Math.floor(index / blockLength)
    const block = this.#blocks[number]
    if (!block) return undefined
    return ('bytes' in block ? this.#read(number, block) : block)[index % blockLength]
  }

  #read(number: number, {at, bytes}: {readonly at: number; readonly bytes: number}): readonly string[] {
    const known = this.#cache.get(number)
    if (known) {
      this.#cache.delete(number)
      this.#cache.set(number, known)
      return known
    }
    const buffer = Buffer.alloc(bytes)
    readSync(this.#file ?? -1, buffer, 0, bytes, at)
    const texts = JSON.parse(buffer.toString()) as string[]
    this.#cache.set(number, texts)
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > maxCachedBlocks && oldest !== undefined) this.#cache.delete(oldest)
    return texts
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

/** An open file without a name, gone with this process. */
function nameless(): number {
  const dir = scratchFolder('strings')
  const file = openSync(join(dir, 'strings'), 'wx+', 0o600)
  removeScratch(dir)
  return file
}
