import {JsonText, withJsonText} from '../../../domain/json-text.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document, UniqueKey} from '../../store.js'
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

/** A document as it was read: its text, and what was made of it. */
class Kept {
  readonly file: Lines
  readonly at: number
  readonly text: JsonText
  #parsed: Document | undefined
  #doc: Document | undefined

  constructor({file, at}: Pick<Place, 'file' | 'at'>, text: JsonText) {
    this.file = file
    this.at = at
    this.text = text
  }

  get isParsed(): boolean {
    return this.#parsed !== undefined
  }

  /** The document for a look, perhaps not frozen. */
  get parsed(): Document {
    this.#parsed ??= JSON.parse(this.text.text) as Document
    return this.#parsed
  }

  /** The frozen document. */
  get doc(): Document {
    this.#doc ??= withJsonText(frozen(this.parsed), this.text)
    return this.#doc
  }
}

/** Room for the place of a line in a key of the cache. */
const mostBytes = 2 ** 34

const keyOf = ({file, at}: Place): number => file.serial * mostBytes + at

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

  /** A document that nobody may ask for again. */
  read(place: Place): Kept {
    const {file, at, size, crc} = place
    if (this.#last?.file === file && this.#last.at === at) return this.#last
    const kept = this.#cache.get(keyOf(place))
    if (kept) return kept
    this.#last = new Kept(place, JsonText.ofBytes(documentIn(file.line(at, size, crc))))
    return this.#last
  }

  /** A document that is kept. */
  keep(place: Place): Kept {
    const present = this.#cache.get(keyOf(place))
    if (present) return present
    const kept = this.read(place)
    this.#cache.set(keyOf(place), kept, place.size * 3)
    return kept
  }

  /** Keeps a document that has just been written. */
  add(place: Place, text: JsonText): void {
    this.#cache.set(keyOf(place), new Kept(place, text), place.size * 3)
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

/** What the directory holds of a document beside its id, version and place. */
export interface Head {
  readonly uniqueKeys: readonly UniqueKey[]
  /** The values of the kind's facets, in their order. */
  readonly facets: readonly (string | null)[]
}

export const noHead: Head = {uniqueKeys: [], facets: []}

/** A document in the directory; one with the version 0 was removed. */
export class Entry implements Place {
  readonly id: string
  readonly version: number
  #head: Head | (() => Head)
  readonly file: Lines
  readonly at: number
  readonly size: number
  readonly crc: number

  constructor(id: string, version: number, head: Head | (() => Head), place: Place) {
    this.id = id
    this.version = version
    this.#head = head
    this.file = place.file
    this.at = place.at
    this.size = place.size
    this.crc = place.crc
  }

  get head(): Head {
    if (typeof this.#head === 'function') this.#head = this.#head()
    return this.#head
  }

  get uniqueKeys(): readonly UniqueKey[] {
    return this.head.uniqueKeys
  }

  get facets(): readonly (string | null)[] {
    return this.head.facets
  }

  movedTo(file: Lines, at: number): Entry {
    return new Entry(this.id, this.version, this.#head, {file, at, size: this.size, crc: this.crc})
  }

  /** The document for a look, and its text. */
  read() {
    return this.file.documents.read(this)
  }

  /** As `read`, for a reply: kept for the next one. */
  keep() {
    return this.file.documents.keep(this)
  }

  get doc(): Document {
    return this.keep().doc
  }
}

/** Whether a document holds a unique key alone. */
export const isExclusive = ({uniqueKeys}: Head, key: string): boolean =>
  uniqueKeys.some((uniqueKey) => uniqueKey.key === key && !uniqueKey.shared)

/** What a reading hands out of an entry that it found. */
export type Shown<T> = (found: Entry) => T

export const asDocument: Shown<Document> = ({doc}) => doc

export const asText: Shown<JsonText> = (found) => found.keep().text
