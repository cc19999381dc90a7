import {join} from 'node:path'
import {checksumOf, lineLength, type WrittenRecord, writeLine} from '../file/checksum.js'
import {type BlockingFiles, writeNow} from '../file/files.js'
import {indexName, type SegmentFile} from '../file/manifest.js'
import type {Head} from '../line/head.js'
import type {KeyRun} from './index-keys.js'
import {IndexWriter} from './index-writer.js'

const chunkBytes = 1 << 20

export interface NewSegment {
  readonly kind: string
  readonly file: string
  readonly facets: number
  /** Whether older segments remain below, so that tombstones must be kept. */
  readonly aboveOthers: boolean
  /** The change that its sources make to the number of documents. */
  readonly countDelta: number
  readonly seed: number
}

/** Writes the lines of a new segment, ascending by id, and their index. */
export class SegmentWriter {
  readonly #files: BlockingFiles
  readonly #paths: {readonly lines: string; readonly index: string}
  readonly #segment: NewSegment
  readonly #index: IndexWriter
  readonly #fds: number[] = []
  #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  #filled = 0
  #bytes = 0
  #crc32 = 0

  constructor(files: BlockingFiles, directory: string, segment: NewSegment) {
    this.#files = files
    this.#segment = segment
    this.#paths = {lines: join(directory, segment.file), index: join(directory, indexName(segment.file))}
    for (const path of [this.#paths.lines, this.#paths.index]) this.#fds.push(files.open(path, 'create'))
    this.#index = new IndexWriter((bytes, at) => writeNow(files, this.#fds[1] as number, bytes, at), segment.seed)
  }

  /** Writes a line, or the record of one, and the keys of its head; without one they are carried. Returns its slot. */
  line(line: Buffer | WrittenRecord, head: Head | undefined): number {
    const length = Buffer.isBuffer(line) ? line.length : lineLength(line)
    if (this.#filled + length > this.#chunk.length) this.#flush()
    if (length > this.#chunk.length) this.#chunk = Buffer.allocUnsafeSlow(length)
    const slot = this.#index.line(this.#bytes + this.#filled)
    if (head) this.#index.keys(head)
    if (Buffer.isBuffer(line)) line.copy(this.#chunk, this.#filled)
    else writeLine(this.#chunk, line, this.#filled)
    this.#filled += length
    return slot
  }

  /** Ends both files, which are durable then, or removes them if there are no lines. */
  finish(carried: readonly KeyRun[]): SegmentFile | undefined {
    const lines = this.#index.slots
    if (lines === 0) {
      for (const path of Object.values(this.#paths)) this.#files.unlink(path)
      return undefined
    }
    this.#flush()
    const {kind, file, countDelta, facets} = this.#segment
    const [bytes, crc32] = [this.#bytes, this.#crc32]
    this.#index.finish({bytes, crc32}, carried)
    for (const fd of this.#fds) this.#files.sync(fd)
    return {kind, file, bytes, lines, countDelta, crc32, facets}
  }

  close(): void {
    for (const fd of this.#fds.splice(0)) this.#files.close(fd)
  }

  #flush(): void {
    const chunk = this.#chunk.subarray(0, this.#filled)
    writeNow(this.#files, this.#fds[0] as number, chunk, this.#bytes)
    this.#crc32 = checksumOf(chunk, this.#crc32)
    this.#bytes += chunk.length
    this.#filled = 0
  }
}
