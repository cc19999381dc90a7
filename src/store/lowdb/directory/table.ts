import {randomInt} from 'node:crypto'
import {uniqueKeyOf} from '../line/line.js'
import type {Lines, Place} from './documents.js'
import {Entry, type Head} from './entry.js'

/*
 * The directory of one kind in the form in which a hint has it: records of fixed length in the order of ids, the ids and
 * heads behind one another, and an index of unique keys and one of each facet. It is searched where it lies.
 */

/** 32-bit words of a record: place (a 64-bit float), size, number of the file, version, start of the id, its length, CRC-32 of the line. */
export const words = 8
export const [sizeWord, fileWord, versionWord, startWord, idWord, crcWord] = [2, 3, 4, 5, 6, 7]

/** An index is a list of numbers in order: a hash, and the record that has such a value. */
export const mostRecords = 2 ** 26

/** The parts of a table, as they stand in a hint. */
export interface Parts {
  readonly records: Uint32Array
  readonly heads: Buffer
  /** That of unique keys, those of facets, and that of places, which has the order of the files in place of hashes. */
  readonly indexes: readonly Float64Array[]
  readonly seed: number
}

export const floats = ({buffer, byteOffset, length}: Uint32Array): Float64Array =>
  new Float64Array(buffer, byteOffset, length / 2)

/** Which file has a number. */
export type FileOf = (number: number) => Lines

export class Table {
  readonly size: number
  readonly parts: Parts
  /** Bytes of the lines of its documents. */
  readonly liveBytes: number
  readonly #fileOf: FileOf
  readonly #places: Float64Array

  constructor(parts: Parts, fileOf: FileOf, liveBytes: number) {
    this.parts = parts
    this.liveBytes = liveBytes
    // The last record only tells where the heads end.
    this.size = parts.records.length / words - 1
    this.#places = floats(parts.records)
    this.#fileOf = fileOf
  }

  word(record: number, word: number): number {
    return this.parts.records[record * words + word] as number
  }

  idOf(record: number): string {
    const start = this.word(record, startWord)
    return this.parts.heads.toString('utf8', start, start + this.word(record, idWord))
  }

  entry(record: number): Entry {
    const place: Place = {
      file: this.#fileOf(this.word(record, fileWord)),
      at: this.#places[record * (words / 2)] as number,
      size: this.word(record, sizeWord),
      crc: this.word(record, crcWord),
    }
    return new Entry(this.idOf(record), this.word(record, versionWord), () => this.headOf(record), place)
  }

  headOf(record: number): Head {
    const start = this.word(record, startWord) + this.word(record, idWord)
    const end = this.word(record + 1, startWord)
    const [keys, facets] = JSON.parse(this.parts.heads.toString('utf8', start, end)) as [string[], (string | null)[]]
    return {uniqueKeys: keys.map(uniqueKeyOf), facets}
  }

  /** The first record whose id is not below; text in UTF-8 is in the order of its code points. */
  from(id: string): number {
    const {heads} = this.parts
    const wanted = Buffer.from(id)
    let [low, high] = [0, this.size]
    while (low < high) {
      const middle = (low + high) >>> 1
      const start = this.word(middle, startWord)
      if (heads.compare(wanted, 0, wanted.length, start, start + this.word(middle, idWord)) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The record of an id; -1 without one. */
  find(id: string): number {
    const record = this.from(id)
    return record < this.size && this.idOf(record) === id ? record : -1
  }

  /** The records in the order in which their lines stand in files, nearly. */
  get inFileOrder(): Float64Array {
    return this.parts.indexes.at(-1) ?? none
  }

  /** The records that may have a value, ascending: in the index of unique keys (0) or of a facet. */
  having(index: number, value: string): Float64Array {
    const numbers = this.parts.indexes[index] ?? none
    const first = keyHash(value, this.parts.seed) * mostRecords
    return numbers.subarray(firstFrom(numbers, first), firstFrom(numbers, first + mostRecords))
  }
}

/** Records in this many bytes of a file are in any order in the index of places. */
const nearBytes = 1_024

export const placeNumber = (at: number, record: number): number => Math.floor(at / nearBytes) * mostRecords + record

export const none = new Float64Array(0)

export const recordOf = (numberOfIndex: number): number => numberOfIndex % mostRecords

function firstFrom(numbers: Float64Array, least: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** A seed for the hashes of a table. Random, so that nobody can choose keys that collide. */
export const newSeed = (): number => randomInt(2 ** 32 - 1)

/** A hash of a text, of 27 bits. Not cryptographic: matches are compared with the text itself. */
export function keyHash(text: string, seed: number): number {
  let hash = seed ^ text.length
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35)
  return (hash ^ (hash >>> 13)) >>> 5
}
