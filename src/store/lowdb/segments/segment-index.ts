import {checksumOf} from '../format/record.js'
import {Pages, pageBytes, type ReadAt} from './pages.js'

/*
 * The index file of a segment, little-endian. It is rebuilt from the segment if it is missing or does not match:
 *   header    64 bytes: magic, format, slots, keys, buckets, seed, checksums of the segment and of the sums, bytes of it
 *   offsets   the start of each line and the end of the last one: a double each
 *   buckets   the start of each bucket's keys and the end of the last one's: 32 bits each
 *   keys      32 bits of hash and the slot, grouped by bucket
 *   sums      a checksum for each page of offsets, buckets and keys
 */
export const headerBytes = 64
export const magic = 0x58494446
export const indexFormat = 1

/** The tags of ids and unique keys; those of facets follow in their order. */
export const idTag = 1
export const uniqueKeyTag = 2
export const facetTag = (index: number): number => 3 + index

export interface Layout {
  readonly slots: number
  readonly keys: number
  readonly buckets: number
}

export const bucketsStart = ({slots}: Layout): number => (slots + 1) * 8
/** The start of the keys, padded so that no key spans two pages. */
export const keysStart = (layout: Layout): number =>
  bucketsStart(layout) + Math.ceil(((layout.buckets + 1) * 4) / 8) * 8
export const bodyBytes = (layout: Layout): number => keysStart(layout) + layout.keys * 8

/**
 * A 32-bit hash of a text, with a random seed for each index. Not cryptographic: matches are compared with the text
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

/** Two independent hashes of a tagged text: the bucket, and the value to compare in it. */
export const bucketOf = (tag: number, text: string, seed: number, buckets: number): number =>
  hashOf(text, seed ^ Math.imul(tag, 0x9e3779b1)) % buckets
export const checkOf = (tag: number, text: string, seed: number): number =>
  hashOf(text, ~seed ^ Math.imul(tag, 0x27d4eb2f))

/** The checksum of the header and of the page checksums, which cover the rest. */
export const headerSum = (header: Buffer, sums: Buffer): number =>
  checksumOf(sums, checksumOf(header.subarray(32), checksumOf(header.subarray(0, 28))))

/** Finds the lines of a segment by id, unique key or facet, reading only a few pages. */
export class SegmentIndex {
  readonly layout: Layout
  readonly #seed: number
  readonly #pages: Pages

  private constructor(layout: Layout, seed: number, pages: Pages) {
    this.layout = layout
    this.#seed = seed
    this.#pages = pages
  }

  /** Undefined if the content is not the index of a segment of this length and checksum. */
  static open(
    read: ReadAt,
    path: string,
    segment: {readonly bytes: number; readonly crc32: number},
  ): SegmentIndex | undefined {
    const header = read(0, headerBytes)
    if (header.length < headerBytes || header.readUInt32LE(0) !== magic) return undefined
    if (header.readUInt32LE(4) !== indexFormat || header.readUInt32LE(24) !== segment.crc32) return undefined
    if (header.readDoubleLE(32) !== segment.bytes) return undefined
    const layout = {slots: header.readUInt32LE(8), keys: header.readUInt32LE(12), buckets: header.readUInt32LE(16)}
    const length = bodyBytes(layout)
    const sums = read(headerBytes + length, Math.ceil(length / pageBytes) * 4)
    if (headerSum(header, sums) !== header.readUInt32LE(28)) return undefined
    const body: ReadAt = (position, count) => read(headerBytes + position, count)
    return new SegmentIndex(layout, header.readUInt32LE(20), new Pages(body, path, length, sums))
  }

  /** Verifies all checksums. Throws IndexDamaged. */
  verify(): void {
    this.#pages.verify()
  }

  /** The offset of a slot's line; that of the slot after the last is the end of the segment. */
  offset(slot: number): number {
    return this.#pages.double(slot * 8)
  }

  /** Slots whose line may have the text; the caller compares the line. */
  find(tag: number, text: string): number[] {
    const {buckets} = this.layout
    if (this.layout.keys === 0) return []
    const entry = bucketsStart(this.layout) + bucketOf(tag, text, this.#seed, buckets) * 4
    const first = this.#pages.uint32(entry)
    const end = this.#pages.uint32(entry + 4)
    if (first === end) return []
    const check = checkOf(tag, text, this.#seed)
    const start = keysStart(this.layout)
    const slots: number[] = []
    for (let key = first; key < end; key += 1) {
      if (this.#pages.uint32(start + key * 8) === check) slots.push(this.#pages.uint32(start + key * 8 + 4))
    }
    return slots
  }
}
