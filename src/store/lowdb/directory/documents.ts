import {JsonText, withJsonText} from '../../../domain/json-text.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document, UniqueKey} from '../../store.js'
import {documentIn} from '../line/line.js'
import type {Literals} from '../line/unparsed.js'

export interface Lines {
  readonly serial: number
  /** The number in its name; 0 in memory. */
  readonly number: number
  readonly documents: Documents
  /** The line at a place. Throws StateCorrupt for another one. */
  line(at: number, size: number, crc: number): Buffer
  /** Whether it is at hand that the line has none of one group of literals, without a look at the line itself. */
  lacks?(at: number, size: number, literals: Literals): boolean
  /** Nobody will ask for the line again. */
  drop?(at: number): void
}

export interface Place {
  readonly file: Lines
  readonly at: number
  readonly size: number
  readonly crc: number
}

/** A document as it was read: its text, and what was made of it. */
class Kept {
  readonly text: JsonText
  readonly bytes: number
  #parsed: Document | undefined
  #doc: Document | undefined

  constructor(text: JsonText, bytes: number) {
    this.text = text
    this.bytes = bytes
  }

  get isParsed(): boolean {
    return this.#parsed !== undefined
  }

  /** The document for a look, perhaps not frozen. */
  get parsed(): Document {
    this.#parsed ??= JSON.parse(this.text.text) as Document
    return this.#parsed
  }

  get doc(): Document {
    this.#doc ??= withJsonText(frozen(this.parsed), this.text)
    return this.#doc
  }
}

/** Room for the place of a line in a key of the cache. */
const mostBytes = 2 ** 34

const keyOf = ({file, at}: Place): number => file.serial * mostBytes + at

/**
 * Reads documents from their lines, and keeps a bounded number in two generations: those that were asked for of late, and
 * those before, which go as a whole.
 */
export class Documents {
  readonly #most: number
  #young = new Map<number, Kept>()
  #old: ReadonlyMap<number, Kept> = new Map()
  #bytes = 0
  /** The one that was read last: a scan looks at its text before it parses it. */
  #last: Kept | undefined
  #lastKey = -1
  /** Bytes of search texts that may still be kept. */
  textRoom: number

  constructor(budgetBytes: number, textRoom: number) {
    this.#most = budgetBytes / 2
    this.textRoom = textRoom
  }

  /** A document that nobody may ask for again. */
  read(place: Place): Kept {
    const key = keyOf(place)
    if (this.#last && this.#lastKey === key) return this.#last
    const present = this.#young.get(key) ?? this.#old.get(key)
    if (present) return present
    const {file, at, size, crc} = place
    this.#last = new Kept(JsonText.ofBytes(documentIn(file.line(at, size, crc))), size * 3)
    this.#lastKey = key
    return this.#last
  }

  keep(place: Place): Kept {
    const key = keyOf(place)
    const present = this.#young.get(key)
    if (present) return present
    const kept = this.read(place)
    this.#add(key, kept)
    return kept
  }

  add(place: Place, text: JsonText): void {
    this.#add(keyOf(place), new Kept(text, place.size * 3))
  }

  #add(key: number, kept: Kept): void {
    if (kept.bytes > this.#most) return
    this.#bytes += kept.bytes
    if (this.#bytes > this.#most) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = kept.bytes
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
export class Entry {
  readonly version: number
  #id: string | (() => string)
  #head: Head | (() => Head)
  readonly place: Place

  constructor(id: string | (() => string), version: number, head: Head | (() => Head), place: Place) {
    this.#id = id
    this.version = version
    this.#head = head
    this.place = place
  }

  get id(): string {
    if (typeof this.#id === 'function') this.#id = this.#id()
    return this.#id
  }

  get head(): Head {
    if (typeof this.#head === 'function') this.#head = this.#head()
    return this.#head
  }

  movedTo(file: Lines, at: number): Entry {
    return new Entry(this.#id, this.version, this.#head, {...this.place, file, at})
  }

  /** Whether it shows without a look at the document that it has none of one group of literals. */
  lacks(literals: Literals): boolean {
    const {file, at, size} = this.place
    return file.lacks?.(at, size, literals) ?? false
  }

  /** The document for a look, and its text. */
  read() {
    return this.place.file.documents.read(this.place)
  }

  /** As `read`, for a reply: kept for the next one. */
  keep() {
    return this.place.file.documents.keep(this.place)
  }

  get doc(): Document {
    return this.keep().doc
  }
}

export interface LookUp {
  /** An upper bound of the number of entries. */
  readonly count: number
  /** Whether every entry matches the whole predicate. */
  readonly isAll?: boolean
  /** Ascending by id; undefined marks a step of work without an entry. */
  readonly entries: () => Iterable<Entry | undefined>
}

export const isExclusive = ({uniqueKeys}: Head, key: string): boolean =>
  uniqueKeys.some((uniqueKey) => uniqueKey.key === key && !uniqueKey.shared)

export type Shown<T> = (found: Entry) => T

export const asDocument: Shown<Document> = ({doc}) => doc

export const asText: Shown<JsonText> = (found) => found.keep().text
