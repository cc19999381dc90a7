import {compareText} from '../../../query/text-order.js'
import {hasValidChecksum, lineFeed} from '../file/checksum.js'
import type {Files} from '../file/files.js'
import {LineReader} from '../file/lines.js'
import type {SegmentFile} from '../file/manifest.js'
import {Entry} from '../line/entry.js'
import {type Literals, lacks, needlesOf} from '../line/literals.js'
import {lowerBound} from './lower-bound.js'
import type {OpenFiles} from './open-files.js'
import {RecordSearch} from './record-search.js'
import type {SegmentIndex} from './segment-index.js'

/** Documents at the beginning of a scan that are cached, whatever the size of the segment: a page is asked for again. */
const keptFirst = 50

const nothing = Buffer.alloc(0)

/** What a scan needs of its segment. */
export interface Scanned {
  readonly file: SegmentFile
  readonly handles: OpenFiles
  readonly index: SegmentIndex
  /** Whether scans fill the cache. */
  readonly cachesScans: boolean
  at(slot: number): Entry
  cached(slot: number): Entry | undefined
  /** The entry of a line that was read. Throws StateCorrupt. */
  kept(slot: number, bytes: Buffer, start: number, end: number, keep: boolean): Entry
  damagedAt(position: number): Error
}

/** Scans over the lines of one segment, ascending by id. */
export class SegmentScans {
  readonly #files: Files
  readonly #segment: Scanned
  /** The checksums of the file up to the end of each chunk of a scan from its beginning, once every line was verified. */
  readonly #sums: number[] = []

  constructor(files: Files, segment: Scanned) {
    this.#files = files
    this.#segment = segment
  }

  *following(after: string | undefined): Generator<Entry> {
    const segment = this.#segment
    const {slots} = segment.index.layout
    const unpin = segment.handles.pin()
    let reader: LineReader | undefined
    try {
      const first = this.#slotAfter(after)
      for (let slot = first; slot < slots; slot += 1) {
        const cached = segment.cached(slot)
        if (cached) {
          reader = undefined
          yield cached
          continue
        }
        reader ??= this.#reader(segment.index.offset(slot))
        reader.next()
        yield segment.kept(
          slot,
          reader.chunk,
          reader.start,
          reader.end,
          segment.cachesScans || slot - first < keptFirst,
        )
      }
    } finally {
      unpin()
    }
  }

  /** Documents that have the literals; undefined marks a step without one. */
  *passing(literals: Literals, after: string | undefined): Generator<Entry | undefined> {
    const unpin = this.#segment.handles.pin()
    try {
      if (literals.length === 0 && this.#segment.cachesScans) {
        // What is cached is parsed.
        for (const entry of this.following(after)) yield entry.version > 0 ? entry : undefined
        return
      }
      const groups = needlesOf(literals)
      const search = new RecordSearch<Buffer | number>(groups[0] ?? [], lineFeed)
      const from = this.#slotAfter(after)
      const reader = this.#reader(this.#segment.index.offset(from))
      for (let number = 0; reader.fill(); number += 1) {
        this.#verify(reader, from === 0 ? number : undefined)
        const {chunk} = reader
        const hasMatches = groups.every((group) => group.some((needle) => chunk.includes(needle)))
        search.begin(hasMatches ? chunk : nothing)
        for (let line = search.next(0); line; line = search.next(line.end + 1)) {
          const entry = Entry.ofVerified(chunk, line.start, line.end)
          // Other literals may be on other lines, and this one in the head of the line instead of its document.
          yield entry && entry.version > 0 && !lacks(entry.text().bytes, literals) ? entry : undefined
        }
        yield
      }
    } finally {
      unpin()
    }
  }

  #reader(from: number): LineReader {
    const {file, handles} = this.#segment
    return new LineReader(this.#files, handles.first, file.bytes, from)
  }

  /** Verifies every line of a chunk, once if its number is known. Throws StateCorrupt. */
  #verify({chunk, chunkAt, crc32}: LineReader, number: number | undefined): void {
    const known = number === undefined ? undefined : this.#sums[number]
    if (known === crc32) return
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(lineFeed, start)
      if (end < 0 || !hasValidChecksum(chunk, start, end)) throw this.#segment.damagedAt(chunkAt + start)
      start = end + 1
    }
    if (known !== undefined) throw this.#segment.damagedAt(chunkAt)
    if (number !== undefined) this.#sums[number] = crc32
  }

  /** The first slot whose id is above `id`. */
  #slotAfter(id: string | undefined): number {
    if (id === undefined) return 0
    const {index} = this.#segment
    return lowerBound(0, index.layout.slots, (slot) => compareText(this.#segment.at(slot).id, id) <= 0)
  }
}
