import {checksumOf, type Line, lineFeed, openLine, suffixLength, writeSuffix} from './record.js'

const firstBytes = 64 << 10
/** A larger buffer is let go of once its lines are written. */
const keptBytes = 1 << 20
/** A character takes three bytes at most. */
const maxBytesPerCharacter = 3

/**
 * Lines of a journal as the bytes that are written: each is encoded once, and its checksum is taken of the bytes. `clear`
 * lets the next lines write over them.
 */
export class LineBuffer {
  #buffer = Buffer.allocUnsafeSlow(firstBytes)
  #length = 0

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
    if (this.#buffer.length > keptBytes) this.#buffer = Buffer.allocUnsafeSlow(firstBytes)
  }

  add(line: Line): void {
    const start = this.#length
    const text = openLine(line)
    this.#reserve(text.length * maxBytesPerCharacter + suffixLength + 1)
    this.#length += this.#buffer.write(text, start)
    const sum = checksumOf(this.#buffer.subarray(start, this.#length))
    const end = writeSuffix(this.#buffer, this.#length, sum)
    this.#buffer[end] = lineFeed
    this.#length = end + 1
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
