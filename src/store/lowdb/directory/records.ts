import {type KeyText, keyIn, keyOf} from '../line/line.js'
import {Entry, type Head, type Lines, noHead} from './documents.js'

/** 32-bit numbers of a record: of its line, its version, and where its id and its head are in the texts. */
const words = 8
export const recordBytes = words * 4
const [sizeWord, fileWord, crcWord, versionWord, idWord, headWord] = [0, 1, 2, 3, 4, 6]

export interface RecordParts {
  readonly numbers: Uint32Array
  readonly places: Float64Array
  readonly texts: Buffer
}

/** A power of two. */
const recentRoom = 4_096

const roomFor = (length: number): number => Math.ceil(length * 1.125)

/** What the directory holds of each document, packed: objects and texts of their own would take several times the memory. */
export class Records {
  #numbers: Uint32Array
  #places: Float64Array
  #texts: Buffer
  size: number
  #bytes: number
  /** Entries that were set last, each in the one place for its record, which spares reading what a record has of them. */
  readonly #recent: Entry[] = []
  readonly #recentRecords = new Int32Array(recentRoom).fill(-1)

  constructor(parts?: RecordParts) {
    this.#numbers = parts?.numbers ?? new Uint32Array(0)
    this.#places = parts?.places ?? new Float64Array(0)
    this.#texts = parts?.texts ?? Buffer.alloc(0)
    this.size = this.#places.length
    this.#bytes = this.#texts.length
  }

  /** What a hint needs: of what changes from here on, some may be in it. */
  parts(): RecordParts {
    return {
      numbers: this.#numbers.subarray(0, this.size * words),
      places: this.#places.subarray(0, this.size),
      texts: this.#texts.subarray(0, this.#bytes),
    }
  }

  add(id: string): number {
    if (this.size === this.#places.length) {
      const places = new Float64Array(roomFor(this.size + 8))
      places.set(this.#places)
      const numbers = new Uint32Array(places.length * words)
      numbers.set(this.#numbers)
      this.#places = places
      this.#numbers = numbers
    }
    this.#write(this.size, idWord, id)
    this.size += 1
    return this.size - 1
  }

  /** Takes over what an entry says; whether its head is another one. A removed document keeps the one that it had. */
  set(record: number, entry: Entry): boolean {
    const {place, version, head} = entry
    const [numbers, first] = [this.#numbers, record * words]
    this.#places[record] = place.at
    numbers[first + sizeWord] = place.size
    numbers[first + fileWord] = place.file.number
    numbers[first + crcWord] = place.crc
    numbers[first + versionWord] = version
    this.#recent[record % recentRoom] = entry
    this.#recentRecords[record % recentRoom] = record
    if (version === 0) return false
    const text = JSON.stringify([head.uniqueKeys.map(keyIn), head.facets])
    const [start, length] = [numbers[first + headWord] as number, numbers[first + headWord + 1] as number]
    if (length > 0 && text === this.#text(start, length)) return false
    this.#write(record, headWord, text)
    return true
  }

  /** 0 of a removed document. */
  version(record: number): number {
    return this.#number(record, versionWord)
  }

  lineSize(record: number): number {
    return this.#number(record, sizeWord)
  }

  place(record: number): number {
    return this.#places[record] as number
  }

  file(record: number): number {
    return this.#number(record, fileWord)
  }

  id(record: number): string {
    return this.#text(this.#number(record, idWord), this.#number(record, idWord + 1))
  }

  entry(record: number, file: Lines): Entry {
    if (this.#recentRecords[record % recentRoom] === record) return this.#recent[record % recentRoom] as Entry
    // Texts stay where they are, and few ask for the id or the head.
    const [start, length] = [this.#number(record, headWord), this.#number(record, headWord + 1)]
    const place = {file, at: this.place(record), size: this.lineSize(record), crc: this.#number(record, crcWord)}
    return new Entry(
      () => this.id(record),
      this.version(record),
      () => headIn(this.#text(start, length)),
      place,
    )
  }

  /** Below zero if a record has the lower id: text in UTF-8 is in the order of its code points. */
  compare(record: number, id: Uint8Array | number): number {
    const [texts, start, length] = [this.#texts, this.#number(record, idWord), this.#number(record, idWord + 1)]
    const isRecord = typeof id === 'number'
    const other = isRecord ? texts : id
    const from = isRecord ? this.#number(id, idWord) : 0
    const end = isRecord ? this.#number(id, idWord + 1) : id.length
    // Ids mostly differ at once: a call of the buffer's own takes three times as long.
    for (let at = 0; at < length && at < end; at += 1) {
      const difference = (texts[start + at] as number) - (other[from + at] as number)
      if (difference !== 0) return difference
    }
    return length - end
  }

  #number(record: number, word: number): number {
    return this.#numbers[record * words + word] as number
  }

  #text(start: number, length: number): string {
    return this.#texts.toString('utf8', start, start + length)
  }

  #write(record: number, word: number, text: string): void {
    const length = Buffer.byteLength(text)
    if (this.#bytes + length > this.#texts.length) {
      const texts = Buffer.allocUnsafeSlow(roomFor(this.#bytes + length + 1_024))
      this.#texts.copy(texts, 0, 0, this.#bytes)
      this.#texts = texts
    }
    this.#texts.write(text, this.#bytes)
    this.#numbers[record * words + word] = this.#bytes
    this.#numbers[record * words + word + 1] = length
    this.#bytes += length
  }
}

function headIn(text: string): Head {
  if (text === '') return noHead
  const [keys, facets] = JSON.parse(text) as [KeyText[], (string | null)[]]
  return {uniqueKeys: keys.map(keyOf), facets}
}
