import {JsonText, withJsonText} from '../../../domain/json-text.js'
import {frozen} from '../../adapter/frozen.js'
import type {Document, UniqueKey} from '../../store.js'

/** A document in a layer, or the tombstone of a removed one. */
export interface Entry {
  readonly id: string
  /** 0 for a tombstone. */
  readonly version: number
  readonly uniqueKeys: readonly UniqueKey[]
  /** Values of the kind's facets, in their order. */
  readonly facets: readonly (string | null)[]
  /** Approximate size in a file. */
  readonly bytes: number
  /** Parsed at first access. Not for tombstones. */
  readonly doc: Document
  /** The document's JSON; undefined for a tombstone. */
  json(): string | undefined
  /** The JSON as it lies in memory: UTF-8 if bytes; undefined for a tombstone. */
  body(): string | Buffer | JsonText | undefined
  /** The same for replies, kept from the first time on. Not for tombstones. */
  text(): JsonText
  /** The document for a look, perhaps not frozen yet. Not for tombstones. */
  look(): Document
}

const none: readonly never[] = []

/** An entry whose JSON body is parsed at first access. */
export class LazyEntry implements Entry {
  // Declared alone: a field that begins undefined is written twice, and entries are made by the thousand.
  declare readonly id: string
  declare readonly version: number
  declare readonly uniqueKeys: readonly UniqueKey[]
  declare readonly facets: readonly (string | null)[]
  declare readonly bytes: number
  #body: string | Buffer | JsonText | undefined
  #doc: Document | undefined

  /** `doc` is the document of the body, deeply frozen, where it is at hand. */
  constructor(
    head: Pick<Entry, 'id' | 'version' | 'uniqueKeys' | 'facets'>,
    body: string | Buffer | JsonText | undefined,
    doc?: Document,
  ) {
    this.id = head.id
    this.version = head.version
    // What is empty is shared: all that an entry retains is copied by the collector, and most kinds have none.
    this.uniqueKeys = head.uniqueKeys.length === 0 ? none : head.uniqueKeys
    this.facets = head.facets.length === 0 ? none : head.facets
    this.bytes = 100 + ((body instanceof JsonText ? body.bytes : body)?.length ?? 0)
    this.#body = body
    this.#doc = doc
  }

  get doc(): Document {
    this.#doc ??= this.#parsed()
    return this.#doc
  }

  body(): string | Buffer | JsonText | undefined {
    return this.#body
  }

  json(): string | undefined {
    return this.#body instanceof JsonText ? this.#body.text : this.#body?.toString()
  }

  text(): JsonText {
    const body = this.#body
    if (body instanceof JsonText) return body
    if (body === undefined) throw new Error(`${this.id} was removed`)
    const text = typeof body === 'string' ? JsonText.of(body) : JsonText.from(body)
    this.#body = text
    return text
  }

  look(): Document {
    return Buffer.isBuffer(this.#body) && !this.#doc ? (JSON.parse(this.#body.toString()) as Document) : this.doc
  }

  /** Lets go of a document that was at hand: the next access parses the body. */
  forgetDocument(): void {
    this.#doc = undefined
  }

  #parsed(): Document {
    const text = this.text()
    return withJsonText(frozen(JSON.parse(text.text) as Document), text)
  }
}
