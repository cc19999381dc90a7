import type {StateError} from '../../../domain/errors.js'
import type {Yield} from '../../../time-slices.js'
import {LazyEntry} from '../format/entry.js'
import {type FacetFunctions, facetValues} from '../format/facets.js'
import {corrupt} from '../format/failures.js'
import type {Files} from '../format/files.js'
import type {SegmentFile} from '../format/manifest.js'
import {checksumOf, parsedSegmentLine, segmentLineStart} from '../format/record.js'
import {linesOf} from '../format/recovery.js'
import {BufferPool} from './buffer-pool.js'
import {carriedKeys, type KeyRun, noSlot} from './index-keys.js'
import type {LineSource, LineWriter} from './line-source.js'
import {type Cells, IndexDamaged} from './pages.js'
import type {SegmentIndex} from './segment-index.js'

const readBytes = 256 << 10
const windows = new BufferPool(readBytes)
const [lineFeed, quote, backslash, zero, nine] = [10, 0x22, 0x5c, 0x30, 0x39]
const none = Buffer.alloc(0)
const versionMark = Buffer.from('","v":')

/** An open segment. */
interface Opened {
  readonly file: SegmentFile
  readonly path: string
  readonly indexPath: string
  readonly index: SegmentIndex
  readonly fd: number
}

/** The lines of a segment do not match its checksum. */
export class SegmentDamaged extends Error {
  override readonly name = 'SegmentDamaged'
  readonly #files: Files
  readonly #segment: Opened

  constructor(files: Files, segment: Opened) {
    super(`the segment ${segment.path} is damaged`)
    this.#files = files
    this.#segment = segment
  }

  /** The error that names the damaged line. */
  async located(yields: Yield): Promise<StateError> {
    const {fd, file, path} = this.#segment
    for (const {bytes, start} of linesOf(this.#files, fd, file.bytes)) {
      if (!parsedSegmentLine(bytes)) return corrupt(`${path} is damaged at byte ${start}.`, path)
      await yields()
    }
    return corrupt(`${path} is not what was written.`, path)
  }
}

/**
 * The lines of a segment as bytes: ids and tombstones are recognised without parsing, and lines are copied as they are.
 * Instead of the checksum of each line, that of the whole segment is compared when the last line was passed: until then
 * nothing that was copied may take effect. Lines that an earlier release wrote, or with an escaped id, are parsed.
 */
export class SegmentLines implements LineSource {
  id = ''
  isTombstone = false
  hasEnded = false
  readonly #files: Files
  readonly #segment: Opened
  /** The new slots of the lines; undefined if their keys are made anew. */
  readonly #slots: Int32Array | undefined
  readonly #refacet: FacetFunctions | undefined
  readonly #offsets: Cells
  #slot = -1
  #start = 0
  #end = 0
  /** Bytes of the file from `#windowStart` to `#read`. */
  #window = windows.take()
  #windowStart = 0
  #read = 0
  #crc32 = 0

  /** `seed` is that of the new index. `refacet` are the facets of this release, where the lines have others. */
  constructor(files: Files, segment: Opened, seed: number, refacet?: FacetFunctions) {
    this.#files = files
    this.#segment = segment
    this.#refacet = refacet
    this.#offsets = segment.index.offsets()
    this.#offsets.next()
    const carries = !refacet && segment.index.seed === seed
    this.#slots = carries ? new Int32Array(segment.index.layout.slots).fill(noSlot) : undefined
  }

  next(): boolean {
    this.#slot += 1
    this.#start = this.#end
    if (!this.#offsets.next()) return this.#finish()
    this.#end = this.#offsets.double
    if (!(this.#end > this.#start && this.#end <= this.#segment.file.bytes)) {
      throw new IndexDamaged(this.#segment.indexPath)
    }
    if (this.#end > this.#read) this.#fill()
    if (!this.#readHead()) this.#parseHead()
    return true
  }

  write(writer: LineWriter): void {
    const start = this.#start - this.#windowStart
    const end = this.#end - this.#windowStart
    if (this.#slots) {
      this.#slots[this.#slot] = writer.copy(this.#window, start, end)
      return
    }
    const {head, body} = this.#parsed()
    if (!this.#refacet || head.version === 0) writer.copy(this.#window, start, end, head)
    else {
      const entry = new LazyEntry(head, body)
      writer.entry(entry, facetValues(this.#refacet, entry.doc))
    }
  }

  carriedKeys(): KeyRun | undefined {
    return this.#slots && carriedKeys(this.#segment.index.keys(), this.#slots)
  }

  /** Reads on until the line is complete; what was read before it goes. */
  #fill(): void {
    const {file, fd} = this.#segment
    const kept = this.#read - this.#start
    const length = Math.min(Math.max(readBytes, this.#end - this.#start), file.bytes - this.#start)
    const target = length > this.#window.length ? Buffer.allocUnsafeSlow(length) : this.#window
    this.#window.copy(target, 0, this.#start - this.#windowStart, this.#read - this.#windowStart)
    this.#window = target
    this.#windowStart = this.#start
    for (let filled = kept; filled < length; ) {
      const got = this.#files.read(fd, target, filled, length - filled, this.#start + filled)
      if (got === 0) throw new SegmentDamaged(this.#files, this.#segment)
      this.#crc32 = checksumOf(target.subarray(filled, filled + got), this.#crc32)
      filled += got
    }
    this.#read = this.#start + length
  }

  #finish(): false {
    const {file, indexPath} = this.#segment
    this.hasEnded = true
    if (this.#end !== file.bytes) throw new IndexDamaged(indexPath)
    if (this.#crc32 !== file.crc32) throw new SegmentDamaged(this.#files, this.#segment)
    if (this.#window.length === readBytes) windows.give(this.#window)
    this.#window = none
    return false
  }

  /** Finds the id, and whether the line is a tombstone; false for what only a parser can tell. */
  #readHead(): boolean {
    const bytes = this.#window
    let at = this.#start - this.#windowStart
    const end = this.#end - this.#windowStart - 1
    if (end - at < segmentLineStart.length || bytes[end] !== lineFeed) return false
    for (let index = 0; index < segmentLineStart.length; index += 1, at += 1) {
      if (bytes[at] !== segmentLineStart[index]) return false
    }
    const start = at
    for (let byte = bytes[at]; byte !== quote; byte = bytes[at]) {
      if (byte === backslash || at >= end) return false
      at += 1
    }
    this.id = bytes.toString('utf8', start, at)
    for (let index = 0; index < versionMark.length; index += 1, at += 1) {
      if (bytes[at] !== versionMark[index]) return false
    }
    const digit = bytes[at] as number
    this.isTombstone = digit === zero
    return digit >= zero && digit <= nine && at < end
  }

  #parseHead(): void {
    const {head} = this.#parsed()
    this.id = head.id
    this.isTombstone = head.version === 0
  }

  /** Throws StateCorrupt for a damaged line. */
  #parsed(): NonNullable<ReturnType<typeof parsedSegmentLine>> {
    const line = this.#window.subarray(this.#start - this.#windowStart, this.#end - this.#windowStart)
    const parsed = line.at(-1) === lineFeed ? parsedSegmentLine(line.subarray(0, -1)) : undefined
    if (!parsed) throw corrupt(`${this.#segment.path} is damaged at byte ${this.#start}.`, this.#segment.path)
    return parsed
  }
}
