import {checksumOf, lineFeed} from './checksum.js'
import type {Files} from './files.js'

const [leastBytes, mostBytes] = [32 << 10, 256 << 10]
const none = Buffer.alloc(0)

/** Reads a file line by line, in chunks of whole lines; each chunk overwrites the one before. */
export class LineReader {
  /** Whole lines; the last one of the file may lack its line feed. */
  chunk: Buffer = none
  /** The place of the chunk in the file. */
  chunkAt: number
  /** The line in the chunk, without its line feed. */
  start = 0
  end = -1
  /** The checksum of all chunks so far. */
  crc32 = 0
  readonly #files: Pick<Files, 'read'>
  readonly #fd: number
  readonly #size: number
  #buffer: Buffer
  /** How much of the buffer is filled; what is behind the chunk was read with it. */
  #filled = 0
  #readBytes = leastBytes

  /** From a line's beginning on, up to a length of the file. */
  constructor(files: Pick<Files, 'read'>, fd: number, size: number, from = 0) {
    this.#files = files
    this.#fd = fd
    this.#size = size
    this.chunkAt = from
    this.#buffer = Buffer.allocUnsafeSlow(leastBytes)
  }

  get position(): number {
    return this.chunkAt + this.start
  }

  get isWhole(): boolean {
    return this.end < this.chunk.length
  }

  /** Moves to the next line, first to the first one; false behind the last. */
  next(): boolean {
    this.start = this.end + 1
    if (this.start >= this.chunk.length && !this.fill()) return false
    const end = this.chunk.indexOf(lineFeed, this.start)
    this.end = end < 0 ? this.chunk.length : end
    return true
  }

  /** Reads the next chunk; false at the end. */
  fill(): boolean {
    // What was read behind the chunk begins the next one.
    const done = this.chunk.length
    this.#buffer.copyWithin(0, done, this.#filled)
    this.#filled -= done
    this.chunkAt += done
    this.start = 0
    this.end = -1
    let length = 0
    while (length === 0 && this.#read()) length = this.#buffer.lastIndexOf(lineFeed, this.#filled - 1) + 1
    this.chunk = this.#buffer.subarray(0, length > 0 ? length : this.#filled)
    this.crc32 = checksumOf(this.chunk, this.crc32)
    return this.chunk.length > 0
  }

  #read(): boolean {
    const at = this.chunkAt + this.#filled
    const wanted = Math.min(this.#size - at, Math.max(this.#readBytes - this.#filled, leastBytes))
    if (wanted <= 0) return false
    if (this.#filled + wanted > this.#buffer.length) {
      const wider = Buffer.allocUnsafeSlow(2 * (this.#filled + wanted))
      this.#buffer.copy(wider, 0, 0, this.#filled)
      this.#buffer = wider
    }
    const got = this.#files.read(this.#fd, this.#buffer, this.#filled, wanted, at)
    this.#filled += got
    this.#readBytes = Math.min(mostBytes, this.#readBytes * 2)
    return got > 0
  }
}
