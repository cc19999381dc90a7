import {checksumOf, lineFeed} from './checksum.js'
import type {Files} from './files.js'

const [leastBytes, mostBytes] = [32 << 10, 256 << 10]
const none = Buffer.alloc(0)

/** Reads a file line by line, in chunks of whole lines; each chunk overwrites the one before. */
export class LineReader {
  /** Whole lines; the last one of the file may lack its line feed. */
  window: Buffer = none
  /** The place of the window in the file. */
  windowAt: number
  /** The line in the window, without its line feed. */
  start = 0
  end = -1
  /** The checksum of all windows so far. */
  crc32 = 0
  readonly #files: Pick<Files, 'read'>
  readonly #fd: number
  readonly #size: number
  #buffer: Buffer
  /** How much of the buffer is filled; what is behind the window was read with it. */
  #filled = 0
  #readBytes = leastBytes

  /** From a line's beginning on, up to a length of the file. */
  constructor(files: Pick<Files, 'read'>, fd: number, size: number, from = 0) {
    this.#files = files
    this.#fd = fd
    this.#size = size
    this.windowAt = from
    this.#buffer = Buffer.allocUnsafeSlow(leastBytes)
  }

  get position(): number {
    return this.windowAt + this.start
  }

  get isWhole(): boolean {
    return this.end < this.window.length
  }

  /** Moves to the next line, first to the first one; false behind the last. */
  next(): boolean {
    this.start = this.end + 1
    if (this.start >= this.window.length && !this.fill()) return false
    const end = this.window.indexOf(lineFeed, this.start)
    this.end = end < 0 ? this.window.length : end
    return true
  }

  /** Reads the next window; false at the end. */
  fill(): boolean {
    // What was read behind the window begins the next one.
    const done = this.window.length
    this.#buffer.copyWithin(0, done, this.#filled)
    this.#filled -= done
    this.windowAt += done
    this.start = 0
    this.end = -1
    let length = 0
    while (length === 0 && this.#read()) length = this.#buffer.lastIndexOf(lineFeed, this.#filled - 1) + 1
    this.window = this.#buffer.subarray(0, length > 0 ? length : this.#filled)
    this.crc32 = checksumOf(this.window, this.crc32)
    return this.window.length > 0
  }

  #read(): boolean {
    const at = this.windowAt + this.#filled
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
