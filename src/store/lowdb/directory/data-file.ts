import {crc32} from 'node:zlib'
import {type BlockingFiles, corrupt, type Files, readAll, readInto} from '../file/files.js'
import type {Literals} from '../line/unparsed.js'
import type {Documents, Lines} from './documents.js'

let serials = 0

/** Reads of lines that follow one another, or nearly so, are made in pieces of this size. */
const aheadBytes = 256 << 10
const nearBytes = 16 << 10

export type OpenFile = Pick<DataFile, 'number' | 'path' | 'fd'>

/** An open file of lines. It is closed when it has been replaced and no scan reads it any more. */
export class DataFile implements Lines {
  readonly serial = ++serials
  readonly number: number
  readonly path: string
  readonly fd: number
  readonly documents: Documents
  readonly #files: Files
  #pins = 0
  #isRetired = false
  #last = -1
  #pieceAt = 0
  #piece: Buffer = Buffer.alloc(0)
  #room: Buffer | undefined
  /** Where the literals of a scan stand next in the piece, from the line that it asked for last: a place for each group. */
  #next: {readonly literals: Literals; readonly places: Float64Array; from: number} | undefined

  constructor(files: Files, {number, path, fd}: OpenFile, documents: Documents) {
    this.#files = files
    this.number = number
    this.path = path
    this.fd = fd
    this.documents = documents
  }

  readonly read = (position: number, length: number): Buffer => readAll(this.#files, this.fd, position, length)

  line(at: number, size: number, crc: number): Buffer {
    const ahead = this.#ahead(at, size)
    if (ahead && crc32(ahead) === crc) return ahead
    const line = this.read(at, size)
    if (line.length < size || crc32(line) !== crc) throw corrupt(`${this.path} is damaged at byte ${at}.`, this.path)
    return line
  }

  /** A scan forwards looks through a piece once for each group, whatever the number of its lines. */
  lacks(at: number, size: number, literals: Literals): boolean {
    if (!this.#ahead(at, size)) return false
    if (this.#next?.literals !== literals || at < this.#next.from)
      this.#next = {literals, places: new Float64Array(literals.length).fill(-1), from: at}
    this.#next.from = at
    const {places} = this.#next
    return literals.some((group, index) => {
      if ((places[index] as number) < at) {
        // Without its first quote, at which a search would stop everywhere.
        const found = group.map((literal) => this.#piece.indexOf(literal.slice(1), at - this.#pieceAt, 'latin1'))
        const first = Math.min(...found.map((one) => (one < 0 ? Number.POSITIVE_INFINITY : one)))
        places[index] = first + this.#pieceAt
      }
      return (places[index] as number) >= at + size
    })
  }

  /** The line in a piece that was read ahead, or is now, if the one before was asked for last. */
  #ahead(at: number, size: number): Buffer | undefined {
    const last = this.#last
    this.#last = at + size
    const start = at - this.#pieceAt
    if (start >= 0 && start + size <= this.#piece.length) return this.#piece.subarray(start, start + size)
    if (at < last || at > last + nearBytes || size > aheadBytes) return undefined
    // One piece is read into the place of the last: what is made of a line is a copy.
    this.#room ??= Buffer.allocUnsafeSlow(aheadBytes)
    this.#piece = readInto(this.#room, aheadBytes, this.#files, this.fd, at)
    this.#pieceAt = at
    this.#next = undefined
    return this.#piece.length < size ? undefined : this.#piece.subarray(0, size)
  }

  pin(): void {
    this.#pins += 1
  }

  unpin(): void {
    this.#pins -= 1
    this.#closeUnused()
  }

  retire(): void {
    if (this.#isRetired) return
    this.#isRetired = true
    this.#closeUnused()
  }

  #closeUnused(): void {
    if (!this.#isRetired || this.#pins > 0) return
    this.#piece = Buffer.alloc(0)
    this.#room = undefined
    this.#next = undefined
    void (this.#files as BlockingFiles).close(this.fd)
  }
}

export class MemoryLines implements Lines {
  readonly serial = ++serials
  readonly number = 0
  readonly documents: Documents
  readonly #lines = new Map<number, Buffer>()
  #next = 0

  constructor(documents: Documents) {
    this.documents = documents
  }

  add(line: Buffer): number {
    this.#lines.set(this.#next, line)
    this.#next += line.length
    return this.#next - line.length
  }

  line(at: number): Buffer {
    return this.#lines.get(at) ?? Buffer.alloc(0)
  }

  drop(at: number): void {
    this.#lines.delete(at)
  }
}
