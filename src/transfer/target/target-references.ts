import {queryCustomerGroups, queryStores, queryTypes} from '../../api/collections/operations.js'
import {collectionOf} from '../../api/operation/collection-table.js'
import {getProject} from '../../api/project/operations.js'
import type {Client, QueryValue} from '../../client/client.js'
import {allInIdOrder} from '../../client/walk.js'
import type {ReferencedResource} from '../../domain/action.js'
import {defined, grouped} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {distinct, FoundReferences} from '../../domain/found-references.js'
import type {WantedReference} from '../../domain/references.js'
import {chunked, pageSize} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'

/** Something that could not be checked beforehand, and why; the target decides row by row. */
export type OnUnchecked = (what: string, why: string) => void

/** The references of some rows: found, missing or unknown. */
export interface ReferenceLookUp {
  readonly found: FoundReferences
  /** Whether the look-up was impossible: the reference may exist. */
  readonly isUnchecked: (reference: WantedReference) => boolean
}

const queries = {'customer-group': queryCustomerGroups, store: queryStores, type: queryTypes} as const

/** What is found by lists, many with one request. */
export type ListedType = keyof typeof queries

type ListQuery = Readonly<Record<string, QueryValue>> & {readonly where?: string}

/** As many answers are kept; a file with more distinct values asks for some of them again. */
const maxKept = 50_000

/** A reference in words, `store key kiel`. */
export const nameOf = ({typeId, id, key}: WantedReference): string =>
  id === undefined ? `${typeId} key ${key}` : `${typeId} id ${id}`

type Answer = ReferencedResource | 'missing' | 'unchecked'

/** What a project has of what customers refer to: asked once for each distinct value, many values with one request. */
export class TargetReferences {
  readonly #client: Client
  readonly #sender: Sender
  readonly #onUnchecked: OnUnchecked
  #answers = new Map<string, Promise<Answer>>()
  readonly #uncheckedKinds = new Set<string>()
  #languages: Promise<readonly string[] | undefined> | undefined

  constructor(client: Client, sender: Sender, onUnchecked: OnUnchecked = () => undefined) {
    this.#client = client
    this.#sender = sender
    this.#onUnchecked = onUnchecked
  }

  async lookUp(references: readonly WantedReference[]): Promise<ReferenceLookUp> {
    const wanted = distinct(references)
    if (this.#answers.size > maxKept) this.#answers = new Map()
    const answers = this.#answers
    for (const group of byRequest(wanted.filter((one) => !answers.has(nameOf(one))))) this.#ask(group, answers)
    const found = new FoundReferences()
    const unchecked = new Set<string>()
    for (const reference of wanted) {
      const answer = await answers.get(nameOf(reference))
      if (answer === 'unchecked') unchecked.add(nameOf(reference))
      else if (answer !== undefined && answer !== 'missing') found.add(reference, answer)
    }
    return {found, isUnchecked: (reference) => unchecked.has(nameOf(reference))}
  }

  /** The languages of the project; undefined if the caller may not read them. */
  languages(): Promise<readonly string[] | undefined> {
    const ask = (signal?: AbortSignal) => this.#client.call(getProject, {}, defined({signal}))
    this.#languages ??= this.#checked('project', 'the languages of the project', async () => {
      const {languages} = (await this.#sender.send(ask)) as {languages?: unknown}
      return Array.isArray(languages) ? (languages as string[]) : undefined
    })
    return this.#languages
  }

  /** Every resource of a kind that satisfies the query. Throws what it is refused with. */
  async list(typeId: ListedType, {where, ...query}: ListQuery = {}): Promise<readonly ReferencedResource[]> {
    const found = await allInIdOrder((after) => {
      const all = [...(where === undefined ? [] : [where]), ...(after === undefined ? [] : ['id > :after'])]
      const behind = defined({where: all.length === 0 ? undefined : all, 'var.after': after})
      const asked = {...query, ...behind, sort: 'id asc', limit: pageSize, withTotal: false}
      return this.#sender.send((signal) =>
        this.#client.call(queries[typeId] as typeof queryTypes, {}, {query: asked, ...defined({signal})}),
      )
    }, pageSize)
    return found as readonly object[] as readonly ReferencedResource[]
  }

  #ask(group: readonly WantedReference[], answers: Map<string, Promise<Answer>>): void {
    const [first] = group
    if (!first) return
    const isListed = Object.hasOwn(queries, first.typeId)
    const asked = isListed ? this.#listed(group) : undefined
    for (const reference of group) {
      const answer = asked ? asked.then((found) => found(reference)) : this.#unlisted(reference)
      // Who looks up awaits it; until then nobody is there to see a failure.
      answer.catch(() => answers.delete(nameOf(reference)))
      answers.set(nameOf(reference), answer)
    }
  }

  async #listed(group: readonly WantedReference[]): Promise<(reference: WantedReference) => Answer> {
    const [{typeId, id}] = group as [WantedReference]
    const member = id === undefined ? 'key' : 'id'
    const values = group.map((reference) => reference[member] ?? '')
    const asked = {where: `${member} in :wanted`, 'var.wanted': values}
    const results = await this.#checked(typeId, label(typeId), () => this.list(typeId as ListedType, asked))
    const found = new Map((results ?? []).map((resource) => [resource[member], resource]))
    return (reference) => (results ? (found.get(reference[member]) ?? 'missing') : 'unchecked')
  }

  /** Whether a resource is missing; nobody needs more of one that no list finds. */
  async #unlisted({typeId, id, key}: WantedReference): Promise<'missing' | 'unchecked'> {
    const collection = collectionOf(typeId)
    if (!collection) return 'unchecked'
    const name = id === undefined ? `key=${encodeURIComponent(key ?? '')}` : encodeURIComponent(id)
    const path = `/${this.#client.projectKey}/${collection.segment}/${name}`
    const ask = async (signal?: AbortSignal) => {
      const {status} = await this.#client.raw('HEAD', path, defined({signal}))
      // The answer to a HEAD has no words.
      if (status !== 404 && status !== 200) throw ApiError.fromBody(status, (await this.#client.raw('GET', path)).body)
      return status === 404
    }
    const isMissing = await this.#checked(typeId, label(typeId), () => this.#sender.send(ask))
    return isMissing ? 'missing' : 'unchecked'
  }

  /** What a refused question leaves open is said once; the run goes on. */
  async #checked<T>(kind: string, what: string, ask: () => Promise<T>): Promise<T | undefined> {
    if (this.#uncheckedKinds.has(kind)) return undefined
    try {
      return await ask()
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.statusCode >= 400 && error.statusCode < 500
      if (!isRefusal || error.statusCode === 401 || error.statusCode === 429) throw error
      if (!this.#uncheckedKinds.has(kind)) this.#onUnchecked(what, error.message)
      this.#uncheckedKinds.add(kind)
      return undefined
    }
  }
}

const label = (typeId: string): string => (collectionOf(typeId)?.segment ?? typeId).replaceAll('-', ' ')

function byRequest(wanted: readonly WantedReference[]): WantedReference[][] {
  const kinds = grouped(wanted.map((one) => [`${one.typeId} ${one.id === undefined ? 'key' : 'id'}`, one]))
  return [...kinds.values()].flatMap((kind) => {
    const named = new Map(kind.map((one) => [one.id ?? one.key ?? '', one]))
    return chunked([...named.keys()]).map((names) => names.flatMap((name) => named.get(name) ?? []))
  })
}
