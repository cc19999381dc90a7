import {
  customerExistsById,
  customerExistsByKey,
  customerExistsByQuery,
  getCustomerById,
  getCustomerByKey,
  queryCustomers,
} from '../../api/customers/operations.js'
import type {Client, QueryValue} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import {isKey} from '../../domain/rules.js'
import type {Asking} from '../input/ask.js'
import {ifFound, isFound} from '../input/is-found.js'
import {criterionOf, type Ref} from '../input/refs.js'
import {chosenAmong, noSuchCustomer, onlyOne} from './candidates.js'

export interface ReadOptions {
  readonly expand?: readonly string[] | undefined
  /** Lets a person choose where a reference may mean several. */
  readonly asking?: Asking
}

const expandOf = ({expand}: ReadOptions): Record<string, QueryValue> =>
  expand === undefined || expand.length === 0 ? {} : {expand}

const byId = (client: Client, id: string, options: ReadOptions): Promise<Customer> =>
  client.call(getCustomerById, {id}, {query: expandOf(options)})

const byKey = (client: Client, key: string, options: ReadOptions): Promise<Customer> =>
  client.call(getCustomerByKey, {key}, {query: expandOf(options)})

/** Customers whose email, number or external id this is. */
async function having(client: Client, ref: Ref, options: ReadOptions): Promise<readonly Customer[]> {
  const query = {...criterionOf(ref), ...expandOf(options), limit: maxCandidates, withTotal: false}
  return (await client.call(queryCustomers, {}, {query})).results
}

const maxCandidates = 9

/** The one customer that a reference names, or that a person at a terminal chooses. Throws not found, or ambiguous. */
export async function customerOf(client: Client, ref: Ref, options: ReadOptions = {}): Promise<Customer> {
  switch (ref.by) {
    case 'id':
      return byId(client, ref.value, options)
    case 'key':
      return byKey(client, ref.value, options)
    case 'email':
    case 'number':
    case 'externalId':
      return onlyOne(await having(client, ref, options), ref, options.asking)
    case 'word':
      return byWord(client, ref, options)
  }
}

/** A bare word as an id, key or number; else somebody whom a search finds by it, if a person says so. */
async function byWord(client: Client, ref: Ref, options: ReadOptions): Promise<Customer> {
  const [identified, keyed] = await Promise.all([
    ifFound(byId(client, ref.value, options)),
    isKey(ref.value) ? ifFound(byKey(client, ref.value, options)) : undefined,
  ])
  const named = identified ?? keyed
  if (named) return named
  const numbered = await having(client, {by: 'number', value: ref.value}, options)
  if (numbered.length > 0) return onlyOne(numbered, ref, options.asking)
  const alike = await foundBy(client, ref.value)
  const chosen = await chosenAmong(alike, noSuchCustomer(ref, alike), options.asking)
  return byId(client, chosen.id, options)
}

async function foundBy(client: Client, text: string): Promise<readonly Customer[]> {
  const {findCustomers} = await import('./find.js')
  return findCustomers(client, text, {limit: maxCandidates}).then(
    ({results}) => results,
    // Whoever may not search, or types what no search takes, gets the failure without candidates.
    () => [],
  )
}

/**
 * Whether something is there, by HEAD, whose errors have no body. An error is asked for once more by `get`, so that it
 * says why; it answers what it finds.
 */
async function existing(head: Promise<unknown>, get: () => Promise<boolean>): Promise<boolean> {
  try {
    return await isFound(head)
  } catch (error) {
    if (error instanceof ApiError) return get()
    throw error
  }
}

const isAnyone = async (client: Client, query: Readonly<Record<string, QueryValue>>): Promise<boolean> =>
  (await client.call(queryCustomers, {}, {query: {...query, limit: 1, withTotal: false}})).count > 0

export async function customerExists(client: Client, ref: Ref): Promise<boolean> {
  switch (ref.by) {
    case 'id':
      return existing(client.call(customerExistsById, {id: ref.value}), () => isFound(byId(client, ref.value, {})))
    case 'key':
      return existing(client.call(customerExistsByKey, {key: ref.value}), () => isFound(byKey(client, ref.value, {})))
    case 'email':
    case 'number':
    case 'externalId':
      return anyCustomer(client, criterionOf(ref))
    case 'word': {
      for (const by of ['id', ...(isKey(ref.value) ? (['key'] as const) : []), 'number'] as const)
        if (await customerExists(client, {...ref, by})) return true
      return false
    }
  }
}

export const anyCustomer = (client: Client, query: Readonly<Record<string, QueryValue>>): Promise<boolean> =>
  existing(client.call(customerExistsByQuery, {}, {query}), () => isAnyone(client, query))

/**
 * The client for writes where the API identifies a customer by email: in a store of the customer, since the same email
 * may belong to another customer elsewhere (decision 39). A store that was chosen is kept.
 */
export function inStoreOf(client: Client, customer: Pick<Customer, 'stores'>, say?: (text: string) => void): Client {
  const [first, ...others] = customer.stores.map(({key}) => key)
  if (client.storeKey !== undefined || first === undefined) return client
  if (others.length > 0) {
    say?.(
      `The customer belongs to the stores ${[first, ...others].join(', ')}; this goes through ${first} (see --store).`,
    )
  }
  return client.inStore(first)
}
