import {checksumOf} from '../file/checksum.js'
import {corrupt} from '../file/failures.js'

/** A power of two: the number of a page is that of a byte without its lowest bits. */
const pageBits = 14
export const pageBytes = 1 << pageBits
/** Pages that are allocated at once: one by one they would leave holes in the heap of the C library. */
const slabPages = 64
/** Pages that a pass over the content reads at once. */
export const chunkBytes = 8 * pageBytes

/** The bytes of pages that the indexes of a folder keep together. Over the budget all of them go, and others take their room. */
export class PageBudget {
  readonly #mostPages: number
  readonly #keepers = new Set<Pages>()
  readonly #slabs: Buffer[] = []
  #taken = 0

  constructor(budgetBytes: number) {
    this.#mostPages = Math.max(1, Math.floor(budgetBytes / pageBytes))
  }

  take(keeper: Pages): Buffer {
    if (this.#taken === this.#mostPages) {
      for (const each of this.#keepers) each.forget()
      this.#keepers.clear()
      this.#taken = 0
    }
    this.#keepers.add(keeper)
    const at = this.#taken
    this.#taken += 1
    this.#slabs[Math.floor(at / slabPages)] ??= Buffer.allocUnsafeSlow(slabPages * pageBytes)
    const start = (at % slabPages) * pageBytes
    return (this.#slabs[Math.floor(at / slabPages)] as Buffer).subarray(start, start + pageBytes)
  }
}

/** Reads bytes at a position, fewer only at the end; into the target if there is one and they are not in memory. */
export type ReadAt = (position: number, length: number, target?: Buffer) => Buffer

export interface PageUpkeep {
  /** Without one all pages stay. */
  readonly budget?: PageBudget | undefined
  /** Makes damaged content anew; without it, damage throws StateCorrupt. */
  readonly mend?: (() => ReadAt) | undefined
}

/** Paged content: a page is read and verified at first access, and then kept as long as the budget allows. */
export class Pages {
  #read: ReadAt
  readonly #path: string
  readonly #length: number
  readonly #sums: Buffer
  readonly #budget: PageBudget | undefined
  #mend: PageUpkeep['mend']
  /** Views: a number is read from one in a single step, and look-ups read many. */
  #pages: (DataView | undefined)[] = []

  constructor(read: ReadAt, path: string, length: number, sums: Buffer, {budget, mend}: PageUpkeep = {}) {
    this.#read = read
    this.#path = path
    this.#length = length
    this.#sums = sums
    this.#budget = budget
    this.#mend = mend
    this.forget()
  }

  uint32(position: number): number {
    return this.#page(position).getUint32(position & (pageBytes - 1), true)
  }

  /** `position` must be a multiple of eight. */
  double(position: number): number {
    return this.#page(position).getFloat64(position & (pageBytes - 1), true)
  }

  verify(): void {
    for (let position = 0; position < this.#length; position += pageBytes) this.#page(position)
  }

  /** Verified content from a position on, up to the end of a chunk of pages: for passes over all of it. */
  chunk(position: number, target: Buffer): Buffer {
    const first = position >>> pageBits
    return this.#verified(first, chunkBytes / pageBytes, target).subarray(position - first * pageBytes)
  }

  forget(): void {
    // With room for all: an array that grows by a page far behind its end is a slow one.
    this.#pages = new Array<DataView | undefined>(Math.ceil(this.#length / pageBytes))
  }

  #page(position: number): DataView {
    const at = position >>> pageBits
    return this.#pages[at] ?? this.#keep(at)
  }

  #keep(at: number): DataView {
    const {buffer, byteOffset, length} = this.#verified(at, 1, this.#budget?.take(this))
    const page = new DataView(buffer, byteOffset, length)
    this.#pages[at] = page
    return page
  }

  #verified(first: number, count: number, target?: Buffer): Buffer {
    const length = Math.min(count * pageBytes, this.#length - first * pageBytes)
    const content = this.#read(first * pageBytes, length, target)
    if (content.length === length && this.#isSound(content, first)) return content
    if (!this.#mend) throw corrupt(`The index ${this.#path} is damaged.`, this.#path)
    this.#read = this.#mend()
    this.#mend = undefined
    return this.#verified(first, count, target)
  }

  #isSound(content: Buffer, first: number): boolean {
    for (let at = 0; at * pageBytes < content.length; at += 1) {
      const page = content.subarray(at * pageBytes, (at + 1) * pageBytes)
      if (checksumOf(page) !== this.#sums.readUInt32LE((first + at) * 4)) return false
    }
    return true
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
