import type {Yield} from '../../../time-slices.js'
import {checksumOf} from '../format/record.js'

export const pageBytes = 1 << 14

/** The 32-bit checksums of the pages of the content, in order. */
export async function pageSums(content: Uint8Array, yields: Yield): Promise<Buffer> {
  const count = Math.ceil(content.length / pageBytes)
  const sums = Buffer.alloc(count * 4)
  for (let at = 0; at < count; at += 1) {
    sums.writeUInt32LE(checksumOf(content.subarray(at * pageBytes, (at + 1) * pageBytes)), at * 4)
    await yields()
  }
  return sums
}

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

/** Paged content: a page is read and verified at first access, and then cached. */
export class Pages {
  readonly #read: ReadAt
  readonly #path: string
  readonly #length: number
  readonly #sums: Buffer
  readonly #pages: (Buffer | undefined)[] = []

  constructor(read: ReadAt, path: string, length: number, sums: Buffer) {
    this.#read = read
    this.#path = path
    this.#length = length
    this.#sums = sums
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

  #page(position: number): Buffer {
    const at = Math.floor(position / pageBytes)
    const present = this.#pages[at]
    if (present) return present
    const start = at * pageBytes
    const length = Math.min(pageBytes, this.#length - start)
    const page = this.#read(start, length)
    if (page.length !== length || checksumOf(page) !== this.#sums.readUInt32LE(at * 4)) {
      throw new IndexDamaged(this.#path)
    }
    this.#pages[at] = page
    return page
  }
}
