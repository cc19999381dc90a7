import type {Yield} from '../../../time-slices.js'
import {checksumOf} from '../format/record.js'

export const pageBytes = 1 << 14

/** One checksum for each page of the content, in order, 32 bits each. */
export async function pageSums(content: Uint8Array, yields: Yield): Promise<Buffer> {
  const count = Math.ceil(content.length / pageBytes)
  const sums = Buffer.alloc(count * 4)
  for (let at = 0; at < count; at += 1) {
    sums.writeUInt32LE(checksumOf(content.subarray(at * pageBytes, (at + 1) * pageBytes)), at * 4)
    await yields()
  }
  return sums
}

/** A page of an index is not what was written. The lines of the segment have all it takes to make the index again. */
export class IndexDamaged extends Error {
  override readonly name = 'IndexDamaged'
  /** Of the index. */
  readonly path: string

  constructor(path: string) {
    super(`the index ${path} is damaged`)
    this.path = path
  }
}

/** Reads bytes at a position, fewer only at the end. */
export type ReadAt = (position: number, length: number) => Buffer

/** Content of which only the pages that somebody needs are read, each verified once and then kept. */
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

  /** Throws IndexDamaged unless all pages are what was written. */
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
