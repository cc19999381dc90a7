import {compareText} from '../../../query/text-order.js'
import type {Entry} from '../format/entry.js'
import {type Files, readInto} from '../format/files.js'
import type {Literals} from '../format/literals.js'
import type {SegmentFile} from '../format/manifest.js'
import {BufferPool} from './buffer-pool.js'
import {Chunks} from './chunks.js'
import type {OpenFiles} from './open-files.js'
import type {SegmentIndex} from './segment-index.js'

/** Read size of a scan, and of its beginning: most pages are short. */
const chunkBytes = 256 << 10
const firstChunkBytes = 32 << 10

/** To allocate a buffer takes as long as to read a tenth of it. Any number of scans may be under way, so a few stay. */
const buffers = new BufferPool(chunkBytes, {mostFree: 4})

/** Documents at the beginning of a scan that are cached, whatever the size of the segment: a page is asked for again. */
const keptFirst = 50

/** What a scan needs of its segment. */
interface Source {
  readonly segment: {
    readonly file: SegmentFile
    readonly handles: OpenFiles
    readonly index: SegmentIndex
    at(slot: number): Entry
    damagedAt(position: number): Error
  }
  /** Whether scans fill the cache. */
  readonly cachesScans: boolean
  cached(slot: number): Entry | undefined
  /** Of a line of the chunk; a copy. */
  entry(slot: number, chunk: Buffer, start: number, end: number, keep: boolean): Entry
}

/** Scans over the lines of one segment, ascending by id. */
export class SegmentScans {
  readonly #files: Files
  readonly #source: Source
  readonly #chunks: Chunks

  constructor(files: Files, source: Source) {
    this.#files = files
    this.#source = source
    this.#chunks = new Chunks(files, source.segment)
  }

  *following(after: string | undefined): Generator<Entry> {
    const {segment, cachesScans, cached, entry} = this.#source
    const {file, handles, index} = segment
    const {slots} = index.layout
    const unpin = handles.pin()
    let buffer: Buffer | undefined
    try {
      let chunk: {readonly start: number; readonly bytes: Buffer} | undefined
      const first = this.#slotAfter(after)
      for (let slot = first; slot < slots; slot += 1) {
        const present = cached(slot)
        if (present) {
          yield present
          continue
        }
        const start = index.offset(slot)
        const end = index.offset(slot + 1)
        if (!chunk || end > chunk.start + chunk.bytes.length) {
          const size = slot - first > keptFirst ? chunkBytes : firstChunkBytes
          const length = Math.min(Math.max(end - start, size), file.bytes - start)
          buffer = length <= chunkBytes ? (buffer ?? buffers.take()) : Buffer.allocUnsafeSlow(length)
          chunk = {start, bytes: readInto(buffer, length, this.#files, handles.first, start)}
        }
        const keep = cachesScans || slot - first < keptFirst
        yield entry(slot, chunk.bytes, start - chunk.start, end - chunk.start - 1, keep)
      }
    } finally {
      if (buffer?.length === chunkBytes) buffers.give(buffer)
      unpin()
    }
  }

  *passing(literals: Literals, after: string | undefined): Generator<Entry | undefined> {
    const {segment, cachesScans} = this.#source
    const unpin = segment.handles.pin()
    try {
      // What is cached is parsed.
      if (literals.length === 0 && cachesScans) yield* live(this.following(after))
      else yield* this.#chunks.passing(literals, this.#slotAfter(after))
    } finally {
      unpin()
    }
  }

  /** The first slot whose id is above `id`. */
  #slotAfter(id: string | undefined): number {
    const {segment} = this.#source
    let low = 0
    let high = id === undefined ? 0 : segment.index.layout.slots
    while (id !== undefined && low < high) {
      const middle = (low + high) >>> 1
      if (compareText(segment.at(middle).id, id) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

function* live(entries: Iterable<Entry>): Generator<Entry | undefined> {
  for (const entry of entries) yield entry.version > 0 ? entry : undefined
}
