import {checksumOf} from '../file/checksum.js'
import {keyHash} from './key-hash.js'
import {lowerBound} from './lower-bound.js'
import {chunkBytes, type PageBudget, Pages, pageBytes, type ReadAt} from './pages.js'

/*
 * The index file of a segment, little-endian. It is rebuilt from the segment if it is missing or does not match:
 *   header    64 bytes: magic, format, slots, keys, seed, checksums of the segment and of the sums, bytes of the segment
 *   offsets   the start of each line and the end of the last one: a double each
 *   keys      the slot and the hash of each key, 32 bits each, ascending by hash and then by slot
 *   sums      a checksum for each page of offsets and keys
 * The keys of merged segments are merged without the texts that they stand for. The hash alone decides which lines are
 * read: of N keys, about one look-up in 2^32 / N reads a line in vain.
 */
export const headerBytes = 64
export const magic = 0x58494446
export const indexFormat = 1

interface Layout {
  readonly slots: number
  readonly keys: number
  readonly keysStart: number
  readonly bytes: number
}

/** The checksum of the header and of the page checksums, which cover the rest. */
export const headerSum = (header: Buffer, sums: Buffer): number =>
  checksumOf(sums, checksumOf(header.subarray(32), checksumOf(header.subarray(0, 24))))

export const inMemory =
  (content: Buffer): ReadAt =>
  (position, length) =>
    content.subarray(position, position + length)

/** Keys of one hash, ascending by slot: the first one, and the one behind the last. */
interface Keys {
  readonly from: number
  readonly to: number
}

const none: readonly number[] = []
/**
 * Parts of all hashes, of which each remembers its first key: where many documents have one value, the keys beyond lie
 * elsewhere than their hashes say.
 */
const parts = 256
const partHashes = 2 ** 32 / parts
/** Among so few keys a share leads no nearer than half of them. */
const fewKeys = 8
/** One look of so many goes to the middle: shares alone would creep along keys of one hash. */
const looksPerHalving = 4

/** Keys that are read between two looks at the clock. */
const keysPerStep = 1_024

/** Finds the lines of a segment by id, unique key or facet, reading only a few pages. */
export class SegmentIndex {
  readonly layout: Layout
  /** The seed of its hashes, with which another index can take its keys. */
  readonly seed: number
  readonly #pages: Pages
  /** The first key of each part; below zero before somebody has asked for it. */
  readonly #starts = new Float64Array(parts + 1).fill(-1)

  private constructor(layout: Layout, seed: number, pages: Pages) {
    this.layout = layout
    this.seed = seed
    this.#pages = pages
  }

  /** Undefined for another content than the index of this segment. `mended` makes it anew once a page is damaged. */
  static open(
    read: ReadAt,
    path: string,
    segment: {readonly bytes: number; readonly crc32: number},
    {budget, mended}: {readonly budget?: PageBudget | undefined; readonly mended?: (seed: number) => Buffer} = {},
  ): SegmentIndex | undefined {
    const header = read(0, headerBytes)
    if (header.length < headerBytes || header.readUInt32LE(0) !== magic) return undefined
    if (header.readUInt32LE(4) !== indexFormat) return undefined
    if (header.readUInt32LE(20) !== segment.crc32 || header.readDoubleLE(32) !== segment.bytes) return undefined
    const [slots, keys, seed] = [header.readUInt32LE(8), header.readUInt32LE(12), header.readUInt32LE(16)]
    const keysStart = (slots + 1) * 8
    const layout = {slots, keys, keysStart, bytes: keysStart + keys * 8}
    const sums = read(headerBytes + layout.bytes, Math.ceil(layout.bytes / pageBytes) * 4)
    if (headerSum(header, sums) !== header.readUInt32LE(24)) return undefined
    const body =
      (whole: ReadAt): ReadAt =>
      (position, count, target) =>
        whole(headerBytes + position, count, target)
    const mend = mended && (() => body(inMemory(mended(seed))))
    return new SegmentIndex(layout, seed, new Pages(body(read), path, layout.bytes, sums, {budget, mend}))
  }

  /** Throws StateCorrupt for a damaged page. */
  verify(): void {
    this.#pages.verify()
  }

