import {endianness} from 'node:os'
import type {Yield} from '../../../time-slices.js'
import type {UniqueKey} from '../../store.js'
import type {Awaitable} from '../format/files.js'
import type {SegmentHead} from '../format/record.js'
import {BufferPool} from './buffer-pool.js'
import {AddedKeys, addUp, countBuckets, KeyMerge, type KeyRun} from './index-keys.js'
import {PageSums} from './pages.js'
import {facetTag, headerBytes, headerSum, idTag, indexFormat, keyHash, magic, uniqueKeyTag} from './segment-index.js'

/** Average number of keys per bucket. */
const bucketKeys = 4
const chunkBytes = 1 << 17
const chunks = new BufferPool(chunkBytes)
/** Words of keys and buckets that are written at once. */
const stepWords = 8192
const isLittleEndian = endianness() === 'LE'

/** Takes the bytes of an index, in pieces, of which the header is the last. The piece is written over when it resolves. */
export type Sink = (bytes: Uint8Array, position: number) => Awaitable<void>

/** Writes the index of a segment beside its lines: offsets as they come, and then the keys, in pieces of constant size. */
export class IndexWriter {
  readonly #sink: Sink
  readonly #seed: number
  readonly #added = new AddedKeys()
  readonly #sums = new PageSums()
  readonly #chunk = chunks.take()
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
  keys(id: string, uniqueKeys: SegmentHead['uniqueKeys'], facets: SegmentHead['facets']): void {
    this.#key(idTag, id)
    for (let at = 0; at < uniqueKeys.length; at += 1) this.#key(uniqueKeyTag, (uniqueKeys[at] as UniqueKey).key)
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

  /** Writes the keys, those of other indexes too, and ends the index. In time slices. */
  async finish(
    segment: {readonly bytes: number; readonly crc32: number},
    carried: readonly KeyRun[],
    yields: Yield,
  ): Promise<void> {
    if (this.isFull) await this.flush()
    this.#offset(segment.bytes)
    const runs = [...carried, ...(await this.#added.runs(yields))]
    // The keys of dropped lines count too: more buckets than needed do no harm, and need no pass of their own.
    const most = runs.reduce((sum, {count}) => sum + count, 0)
    const starts = new Uint32Array(Math.max(1, Math.ceil(most / bucketKeys)) + 1)
    const keys = await this.#writeKeys(runs, starts, yields)
    await this.#writeBuckets(starts, yields)
    await this.flush()
    const sums = this.#sums.finish()
    await this.#sink(sums, this.#position)
    await this.#sink(this.#header(segment, keys, starts.length - 1, sums), 0)
    chunks.give(this.#chunk)
  }

  /** Writes the keys and counts those of each bucket, at the place of the next one; returns their number. */
  async #writeKeys(runs: readonly KeyRun[], counts: Uint32Array, yields: Yield): Promise<number> {
    const merge = new KeyMerge(runs)
    const block = new Uint32Array(stepWords)
    let keys = 0
    for (;;) {
      const pairs = block.subarray(0, merge.take(block))
      if (pairs.length === 0) return keys
      countBuckets(pairs, counts)
      keys += pairs.length / 2
      await this.#words(pairs)
      await yields()
    }
  }

  async #writeBuckets(counts: Uint32Array, yields: Yield): Promise<void> {
    for (let at = 0, sum = 0; at < counts.length; at += stepWords) {
      const step = counts.subarray(at, at + stepWords)
      sum = addUp(step, sum)
      await this.#words(step)
      await yields()
    }
  }

  /** Writes words with the lowest byte first. */
  async #words(words: Uint32Array): Promise<void> {
    if (this.#filled + words.byteLength > chunkBytes) await this.flush()
    Buffer.from(words.buffer, words.byteOffset, words.byteLength).copy(this.#chunk, this.#filled)
    const end = this.#filled + words.byteLength
    if (!isLittleEndian) this.#chunk.subarray(this.#filled, end).swap32()
    this.#filled = end
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
