import {randomInt} from 'node:crypto'
import type {Yield} from '../../../time-slices.js'
import type {SegmentHead} from '../format/record.js'
import {pageSums} from './pages.js'
import {
  bodyBytes,
  bucketOf,
  bucketsStart,
  checkOf,
  facetTag,
  headerBytes,
  headerSum,
  idTag,
  indexFormat,
  keysStart,
  type Layout,
  magic,
  uniqueKeyTag,
} from './segment-index.js'

/** Average number of keys per bucket. */
const bucketKeys = 4
/** Steps between two checks of the clock. */
const stepSize = 4096

class Growing {
  #numbers = new Uint32Array(1024)
  length = 0

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const wider = new Uint32Array(this.length * 2)
      wider.set(this.#numbers)
      this.#numbers = wider
    }
    this.#numbers[this.length++] = number
  }

  at(index: number): number {
    return this.#numbers[index] as number
  }
}

/** Builds the index of a segment: collects keys while the lines are written, then lays them out by a counting sort. */
export class IndexBuilder {
  readonly #seed = randomInt(2 ** 32 - 1)
  readonly #offsets: number[] = []
  readonly #spreads = new Growing()
  readonly #checks = new Growing()
  readonly #slots = new Growing()

  line(offset: number): void {
    this.#offsets.push(offset)
  }

  /** Adds a key of the line that was added last. */
  key(tag: number, text: string): void {
    this.#spreads.push(bucketOf(tag, text, this.#seed, 2 ** 32))
    this.#checks.push(checkOf(tag, text, this.#seed))
    this.#slots.push(this.#offsets.length - 1)
  }

  /** The content of the index file, built in time slices. */
  async finish(segment: {readonly bytes: number; readonly crc32: number}, yields: Yield): Promise<Buffer> {
    const keys = this.#slots.length
    const layout = {slots: this.#offsets.length, keys, buckets: Math.max(1, Math.ceil(keys / bucketKeys))}
    const body = Buffer.alloc(bodyBytes(layout))
    this.#offsets.push(segment.bytes)
    for (let at = 0; at < this.#offsets.length; at += 1) {
      body.writeDoubleLE(this.#offsets[at] as number, at * 8)
      if (at % stepSize === 0) await yields()
    }
    const next = await this.#writeBuckets(layout, body, yields)
    const start = keysStart(layout)
    for (let at = 0; at < keys; at += 1) {
      const bucket = this.#spreads.at(at) % layout.buckets
      const position = start + (next[bucket] as number) * 8
      next[bucket] = (next[bucket] as number) + 1
      body.writeUInt32LE(this.#checks.at(at), position)
      body.writeUInt32LE(this.#slots.at(at), position + 4)
      if (at % stepSize === 0) await yields()
    }
    const sums = await pageSums(body, yields)
    return Buffer.concat([this.#header(layout, segment, sums), body, sums])
  }

  /** Counts the keys of each bucket; returns the offset of each bucket's first key. */
  async #writeBuckets(layout: Layout, body: Buffer, yields: Yield): Promise<Uint32Array> {
    const next = new Uint32Array(layout.buckets + 1)
    for (let at = 0; at < layout.keys; at += 1) {
      const bucket = this.#spreads.at(at) % layout.buckets
      next[bucket + 1] = (next[bucket + 1] as number) + 1
      if (at % stepSize === 0) await yields()
    }
    for (let bucket = 0; bucket <= layout.buckets; bucket += 1) {
      if (bucket > 0) next[bucket] = (next[bucket] as number) + (next[bucket - 1] as number)
      body.writeUInt32LE(next[bucket] as number, bucketsStart(layout) + bucket * 4)
      if (bucket % stepSize === 0) await yields()
    }
    return next
  }

  #header(layout: Layout, segment: {readonly bytes: number; readonly crc32: number}, sums: Buffer): Buffer {
    const header = Buffer.alloc(headerBytes)
    const fields = [magic, indexFormat, layout.slots, layout.keys, layout.buckets, this.#seed, segment.crc32]
    for (const [at, field] of fields.entries()) header.writeUInt32LE(field, at * 4)
    header.writeDoubleLE(segment.bytes, 32)
    header.writeUInt32LE(headerSum(header, sums), 28)
    return header
  }
}

/** Adds the keys of an entry: its id, unique keys and facets. */
export function addKeys(builder: IndexBuilder, {id, uniqueKeys, facets}: Omit<SegmentHead, 'version'>): void {
  builder.key(idTag, id)
  for (const {key} of uniqueKeys) builder.key(uniqueKeyTag, key)
  facets.forEach((value, at) => {
    if (value !== null) builder.key(facetTag(at), value)
  })
}
