import type {Yield} from '../../../time-slices.js'
import type {Contains} from '../../store.js'
import {checksumOf} from '../file/checksum.js'
import type {SegmentFile} from '../file/manifest.js'

/*
 * The search texts of a segment, one after the other, so that a search reads through memory instead of documents. Kept
 * beside the segment and made from it again when it is missing, damaged, or of another version; little-endian:
 *   header    64 bytes: magic, format, version of the texts, slots, checksums of the segment and of the rest, bytes of both
 *   starts    where the text of each slot begins, and where the last one ends: 32 bits each; then the same for the ids
 *   ids, texts
 */
const headerBytes = 64
const magic = 0x54584446
const format = 1

/** Bytes of texts that a search reads between two looks at the clock. */
const windowBytes = 256 << 10

/** A place that grows: texts and where each begins. */
class Texts {
  #bytes = Buffer.allocUnsafeSlow(1 << 16)
  readonly #starts: number[] = [0]
  #length = 0

  get length(): number {
    return this.#length
  }

  push(text: string): void {
    // A UTF-16 unit takes three bytes of UTF-8 at the most.
    const needed = this.#length + text.length * 3
    if (needed > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(wider, 0, 0, this.#length)
      this.#bytes = wider
    }
    this.#length += this.#bytes.write(text, this.#length, 'utf8')
    this.#starts.push(this.#length)
  }

  get starts(): Buffer {
    return Buffer.from(Uint32Array.from(this.#starts).buffer)
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** Collects the texts of a segment, slot by slot. */
export class TextColumnBuilder {
  readonly #ids = new Texts()
  readonly #texts = new Texts()
  #slots = 0

  /** Bytes that the column will take. */
  get bytes(): number {
    return headerBytes + this.#ids.length + this.#texts.length + (this.#slots + 1) * 8
  }

  push(id: string, text: string): void {
    this.#slots += 1
    this.#ids.push(id)
    this.#texts.push(text)
  }

  finish(segment: SegmentFile, version: number): Buffer {
    const body = Buffer.concat([this.#texts.starts, this.#ids.starts, this.#ids.bytes, this.#texts.bytes])
    const header = Buffer.alloc(headerBytes)
    const fields = [magic, format, version, this.#slots, segment.crc32, checksumOf(body)]
    for (const [at, field] of fields.entries()) header.writeUInt32LE(field, at * 4)
    header.writeDoubleLE(segment.bytes, 32)
    header.writeDoubleLE(body.length, 40)
    return Buffer.concat([header, body])
  }
}

/** The search texts of a segment by slot. */
export class TextColumn {
  readonly slots: number
  readonly #starts: Uint32Array
  readonly #idStarts: Uint32Array
  readonly #ids: Buffer
  readonly #texts: Buffer

  private constructor(content: Buffer, slots: number) {
    this.slots = slots
    const view = (at: number) => new Uint32Array(content.buffer, content.byteOffset + at, slots + 1)
    const idsAt = headerBytes + (slots + 1) * 8
    this.#starts = view(headerBytes)
    this.#idStarts = view(headerBytes + (slots + 1) * 4)
    const textsAt = idsAt + (this.#idStarts[slots] as number)
    this.#ids = content.subarray(idsAt, textsAt)
    this.#texts = content.subarray(textsAt)
  }

  /** Nothing if the content is not the column of this segment and version. It must begin at a multiple of four bytes. */
  static open(content: Buffer, segment: SegmentFile, version: number): TextColumn | undefined {
    if (content.length < headerBytes || content.byteOffset % 4 !== 0) return undefined
    const slots = content.readUInt32LE(12)
    const isOurs =
      content.readUInt32LE(0) === magic &&
      content.readUInt32LE(4) === format &&
      content.readUInt32LE(8) === version &&
      slots === segment.lines &&
      content.readUInt32LE(16) === segment.crc32 &&
      content.readDoubleLE(32) === segment.bytes &&
      content.readDoubleLE(40) === content.length - headerBytes &&
      content.readUInt32LE(20) === checksumOf(content.subarray(headerBytes))
    return isOurs ? new TextColumn(content, slots) : undefined
  }

  id(slot: number): string {
    return this.#ids.toString('utf8', this.#idStarts[slot], this.#idStarts[slot + 1])
  }

  text(slot: number): string {
    return this.#texts.toString('utf8', this.#starts[slot], this.#starts[slot + 1])
  }

  /** Visits the slots whose texts have what is asked, ascending. `yields` is called between windows of texts. */
  async search(contains: Contains, visit: (slot: number) => void, yields: Yield): Promise<void> {
    for (let slot = 0; slot < this.slots; ) {
      const end = this.#windowEnd(slot)
      const found = this.#marked(contains, slot, end)
      for (let at = found.indexOf(1); at >= 0; at = found.indexOf(1, at + 1)) visit(slot + at)
      slot = end
      const pause = yields()
      if (pause) await pause
    }
  }

  /** A byte for each slot of the window: 1 where the text has what is asked. */
  #marked(contains: Contains, from: number, end: number): Uint8Array {
    if (typeof contains === 'string') {
      const marks = new Uint8Array(end - from)
      for (const slot of this.#containing(Buffer.from(contains), from, end)) marks[slot - from] = 1
      return marks
    }
    const isAll = 'all' in contains
    const marks = new Uint8Array(end - from).fill(isAll ? 1 : 0)
    for (const one of isAll ? contains.all : contains.any) {
      const own = this.#marked(one, from, end)
      for (let at = 0; at < marks.length; at += 1) {
        marks[at] = isAll ? (marks[at] as number) & (own[at] as number) : (marks[at] as number) | (own[at] as number)
      }
      if (isAll && !marks.includes(1)) break
    }
    return marks
  }

  /** The slot behind the window that begins at `slot`. */
  #windowEnd(slot: number): number {
    const end = this.#slotAt((this.#starts[slot] as number) + windowBytes)
    return Math.min(this.slots, Math.max(end, slot + 1))
  }

  *#containing(needle: Buffer, from: number, to: number): Generator<number> {
    const window = this.#texts.subarray(this.#starts[from], this.#starts[to])
    const base = this.#starts[from] as number
    for (let at = window.indexOf(needle); at >= 0; ) {
      const slot = this.#slotAt(base + at)
      const end = this.#starts[slot + 1] as number
      if (base + at + needle.length <= end) {
        yield slot
        at = window.indexOf(needle, end - base)
      } else at = window.indexOf(needle, at + 1)
    }
  }

  /** The slot whose text has a byte. */
  #slotAt(position: number): number {
    let low = 0
    let high = this.slots
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#starts[middle] as number) <= position) low = middle
      else high = middle - 1
    }
    return low
  }
}
