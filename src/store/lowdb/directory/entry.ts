import {type JsonText, jsonOf} from '../../../domain/json-text.js'
import type {Document, UniqueKey} from '../../store.js'
import type {Lines, Place} from './documents.js'

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

  get bytes(): number {
    return this.size
  }

  movedTo(file: Lines, at: number): Entry {
    return new Entry(this.id, this.version, this.#head, {file, at, size: this.size, crc: this.crc})
  }

  text(): JsonText {
    return this.file.documents.text(this)
  }

  /** As `text`, for a reply: kept for the next one. */
  keptText(): JsonText {
    return this.file.documents.keptText(this)
  }

  look(): Document {
    return this.file.documents.look(this)
  }

  get isParsed(): boolean {
    return this.file.documents.isParsed(this)
  }

  get doc(): Document {
    return this.file.documents.doc(this)
  }
}

/** Whether a document holds a unique key alone. */
export const isExclusive = ({uniqueKeys}: Head, key: string): boolean =>
  uniqueKeys.some((uniqueKey) => uniqueKey.key === key && !uniqueKey.shared)

/** What a reading hands out of an entry that it found. */
export type Shown<T> = (found: Pick<Entry, 'id' | 'doc'> | Entry) => T

export const asDocument: Shown<Document> = ({doc}) => doc

/** Of what a sort has kept only the document is there. */
export const asText: Shown<JsonText> = (found) => ('text' in found ? found.keptText() : jsonOf(found.doc))
