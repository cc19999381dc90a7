import type {Claim, Document} from '../store.js'
import {type Entry, frozen} from './entry.js'
import {Postings} from './postings.js'
import {SortedIds} from './sorted-ids.js'

export type Facet = (document: Document) => string | undefined

/** The documents of one kind with their indexes: by id, by claim, by facet, and in the order of ids. */
export class Collection {
  readonly #entries = new Map<string, Entry>()
  readonly #claims = new Postings()
  readonly facets: Readonly<Record<string, Facet>>
  readonly #facets: ReadonlyMap<string, {readonly of: Facet; readonly postings: Postings}>
  /** Made when first asked for: many commands never page. */
  #order: SortedIds | undefined

  constructor(facets: Readonly<Record<string, Facet>> = {}) {
    this.facets = facets
    this.#facets = new Map(Object.entries(facets).map(([name, of]) => [name, {of, postings: new Postings()}]))
  }

  get size(): number {
    return this.#entries.size
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id)
  }

  /** All that claim `key`, exclusively or shared. */
  holders(key: string): Entry[] {
    return this.#claims.get(key).flatMap((id) => this.#entries.get(id) ?? [])
  }

  /** The one that claims `key` exclusively. */
  holder(key: string): Entry | undefined {
    return this.holders(key).find(({claims}) => claims.some((claim) => claim.key === key && !claim.shared))
  }

  hasFacet(name: string): boolean {
    return this.#facets.has(name)
  }

  byFacet(name: string, value: string): Entry[] {
    const ids = this.#facets.get(name)?.postings.get(value) ?? []
    return ids.flatMap((id) => this.#entries.get(id) ?? [])
  }

  /** Up to `limit` entries that follow the id `after` in ascending order. */
  slice(after: string | undefined, limit: number): Entry[] {
    this.#order ??= new SortedIds(this.#entries.keys())
    return this.#order.slice(after, limit).flatMap((id) => this.#entries.get(id) ?? [])
  }

  put(id: string, claims: readonly Claim[], doc: Document): void {
    const facets = [...this.#facets.values()].map(({of}) => of(doc))
    const before = this.#entries.get(id)
    if (before) this.#unindex(before)
    else this.#order?.add(id)
    const entry = {id, claims, facets, doc: frozen(doc)}
    this.#entries.set(id, entry)
    this.#index(entry)
  }

  remove(id: string): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    this.#unindex(entry)
    this.#entries.delete(id)
    this.#order?.remove(id)
  }

  #index({id, claims, facets}: Entry): void {
    for (const {key} of claims) this.#claims.add(key, id)
    let at = 0
    for (const {postings} of this.#facets.values()) {
      const value = facets[at++]
      if (value !== undefined) postings.add(value, id)
    }
  }

  #unindex({id, claims, facets}: Entry): void {
    for (const {key} of claims) this.#claims.remove(key, id)
    let at = 0
    for (const {postings} of this.#facets.values()) {
      const value = facets[at++]
      if (value !== undefined) postings.remove(value, id)
    }
  }
}
