import {randomInt} from 'node:crypto'
import {checksumOf} from '../format/record.js'
import {type PageBudget, pageBytes} from './page-budget.js'
import {Cells, Pages, type ReadAt} from './pages.js'

/*
 * The index file of a segment, little-endian. It is rebuilt from the segment if it is missing or does not match:
 *   header    64 bytes: magic, format, slots, keys, buckets, seed, checksums of the segment and of the sums, bytes of it
 *   offsets   the start of each line and the end of the last one: a double each
 *   keys      the slot and the hash of each key, 32 bits each, ascending by hash and then by slot
 *   buckets   the first key of each bucket and the end of the last one's: 32 bits each
 *   sums      a checksum for each page of offsets, keys and buckets
 * A bucket is a range of hashes, so that the keys of merged segments are merged without the texts that they stand for.
 * The hash alone decides which lines are read: of N keys, about one look-up in 2^32 / N reads a line in vain.
 * An index of another format is rebuilt.
 */
export const headerBytes = 64
export const magic = 0x58494446
export const indexFormat = 3

/** The tags of ids and unique keys; those of facets follow in their order. */
export const idTag = 1
export const uniqueKeyTag = 2
export const facetTag = (index: number): number => 3 + index

interface Layout {
  readonly slots: number
  readonly keys: number
  readonly buckets: number
  readonly keysStart: number
  readonly bucketsStart: number
  readonly bytes: number
}

function layoutOf(slots: number, keys: number, buckets: number): Layout {
  const keysStart = (slots + 1) * 8
  const bucketsStart = keysStart + keys * 8
  return {slots, keys, buckets, keysStart, bucketsStart, bytes: bucketsStart + (buckets + 1) * 4}
}

/**
 * A 32-bit hash of a text, with a random seed for each state. Not cryptographic: matches are compared with the text
 * itself.
 */
function hashOf(text: string, seed: number): number {
  let hash = seed ^ text.length
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** A seed for the hashes of an index. Random for each state, so that nobody can choose keys that collide. */
export const newSeed = (): number => randomInt(2 ** 32 - 1)

/** The hash of a tagged text. */
export const keyHash = (tag: number, text: string, seed: number): number =>
  hashOf(text, seed ^ Math.imul(tag, 0x9e3779b1))

/** The bucket of a hash: equal ranges of hashes, in their order. */
export const bucketOf = (hash: number, buckets: number): number => Math.floor((hash * buckets) / 2 ** 32)

/** The checksum of the header and of the page checksums, which cover the rest. */
export const headerSum = (header: Buffer, sums: Buffer): number =>
  checksumOf(sums, checksumOf(header.subarray(32), checksumOf(header.subarray(0, 28))))

/** Finds the lines of a segment by id, unique key or facet, reading only a few pages. */
export class SegmentIndex {
  readonly layout: Layout
  /** The seed of its hashes, with which another index can take its keys. */
  readonly seed: number
  readonly #pages: Pages

  private constructor(layout: Layout, seed: number, pages: Pages) {
    this.layout = layout
    this.seed = seed
    this.#pages = pages
  }

  /** Undefined if the content is not the index of a segment of this length and checksum. */
  static open(
    read: ReadAt,
    path: string,
    segment: {readonly bytes: number; readonly crc32: number},
    budget?: PageBudget,
  ): SegmentIndex | undefined {
    const header = read(0, headerBytes)
    if (header.length < headerBytes || header.readUInt32LE(0) !== magic) return undefined
    if (header.readUInt32LE(4) !== indexFormat) return undefined
    if (header.readUInt32LE(24) !== segment.crc32 || header.readDoubleLE(32) !== segment.bytes) return undefined
    const [slots, keys, buckets] = [header.readUInt32LE(8), header.readUInt32LE(12), header.readUInt32LE(16)]
    const layout = layoutOf(slots, keys, buckets)
    const sums = read(headerBytes + layout.bytes, Math.ceil(layout.bytes / pageBytes) * 4)
    if (headerSum(header, sums) !== header.readUInt32LE(28)) return undefined
    const body: ReadAt = (position, count, target) => read(headerBytes + position, count, target)
    const pages = new Pages(body, path, layout.bytes, sums, budget)
    return new SegmentIndex(layout, header.readUInt32LE(20), pages)
  }

  /** Verifies all checksums. Throws IndexDamaged. */
  verify(): void {
    this.#pages.verify()
  }

  /** The offset of a slot's line; that of the slot after the last is the end of the segment. */
  offset(slot: number): number {
    return this.#pages.double(slot * 8)
  }

  /** A pass over the offsets of all lines and the end of the last one. */
  offsets(): Cells {
    return new Cells(this.#pages, 0, this.layout.slots + 1)
  }

  /** A pass over the keys: slot and hash. */
  keys(): Cells {
    return new Cells(this.#pages, this.layout.keysStart, this.layout.keys)
  }

  /** Slots whose line may have the text, ascending; the caller compares the line. */
  find(tag: number, text: string): number[] {
    const {buckets, bucketsStart, keysStart, keys} = this.layout
    if (keys === 0) return []
    const hash = keyHash(tag, text, this.seed)
    const entry = bucketsStart + bucketOf(hash, buckets) * 4
    const first = this.#pages.uint32(entry)
    const end = this.#pages.uint32(entry + 4)
    const slots: number[] = []
    for (let key = first; key < end; key += 1) {
      if (this.#pages.uint32(keysStart + key * 8 + 4) === hash) slots.push(this.#pages.uint32(keysStart + key * 8))
    }
    return slots
  }
}
