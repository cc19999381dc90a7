import {join} from 'node:path'
import {hasValidChecksum, type WrittenRecord} from '../file/checksum.js'
import {corrupt} from '../file/failures.js'
import {type BlockingFiles, readingAt} from '../file/files.js'
import {LineReader} from '../file/lines.js'
import {indexName, type SegmentFile} from '../file/manifest.js'
import {Entry} from '../line/entry.js'
import {type Head, headOfLine, idOfLine, type LineName, nameOfLine} from '../line/head.js'
import {carriedKeys, type KeyRun, noSlot} from '../table/index-keys.js'
import {madeIndex} from '../table/index-writer.js'
import {SegmentIndex} from '../table/segment-index.js'

/** A line that is merged. */
export interface MergedLine {
  readonly id: string
  /** 0 for a tombstone. */
  readonly version: number
  /** With its line feed, or as the record of one. */
  readonly line: Buffer | WrittenRecord
  /** What its keys are made of; undefined if they are carried. */
  readonly head: Head | undefined
  /** Called with its slot in the new segment. */
  readonly written?: (slot: number) => void
}

export function mergedLine(entry: Entry): MergedLine {
  const {id, version, head} = entry
  return {id, version, line: entry, head}
}

/** A line of a journal. All of them wait in memory until they are written, so each keeps no more than where it stands. */
class JournalLine implements MergedLine {
  readonly kind: string
  readonly id: string
  readonly version: number
  readonly #chunk: Buffer
  readonly #start: number
  readonly #headEnd: number
  readonly #end: number

  constructor({kind, id, version, headEnd}: LineName, chunk: Buffer, start: number, end: number) {
    this.kind = kind
    this.id = id
    this.version = version
    this.#chunk = chunk
    this.#start = start
    this.#headEnd = headEnd
    this.#end = end
  }

  get line(): Buffer {
    return this.#chunk.subarray(this.#start, this.#end + 1)
  }

  get head(): Head {
    return headOfLine(this.#chunk, this.#start, this.#headEnd)
  }
}

/** Reads the lines of a journal. Of each chunk, which its reader overwrites, they share a copy. */
export function journalLines(): (chunk: Buffer, start: number, end: number) => JournalLine | undefined {
  let [last, copy]: (Buffer | undefined)[] = []
  return (chunk, start, end) => {
    const name = nameOfLine(chunk, start, end)
    if (!name) return undefined
    if (!copy || chunk !== last) [last, copy] = [chunk, Buffer.from(chunk)]
    return new JournalLine(name, copy, start, end)
  }
}

/** A segment whose lines are merged. Its lines are compared with its checksum at the end: until then nothing may take effect. */
export class SegmentSource {
  readonly file: SegmentFile
  readonly #files: BlockingFiles
  readonly #directory: string
  readonly #fds: number[] = []
  #carried: {readonly index: SegmentIndex; readonly slots: Int32Array} | undefined

  constructor(files: BlockingFiles, directory: string, file: SegmentFile) {
    this.#files = files
    this.#directory = directory
    this.file = file
  }

  /** Its lines as bytes, if its index has keys for this seed to carry; else its entries. */
  lines(seed: number): Generator<MergedLine> {
    const index = this.#openIndex()
    if (index?.seed !== seed || index.layout.slots !== this.file.lines) return this.entries((entry) => entry)
    this.#carried = {index, slots: new Int32Array(index.layout.slots).fill(noSlot)}
    return this.#copied(this.#carried.slots)
  }

  *entries(refaceted: (entry: Entry) => Entry): Generator<MergedLine> {
    for (const {chunk, start, end} of this.#read()) {
      const entry = Entry.ofLine(chunk, start, end)
      if (!entry) throw this.#located()
      yield mergedLine(refaceted(entry))
    }
  }

  /** What its index has of the lines that were copied. */
  carriedKeys(): KeyRun | undefined {
    return this.#carried && carriedKeys(this.#carried.index.keyBlocks(), this.#carried.slots)
  }

  close(): void {
    for (const fd of this.#fds.splice(0)) this.#files.close(fd)
  }

  *#copied(slots: Int32Array): Generator<MergedLine> {
    let slot = 0
    const copied = {
      id: '',
      version: 0,
      line: Buffer.alloc(0) as Buffer,
      head: undefined,
      written: (to: number): void => {
        slots[slot] = to
      },
    }
    for (const {chunk, start, end} of this.#read()) {
      const found = idOfLine(chunk, start, end)
      if (!found) throw this.#located()
      copied.id = found.id
      copied.version = found.isTombstone ? 0 : 1
      copied.line = chunk.subarray(start, end + 1)
      yield copied
      slot += 1
    }
  }

  *#read(): Generator<LineReader> {
    const reader = new LineReader(this.#files, this.#open(this.file.file), this.file.bytes)
    while (reader.next()) yield reader
    if (reader.crc32 !== this.file.crc32) throw this.#located()
  }

  #open(name: string): number {
    const fd = this.#files.open(join(this.#directory, name), 'read')
    this.#fds.push(fd)
    return fd
  }

  #openIndex(): SegmentIndex | undefined {
    const {file} = this
    const path = join(this.#directory, indexName(file.file))
    if (this.#files.identity(path) === undefined) return undefined
    const lines = {file, path: join(this.#directory, file.file)}
    const mended = (seed: number) => madeIndex(this.#files, {...lines, fd: this.#open(file.file)}, seed)
    return SegmentIndex.open(readingAt(this.#files, this.#open(indexName(file.file))), path, file, {mended})
  }

  /** The error that names the damaged line. */
  #located(): Error {
    const path = join(this.#directory, this.file.file)
    const reader = new LineReader(this.#files, this.#open(this.file.file), this.file.bytes)
    while (reader.next()) {
      const {chunk, start, end} = reader
      if (!hasValidChecksum(chunk, start, end)) return corrupt(`${path} is damaged at byte ${reader.position}.`, path)
    }
    return corrupt(`${path} is not what was written.`, path)
  }
}
