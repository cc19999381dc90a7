import {endianness} from 'node:os'
import {checksumOf} from '../format/record.js'
import type {PageBudget} from './page-budget.js'

export const pageBytes = 1 << 14
const isLittleEndian = endianness() === 'LE'

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

/** Reads bytes at a position, fewer only at the end. */
export type ReadAt = (position: number, length: number) => Buffer

/** Paged content: a page is read and verified at first access, and then kept as long as the budget allows. */
export class Pages {
  readonly #read: ReadAt
  readonly #path: string
  readonly #length: number
  readonly #sums: Buffer
  readonly #budget: PageBudget | undefined
  #young: (Buffer | undefined)[]
  #old: readonly (Buffer | undefined)[] = []

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

  /** Verified content from a position on, up to the end of a window of pages. Not cached: for passes over all of it. */
  window(position: number): Buffer {
    const first = Math.floor(position / pageBytes)
    const start = first * pageBytes
    const content = this.#read(start, Math.min(windowPages * pageBytes, this.#length - start))
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
    const page = this.#old[at] ?? this.#readPage(at)
    this.#budget?.add(this, page.length)
    this.#young[at] = page
    return page
  }

  /** Forgets the pages that nobody asked for since it was called the last time. */
  age(): void {
    this.#old = this.#young
    this.#young = this.#none()
  }

  /** With room for all: an array that grows by a page far behind its end is a slow one. */
  #none(): (Buffer | undefined)[] {
    return new Array<Buffer | undefined>(Math.ceil(this.#length / pageBytes))
  }

  #readPage(at: number): Buffer {
    const start = at * pageBytes
    const page = this.#read(start, Math.min(pageBytes, this.#length - start))
    this.#assertSum(at, page)
    return page
  }

  #assertSum(at: number, page: Buffer): void {
    const length = Math.min(pageBytes, this.#length - at * pageBytes)
    if (page.length !== length || checksumOf(page) !== this.#sums.readUInt32LE(at * 4)) {
      throw new IndexDamaged(this.#path)
    }
  }
}

/** The cells of eight bytes of a range of verified content, one after the other. */
export class Cells {
  readonly count: number
  readonly #pages: Pages
  readonly #end: number
  #position: number
  #window: DataView = new DataView(new ArrayBuffer(0))
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
    if (this.#position >= this.#end) return false
    const content = this.#pages.window(this.#position)
    const length = Math.min(content.length, this.#end - this.#position)
    this.#window = new DataView(content.buffer, content.byteOffset, length)
    this.#position += length
    this.#at = 0
    return true
  }

  get double(): number {
    return this.#window.getFloat64(this.#at, true)
  }

  /** A window of cells that have not been passed, as words; empty at the end. Throws IndexDamaged. */
  block(): Uint32Array {
    if (this.#position >= this.#end) return new Uint32Array(0)
    const bytes = this.#pages.window(this.#position)
    const length = Math.min(bytes.length, this.#end - this.#position)
    this.#position += length
    if (!isLittleEndian) bytes.swap32()
    // Pages are read to buffers of their own, and cells lie at multiples of their length.
    return new Uint32Array(bytes.buffer, bytes.byteOffset, length / 4)
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
