import {JsonText, withJsonText} from '../../../domain/json-text.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document} from '../../store.js'
import {documentIn} from '../line/line.js'

/** Where lines of documents are kept. */
export interface Lines {
  /** Unique in this process. */
  readonly serial: number
  /** The number in its name; 0 in memory. */
  readonly number: number
  readonly documents: Documents
  /** The line at a place. Throws StateCorrupt for another one. */
  line(at: number, size: number, crc: number): Buffer
  /** Nobody will ask for the line again. */
  drop(at: number): void
}

/** Where a line is. */
export interface Place {
  readonly file: Lines
  readonly at: number
  readonly size: number
  readonly crc: number
}

interface Kept {
  readonly file: Lines
  readonly at: number
  readonly text: JsonText
  looked?: Document | undefined
  doc?: Document | undefined
}

/** Room for the place of a line in a key of the cache. */
const mostBytes = 2 ** 34

/** Reads documents from their lines, and keeps a bounded number of those that were asked for last. */
export class Documents {
  readonly #cache: Cache<Kept>
  /** The one that was read last: a scan looks at its text before it parses it. */
  #last: Kept | undefined

  /** Bytes of search texts that may still be kept. */
  textRoom: number

  constructor(budgetBytes: number, textRoom: number) {
    this.textRoom = textRoom
    this.#cache = new Cache(budgetBytes)
  }

  /** The JSON of a document that nobody may ask for again. */
  text(place: Place): JsonText {
    return this.#read(place).text
  }

  /** The JSON of a document, which is kept. */
  keptText(place: Place): JsonText {
    return this.#keep(place).text
  }

  /** The document for a look, perhaps not frozen. */
  look(place: Place): Document {
    const kept = this.#read(place)
    kept.looked ??= kept.doc ?? (JSON.parse(kept.text.text) as Document)
    return kept.looked
  }

  isParsed({file, at}: Place): boolean {
    return this.#last?.file === file && this.#last.at === at && this.#last.looked !== undefined
  }

  /** The frozen document, which is kept. */
  doc(place: Place): Document {
    const kept = this.#keep(place)
    kept.doc ??= withJsonText(frozen(kept.looked ?? (JSON.parse(kept.text.text) as Document)), kept.text)
    return kept.doc
  }

  /** Keeps a document that has just been written. */
  add({file, at, size}: Place, text: JsonText): void {
    this.#cache.set(file.serial * mostBytes + at, {file, at, text}, size * 3)
  }

  #read(place: Place): Kept {
    const {file, at, size, crc} = place
    const last = this.#last
    if (last?.file === file && last.at === at) return last
    const kept = this.#cache.get(file.serial * mostBytes + at)
    if (kept) return kept
    this.#last = {file, at, text: JsonText.ofBytes(documentIn(file.line(at, size, crc)))}
    return this.#last
  }

  #keep(place: Place): Kept {
    const key = place.file.serial * mostBytes + place.at
    const present = this.#cache.get(key)
    if (present) return present
    const kept = this.#read(place)
    this.#cache.set(key, kept, place.size * 3)
    return kept
  }
}

interface Cached<V> {
  readonly value: V
  readonly bytes: number
}

/** A cache in two generations: what was used of late, and what was used before, which goes as a whole. */
export class Cache<V> {
  readonly #most: number
  #young = new Map<number, Cached<V>>()
  #old: ReadonlyMap<number, Cached<V>> = new Map()
  #bytes = 0

  constructor(budgetBytes: number) {
    this.#most = budgetBytes / 2
  }

  get(key: number): V | undefined {
    const young = this.#young.get(key)
    if (young) return young.value
    const old = this.#old.get(key)
    if (old) this.#keep(key, old)
    return old?.value
  }

  set(key: number, value: V, bytes: number): void {
    if (bytes <= this.#most) this.#keep(key, {value, bytes})
  }

  #keep(key: number, kept: Cached<V>): void {
    const {bytes} = kept
    this.#bytes += bytes - (this.#young.get(key)?.bytes ?? 0)
    if (this.#bytes > this.#most) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = bytes
    }
    this.#young.set(key, kept)
  }
}
