import type {Entry} from '../format/entry.js'
import {type Files, readInto} from '../format/files.js'
import {type Literals, lacks} from '../format/literals.js'
import {bodyOf, checksumOf, hasValidChecksum} from '../format/record.js'
import {verifiedLine} from '../format/stored-line.js'
import {LineSearch} from './line-search.js'
import type {OpenFiles} from './open-files.js'
import type {SegmentIndex} from './segment-index.js'

/** Lines are read in chunks of this size; a longer line makes its chunk longer. */
const chunkBytes = 256 << 10

/** What the chunks need of their segment. */
interface Source {
  readonly handles: OpenFiles
  readonly index: SegmentIndex
  damagedAt(position: number): Error
}

/** A line by its slot, and its place in its chunk with its line feed. */
interface Line {
  readonly slot: number
  readonly start: number
  readonly end: number
}

/** The lines of the slots from `first` to before `end`, which begin at `start` of the segment. */
interface Chunk {
  readonly bytes: Buffer
  readonly start: number
  readonly first: number
  readonly end: number
}

/**
 * The chunks of a segment. The lines that begin in one stretch of the file are one chunk, wherever a scan starts, so that
 * a chunk has a checksum of its own: once that of each of its lines was verified, the chunk is verified as a whole.
 */
export class Chunks {
  readonly #files: Files
  readonly #source: Source
  readonly #sums: number[] = []

  constructor(files: Files, source: Source) {
    this.#files = files
    this.#source = source
  }

  /** Documents from a slot on that have the literals; undefined for steps without one. */
  *passing(literals: Literals, from: number): Generator<Entry | undefined> {
    const search = new LineSearch<Line>(literals)
    const {index} = this.#source
    for (const chunk of this.#from(from)) {
      search.begin(chunk.bytes)
      const lineAt = (position: number) => this.#lineAt(chunk, position)
      for (let slot = Math.max(from, chunk.first); slot < chunk.end; ) {
        const line = search.next(index.offset(slot) - chunk.start, lineAt)
        if (!line) break
        const body = bodyOf(chunk.bytes.subarray(line.start, line.end - 1))
        // The head has texts too.
        yield body && !lacks(body, literals) ? verifiedLine(chunk.bytes, line.start, line.end - 1) : undefined
        slot = line.slot + 1
      }
      yield
    }
  }

  /** The chunks from the one that has a slot on, ascending. A chunk is read over by the next one. */
  *#from(slot: number): Generator<Chunk> {
    const {handles, index} = this.#source
    const {slots} = index.layout
    let buffer = Buffer.allocUnsafeSlow(0)
    if (slot >= slots) return
    const begin = Math.floor(index.offset(slot) / chunkBytes)
    for (let first = this.#slotAt(begin * chunkBytes, 0, slots); first < slots; ) {
      const start = index.offset(first)
      const number = Math.floor(start / chunkBytes)
      const end = this.#slotAt((number + 1) * chunkBytes, first, slots)
      const length = index.offset(end) - start
      if (length > buffer.length) buffer = Buffer.allocUnsafeSlow(Math.max(length, chunkBytes + (chunkBytes >> 4)))
      const chunk = {bytes: readInto(buffer, length, this.#files, handles.first, start), start, first, end}
      this.#verify(number, chunk)
      yield chunk
      first = end
    }
  }

  /** The line of a byte of the chunk. */
  #lineAt({start, first, end}: Chunk, at: number): Line {
    const {index} = this.#source
    const slot = this.#slotAt(start + at + 1, first + 1, end) - 1
    return {slot, start: index.offset(slot) - start, end: index.offset(slot + 1) - start}
  }

  /** The first slot from `low` to `high` whose line begins at a position or behind it. */
  #slotAt(position: number, low: number, high: number): number {
    const {index} = this.#source
    let [from, to] = [low, high]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (index.offset(middle) < position) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Throws StateCorrupt for the first line that is damaged. */
  #verify(number: number, {bytes, start, first, end}: Chunk): void {
    const {index, damagedAt} = this.#source
    const sum = checksumOf(bytes)
    if (this.#sums[number] === sum) return
    for (let slot = first; slot < end; slot += 1) {
      const at = index.offset(slot)
      const line = bytes.subarray(at - start, index.offset(slot + 1) - start - 1)
      if (!hasValidChecksum(line)) throw damagedAt(at)
    }
    if (this.#sums[number] !== undefined) throw damagedAt(start)
    this.#sums[number] = sum
  }
}
