import {endianness} from 'node:os'
import {checksumOf} from '../format/record.js'
import {BufferPool} from './buffer-pool.js'
import {type PageBudget, pageBytes} from './page-budget.js'

const isLittleEndian = endianness() === 'LE'

/** Pages that a pass over the content reads at once. */
const windowPages = 8
const windows = new BufferPool(windowPages * pageBytes)

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
  #young: (Buffer | undefined)[]
  #old: (Buffer | undefined)[] = []

  /** Without a budget all pages stay. */
  constructor(read: ReadAt, path: string, length: number, sums: Buffer, budget?: PageBudget) {
    this.#read = read
    this.#path = path
    this.#length = length
    this.#sums = sums
    this.#budget = budget
    this.#young = this.#none()
  }

  /** `position` must be aligned to its four bytes. */
  uint32(position: number): number {
    return this.#page(position).readUInt32LE(position % pageBytes)
  }

  /** `position` must be aligned to its eight bytes. */
  double(position: number): number {
    return this.#page(position).readDoubleLE(position % pageBytes)
  }

  /** Verifies the checksums of all pages. Throws IndexDamaged. */
  verify(): void {
    for (let position = 0; position < this.#length; position += pageBytes) this.#page(position)
  }

  /**
   * Verified content from a position on, up to the end of a window of pages, which is the target. Not cached: for passes
   * over all of it.
   */
  window(position: number, target: Buffer): Buffer {
    const first = Math.floor(position / pageBytes)
    const start = first * pageBytes
    const content = this.#readInto(target, start, windowPages * pageBytes)
    for (let at = 0; at * pageBytes < content.length; at += 1) {
      this.#assertSum(first + at, content.subarray(at * pageBytes, (at + 1) * pageBytes))
    }
    if (position >= start + content.length) throw new IndexDamaged(this.#path)
    return content.subarray(position - start)
  }

  #page(position: number): Buffer {
    const at = Math.floor(position / pageBytes)
    const young = this.#young[at]
    if (young) return young
    const old = this.#old[at]
    // No longer an old one: the budget may give back all of those now.
    if (old) this.#old[at] = undefined
    const page = old ?? this.#readPage(at)
    this.#budget?.add(this)
    this.#young[at] = page
    return page
  }

  /** Forgets the pages that nobody asked for since it was called the last time. */
  age(): void {
    for (const page of this.#old) if (page) this.#budget?.pool.give(page)
    this.#old = this.#young
    this.#young = this.#none()
  }

  /** With room for all: an array that grows by a page far behind its end is a slow one. */
  #none(): (Buffer | undefined)[] {
    return new Array<Buffer | undefined>(Math.ceil(this.#length / pageBytes))
  }

  #readPage(at: number): Buffer {
    const start = at * pageBytes
    const pool = this.#budget?.pool
    const target = pool?.take()
    try {
      const page = target
        ? this.#readInto(target, start, pageBytes)
        : this.#read(start, this.#lengthFrom(start, pageBytes))
      this.#assertSum(at, page)
      return target ?? page
    } catch (error) {
      if (target) pool?.give(target)
      throw error
    }
  }

  /** A copy of what is in memory too: the target belongs to its reader. */
  #readInto(target: Buffer, start: number, most: number): Buffer {
    const content = this.#read(start, this.#lengthFrom(start, most), target)
    if (content.buffer !== target.buffer) content.copy(target)
    return target.subarray(0, content.length)
  }

  #lengthFrom(start: number, most: number): number {
    return Math.min(most, this.#length - start)
  }

  #assertSum(at: number, page: Buffer): void {
    const length = this.#lengthFrom(at * pageBytes, pageBytes)
    if (page.length !== length || checksumOf(page) !== this.#sums.readUInt32LE(at * 4)) {
      throw new IndexDamaged(this.#path)
    }
  }
}

const none = Buffer.alloc(0)

/** The cells of eight bytes of a range of verified content, one after the other. */
export class Cells {
  readonly count: number
  readonly #pages: Pages
  readonly #end: number
  #position: number
  #window: DataView = new DataView(new ArrayBuffer(0))
  /** Given back at the end. */
  #target: Buffer | undefined
  #at = 0

  constructor(pages: Pages, start: number, count: number) {
    this.count = count
    this.#pages = pages
    this.#position = start
    this.#end = start + count * 8
  }

  /** Moves to the next cell, first to the first one; false behind the last. Throws IndexDamaged. */
  next(): boolean {
    this.#at += 8
    if (this.#at < this.#window.byteLength) return true
    const content = this.#next()
    if (content.length === 0) return false
    this.#window = new DataView(content.buffer, content.byteOffset, content.length)
    this.#at = 0
    return true
  }

  get double(): number {
    return this.#window.getFloat64(this.#at, true)
  }

  /** A window of cells that have not been passed, as words, until the next one is asked for; empty at the end. */
  block(): Uint32Array {
    const bytes = this.#next()
    if (!isLittleEndian) bytes.swap32()
    // Cells lie at multiples of their length.
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  }

  /** The next window, in place of the last one; empty at the end. Throws IndexDamaged. */
  #next(): Buffer {
    if (this.#position >= this.#end) {
      if (this.#target) windows.give(this.#target)
      this.#target = undefined
      return none
    }
    this.#target ??= windows.take()
    const bytes = this.#pages.window(this.#position, this.#target)
    const length = Math.min(bytes.length, this.#end - this.#position)
    this.#position += length
    return bytes.subarray(0, length)
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
