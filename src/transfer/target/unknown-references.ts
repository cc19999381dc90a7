import {collectionOf} from '../../api/operation/collection-table.js'
import type {Client} from '../../client/client.js'
import type {CustomFields} from '../../domain/custom-fields.js'
import type {Customer} from '../../domain/customers/customer.js'
import {isObject} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Sender} from '../send/sender.js'

/** References in custom fields to what the target of a copy does not have: products, other customers. */

interface Pointer {
  readonly typeId: string
  readonly id: string
}

const isPointer = (value: unknown): value is Pointer =>
  isObject(value) && typeof value['typeId'] === 'string' && typeof value['id'] === 'string'

/** Leaves such values out of customers, and counts them: a row that has one would be refused as a whole. */
export class UnknownReferences {
  readonly #sender: Sender
  readonly #target: Client
  readonly #isBrought: (id: string) => boolean
  /** Whether the target has a resource, by the path of its collection and id. */
  readonly #known = new Map<string, Promise<boolean>>()
  leftOut = 0

  constructor(sender: Sender, target: Client, isBrought: (id: string) => boolean) {
    this.#sender = sender
    this.#target = target
    this.#isBrought = isBrought
  }

  async without(customer: Customer): Promise<Customer> {
    const addresses = await Promise.all(customer.addresses.map((address) => this.#withoutIn(address)))
    return this.#withoutIn({...customer, addresses})
  }

  async #withoutIn<T extends {readonly custom?: CustomFields | undefined}>(holder: T): Promise<T> {
    const {custom} = holder
    if (custom === undefined) return holder
    const kept = await Promise.all(
      Object.entries(custom.fields).map(async ([name, value]) => [name, await this.#withoutAt(value)] as const),
    )
    const fields = Object.fromEntries(kept.filter(([, value]) => value !== undefined))
    return {...holder, custom: {...custom, fields}}
  }

  /** The value of a field, or of a set what the target knows of it; undefined if nothing is left. */
  async #withoutAt(value: unknown): Promise<unknown> {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (!values.some(isPointer)) return value
    const known = await Promise.all(values.map((one) => (isPointer(one) ? this.#isKnown(one) : true)))
    const left = values.filter((_, at) => known[at])
    this.leftOut += values.length - left.length
    if (left.length === 0) return undefined
    return Array.isArray(value) ? left : left[0]
  }

  #isKnown({typeId, id}: Pointer): Promise<boolean> | boolean {
    const collection = collectionOf(typeId)
    if (!collection || this.#isBrought(id)) return true
    const path = `/${this.#target.projectKey}/${collection.segment}/${encodeURIComponent(id)}`
    const known = this.#known.get(path) ?? this.#ask(path)
    this.#known.set(path, known)
    return known
  }

  /** What the caller may not read is left to the target, which then says so of the row. */
  #ask(path: string): Promise<boolean> {
    return this.#sender.send(async () => {
      const {status, body} = await this.#target.raw('HEAD', path)
      if (status >= 500 || status === 429) throw ApiError.fromBody(status, body)
      return status !== 404
    })
  }
}
