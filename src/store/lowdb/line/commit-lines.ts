import {closeLine, suffixLength} from '../file/checksum.js'
import type {Entry} from './entry.js'
import {openClosing} from './replay.js'

const firstBytes = 64 << 10
/** A larger buffer is let go of once its lines are written. */
const keptBytes = 1 << 20

/** The lines of commits as the bytes that are written. `clear` lets the next ones write over them. */
export class CommitLines {
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

  /** Adds the lines of a commit and the one that closes it. */
  add(sequence: number, durable: number, entries: readonly Entry[]): void {
    for (const {line} of entries) this.#add(line)
    this.#add(openClosing({sequence, durable, count: entries.length}))
  }

  /** A line has a character for each byte. */
  #add(line: string): void {
    const end = this.#length + line.length
    this.#reserve(end + suffixLength + 1)
    this.#buffer.write(line, this.#length, 'latin1')
    this.#length = closeLine(this.#buffer, this.#length, end)
  }

  #reserve(needed: number): void {
    if (needed <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2))
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
  }
}