  /** The offset of a slot's line; that of the slot after the last is the end of the segment. */
  offset(slot: number): number {
    return this.#pages.double(slot * 8)
  }

  /** A pass over the keys, a slot and a hash each, in blocks, each in the place of the one before; an empty one is the end. */
  keyBlocks(): () => Uint32Array {
    let position = this.layout.keysStart
    const target = Buffer.allocUnsafeSlow(chunkBytes)
    return () => {
      if (position >= this.layout.bytes) return new Uint32Array(0)
      const bytes = this.#pages.chunk(position, target)
      position += bytes.length
      // Keys lie at multiples of their length.
      return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    }
  }

  /** Slots whose line may have the text, ascending; the caller compares the line. */
  find(tag: number, text: string): readonly number[] {
    const hash = keyHash(tag, text, this.seed)
    let key = this.#firstKey(hash)
    if (key === this.layout.keys || this.#hashAt(key) !== hash) return none
    const slots: number[] = []
    for (; key < this.layout.keys && this.#hashAt(key) === hash; key += 1) slots.push(this.#slotAt(key))
    return slots
  }

  /** The ranges of the keys of those texts that have any, found without reading each. */
  keysOf(tag: number, texts: Iterable<string>): Keys[] {
    const found: Keys[] = []
    for (const text of texts) {
      const hash = keyHash(tag, text, this.seed)
      const from = this.#firstKey(hash)
      if (from < this.layout.keys && this.#hashAt(from) === hash) found.push({from, to: this.#endOf(from, hash)})
    }
    return found
  }

  /** Behind the last of the keys of a hash that begin there. */
  #endOf(from: number, hash: number): number {
    const {keys} = this.layout
    const isOurs = (key: number): boolean => this.#hashAt(key) === hash
    let [low, step] = [from, 1]
    for (; low + step <= keys && isOurs(low + step - 1); step *= 2) low += step
    return lowerBound(low, Math.min(keys, low + step), isOurs)
  }

  /** The slots of keys, ascending, each once; undefined marks a step of work. */
  *slotsOf(each: readonly Keys[]): Generator<number | undefined> {
    const [only] = each
    if (only && each.length === 1) {
      for (let key = only.from; key < only.to; key += 1) yield this.#slotAt(key)
      return
    }
    const slots = new Uint32Array(each.reduce((sum, {from, to}) => sum + to - from, 0))
    let count = 0
    for (const {from, to} of each) {
      for (let key = from; key < to; key += 1) {
        slots[count] = this.#slotAt(key)
        count += 1
        if (count % keysPerStep === 0) yield undefined
      }
    }
    let last = -1
    for (const slot of slots.sort()) {
      if (slot !== last) yield slot
      last = slot
    }
  }

  #slotAt(key: number): number {
    return this.#pages.uint32(this.layout.keysStart + key * 8)
  }

  #hashAt(key: number): number {
    return this.#pages.uint32(this.layout.keysStart + key * 8 + 4)
  }

  /** The first key of a hash or a higher one. */
  #firstKey(hash: number): number {
    const part = Math.floor(hash / partHashes)
    const below = part * partHashes
    return this.#search(hash, [this.#startOf(part), this.#startOf(part + 1)], below, below + partHashes)
  }

  #startOf(part: number): number {
    const known = this.#starts[part] as number
    if (known >= 0) return known
    const {keys} = this.layout
    const start = part === parts ? keys : this.#search(part * partHashes, [0, keys], 0, 2 ** 32)
    this.#starts[part] = start
    return start
  }

  /**
   * Searches keys whose hashes lie between two. Hashes are uniform, so that their share of what lies between leads near the
   * one that is looked for (interpolation search); among the last few, and where many documents have one value, halving does.
   */
  #search(hash: number, [low, high]: [number, number], below: number, above: number): number {
    for (let look = 1; low < high; look += 1) {
      const count = high - low
      const isHalved = count <= fewKeys || look % looksPerHalving === 0
      const share = isHalved ? count >>> 1 : Math.floor(((hash - below) / (above - below)) * count)
      const key = low + Math.min(count - 1, share)
      const found = this.#hashAt(key)
      if (found < hash) {
        low = key + 1
        below = found
      } else {
        high = key
        above = found
      }
    }
    return low
  }
}
