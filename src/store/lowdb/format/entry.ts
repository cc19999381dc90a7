import {jsonTextOf, withJsonText} from '../../../domain/json-text.js'
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
}

/** An entry whose JSON body is parsed at first access. */
export class LazyEntry implements Entry {
  readonly id: string
  readonly version: number
  readonly uniqueKeys: readonly UniqueKey[]
  readonly facets: readonly (string | null)[]
  readonly bytes: number
  #body: string | Buffer | undefined
  #doc: Document | undefined

  constructor(head: Pick<Entry, 'id' | 'version' | 'uniqueKeys' | 'facets'>, body: string | Buffer | undefined) {
    this.id = head.id
    this.version = head.version
    this.uniqueKeys = head.uniqueKeys
    this.facets = head.facets
    this.bytes = 100 + (body?.length ?? 0)
    this.#body = body
  }

  get doc(): Document {
    if (this.#doc) return this.#doc
    if (this.#body === undefined) throw new Error(`${this.id} was removed`)
    const text = this.#body.toString()
    this.#doc = withJsonText(frozen(JSON.parse(text) as Document), text)
    this.#body = undefined
    return this.#doc
  }

  json(): string | undefined {
    return this.#doc ? jsonTextOf(this.#doc) : this.#body?.toString()
  }
}
