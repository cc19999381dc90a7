import {checksumOf} from '../file/checksum.js'
import {type PageBudget, pageBits, pageBytes} from './page-budget.js'

/** Pages that a pass over the content reads at once. */
const windowPages = 8

/** The checksum of an index page does not match. The index can be rebuilt from the lines of the segment. */
export class IndexDamaged extends Error {
  override readonly name = 'IndexDamaged'
  /** Path of the index. */
  readonly path: string

  constructor(path: string) {
    super(`the index ${path} is damaged`)
    this.path = path
  }
}

/** Reads bytes at a position, fewer only at the end; into the target if there is one and they are not in memory. */
export type ReadAt = (position: number, length: number, target?: Buffer) => Buffer

/** Paged content: a page is read and verified at first access, and then kept as long as the budget allows. */
export class Pages {
  readonly #read: ReadAt
  readonly #path: string
  readonly #length: number
  readonly #sums: Buffer
  readonly #budget: PageBudget | undefined
  #pages: (Buffer | undefined)[] = []

  /** Without a budget all pages stay. */
  constructor(read: ReadAt, path: string, length: number, sums: Buffer, budget?: PageBudget) {
    this.#read = read
    this.#path = path
    this.#length = length
    this.#sums = sums
    this.#budget = budget
    this.forget()
  }

  /** `position` must be aligned to its four bytes. */
  uint32(position: number): number {
    return this.#page(position).readUInt32LE(position & (pageBytes - 1))
  }

  /** `position` must be aligned to its eight bytes. */
  double(position: number): number {
    return this.#page(position).readDoubleLE(position & (pageBytes - 1))
  }

  /** Verifies the checksums of all pages. Throws IndexDamaged. */
  verify(): void {
    for (let position = 0; position < this.#length; position += pageBytes) this.#page(position)
  }

  /** Verified content from a position on, up to the end of a window of pages: for passes over all of it. */
  window(position: number): Buffer {
    const first = Math.floor(position / pageBytes)
    const content = this.#verified(first, windowPages, Buffer.allocUnsafeSlow(windowPages * pageBytes))
    return content.subarray(position - first * pageBytes)
  }

  /** Gives all pages back. */
  forget(): void {
    for (const page of this.#pages) if (page) this.#budget?.give(page)
    // With room for all: an array that grows by a page far behind its end is a slow one.
    this.#pages = new Array<Buffer | undefined>(Math.ceil(this.#length / pageBytes))
  }

  #page(position: number): Buffer {
    const at = position >>> pageBits
    return this.#pages[at] ?? this.#keep(at)
  }

  #keep(at: number): Buffer {
    const target = this.#budget?.take(this) ?? Buffer.allocUnsafeSlow(pageBytes)
    try {
      this.#verified(at, 1, target)
    } catch (error) {
      this.#budget?.give(target)
      throw error
    }
    this.#pages[at] = target
    return target
  }

  /** Reads pages into the target, which has their content also if it lay in memory. Throws IndexDamaged. */
  #verified(first: number, count: number, target: Buffer): Buffer {
    const length = Math.min(count * pageBytes, this.#length - first * pageBytes)
    const content = this.#read(first * pageBytes, length, target)
    if (content.length !== length) throw new IndexDamaged(this.#path)
    if (content.buffer !== target.buffer) content.copy(target)
    for (let at = 0; at * pageBytes < length; at += 1) {
      const page = target.subarray(at * pageBytes, Math.min(length, (at + 1) * pageBytes))
      if (checksumOf(page) !== this.#sums.readUInt32LE((first + at) * 4)) throw new IndexDamaged(this.#path)
    }
    return target.subarray(0, length)
  }
}

/** The 32-bit checksums of pages of content that comes in pieces. */
export class PageSums {
  readonly #sums: number[] = []
  #sum = 0
  #filled = 0

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + pageBytes - this.#filled)
      this.#sum = checksumOf(piece, this.#sum)
      this.#filled += piece.length
      at += piece.length
      if (this.#filled === pageBytes) this.#close()
    }
  }

  /** The sums of all pages, the last one of which may be shorter. */
  finish(): Buffer {
    if (this.#filled > 0) this.#close()
    const sums = Buffer.alloc(this.#sums.length * 4)
    for (const [at, sum] of this.#sums.entries()) sums.writeUInt32LE(sum, at * 4)
    return sums
  }

  #close(): void {
    this.#sums.push(this.#sum)
    this.#sum = 0
    this.#filled = 0
  }
}
