import type {Yield} from '../../../time-slices.js'
import type {Awaitable} from '../format/files.js'
import type {SegmentHead} from '../format/record.js'
import {AddedKeys, KeyMerge, type KeySource} from './index-keys.js'
import {PageSums} from './pages.js'
import {
  bucketOf,
  facetTag,
  headerBytes,
  headerSum,
  idTag,
  indexFormat,
  keyHash,
  magic,
  uniqueKeyTag,
} from './segment-index.js'

/** Average number of keys per bucket. */
const bucketKeys = 4
/** Buckets that are written at once. */
const bucketStep = 4096
const chunkBytes = 1 << 17

/** Takes the bytes of an index, in pieces, of which the header is the last. The piece is written over when it resolves. */
export type Sink = (bytes: Uint8Array, position: number) => Awaitable<void>

/** Writes the index of a segment beside its lines: offsets as they come, and then the keys, in pieces of constant size. */
export class IndexWriter {
  readonly #sink: Sink
  readonly #seed: number
  readonly #added = new AddedKeys()
  readonly #sums = new PageSums()
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  readonly #view = new DataView(this.#chunk.buffer)
  #filled = 0
  #position = headerBytes
  #slots = 0

  constructor(sink: Sink, seed: number) {
    this.#sink = sink
    this.#seed = seed
  }

  get seed(): number {
    return this.#seed
  }

  /** Number of the lines, which is the slot of the next one. */
  get slots(): number {
    return this.#slots
  }

  /** Whether the chunk must be flushed before the next line. */
  get isFull(): boolean {
    return this.#filled === chunkBytes
  }

  /** Adds a line. */
  line(offset: number): void {
    this.#offset(offset)
    this.#slots += 1
  }

  /** Adds the keys of the line that was added last: its id, unique keys and facets. */
  keys({id, uniqueKeys, facets}: Omit<SegmentHead, 'version'>): void {
    this.#key(idTag, id)
    for (const {key} of uniqueKeys) this.#key(uniqueKeyTag, key)
    for (let at = 0; at < facets.length; at += 1) {
      const value = facets[at]
      if (value !== null && value !== undefined) this.#key(facetTag(at), value)
    }
  }

  async flush(): Promise<void> {
    if (this.#filled === 0) return
    const bytes = this.#chunk.subarray(0, this.#filled)
    this.#sums.add(bytes)
    await this.#sink(bytes, this.#position)
    this.#position += bytes.length
    this.#filled = 0
  }

  /** Writes the keys, those of the sources too, and ends the index. In time slices. */
  async finish(
    segment: {readonly bytes: number; readonly crc32: number},
    carried: readonly KeySource[],
    yields: Yield,
  ): Promise<void> {
    if (this.isFull) await this.flush()
    this.#offset(segment.bytes)
    const sources = [...carried, await this.#added.sorted(yields)]
    // The keys of dropped lines count too: more buckets than needed do no harm, and need no pass of their own.
    const most = sources.reduce((sum, {count}) => sum + count, 0)
    const starts = new Uint32Array(Math.max(1, Math.ceil(most / bucketKeys)) + 1)
    const keys = await this.#writeKeys(sources, starts, yields)
    await this.#writeBuckets(starts, yields)
    await this.flush()
    const sums = this.#sums.finish()
    await this.#sink(sums, this.#position)
    await this.#sink(this.#header(segment, keys, starts.length - 1, sums), 0)
  }

  /** Writes the keys and counts those of each bucket, at the place of the next one; returns their number. */
  async #writeKeys(sources: readonly KeySource[], counts: Uint32Array, yields: Yield): Promise<number> {
    const buckets = counts.length - 1
    let keys = 0
    const write = (hash: number, slot: number): boolean => {
      const next = bucketOf(hash, buckets) + 1
      counts[next] = (counts[next] as number) + 1
      keys += 1
      // The chunk is as long as many cells, and was empty or has whole ones.
      this.#view.setUint32(this.#filled, hash, true)
      this.#view.setUint32(this.#filled + 4, slot, true)
      this.#filled += 8
      return this.isFull
    }
    const merge = new KeyMerge(sources)
    do {
      if (this.isFull) await this.flush()
      await yields()
    } while (merge.step(write))
    return keys
  }

  async #writeBuckets(counts: Uint32Array, yields: Yield): Promise<void> {
    let sum = 0
    for (let bucket = 0; bucket < counts.length; bucket += 1) {
      sum += counts[bucket] as number
      if (this.isFull) await this.flush()
      this.#view.setUint32(this.#filled, sum, true)
      this.#filled += 4
      if (bucket % bucketStep === 0) await yields()
    }
  }

  #key(tag: number, text: string): void {
    this.#added.add(keyHash(tag, text, this.#seed), this.#slots - 1)
  }

  #offset(offset: number): void {
    this.#view.setFloat64(this.#filled, offset, true)
    this.#filled += 8
  }

  #header(segment: {readonly bytes: number; readonly crc32: number}, keys: number, buckets: number, sums: Buffer) {
    const header = Buffer.alloc(headerBytes)
    const fields = [magic, indexFormat, this.#slots, keys, buckets, this.#seed, segment.crc32]
    for (const [at, field] of fields.entries()) header.writeUInt32LE(field, at * 4)
    header.writeDoubleLE(segment.bytes, 32)
    header.writeUInt32LE(headerSum(header, sums), 28)
    return header
  }
}
