import {createCustomer} from '../../api/accounts/sign-up.js'
import {queryCustomers} from '../../api/customers/operations.js'
import {updateCustomerById} from '../../api/customers/updates.js'
import type {Client} from '../../client/client.js'
import {creatorOf, sendTimeOf} from '../../client/creation.js'
import {allInIdOrder, type WalkedPage} from '../../client/walk.js'
import type {UpdateAction} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined, isObject} from '../../domain/equal.js'
import type {MatchMember} from '../input/row-draft.js'
import {type Sender, UnexpectedResponse} from './sender.js'

/** Members that a query may list values of. */
export type Findable = 'key' | 'lowercaseEmail' | 'externalId' | 'customerNumber'

/** References that are shown with their resource, so that keys can be compared with ids. */
export const expandedReferences = [
  'customerGroup',
  'customerGroupAssignments[*].customerGroup',
  'custom.type',
  'addresses[*].custom.type',
]

export const pageSize = 500
/** Predicates and their variables travel in the URL; proxies cut it at eight thousand characters. */
const maxValueCharacters = 6000

export type CustomerCalls = ReturnType<typeof callsOf>

/** Customers by a member. */
export interface CustomerSelection {
  readonly member: Findable | 'id'
  readonly values: readonly string[]
  /** References that are shown with their resource; absent: those that rows are compared by. */
  readonly expand?: readonly string[] | undefined
}

export interface PageQuery {
  readonly where?: readonly string[]
  readonly variables?: Readonly<Record<string, string | readonly string[]>>
  readonly expand?: readonly string[]
  readonly limit?: number
}

export function callsOf(client: Client, expand: readonly string[] = expandedReferences) {
  const page = async (query: PageQuery, after?: string, signal?: AbortSignal): Promise<WalkedPage<Customer>> => {
    const where = [...(query.where ?? []), ...(after === undefined ? [] : ['id > :afterId'])]
    const asked = {
      ...Object.fromEntries(Object.entries(query.variables ?? {}).map(([name, value]) => [`var.${name}`, value])),
      ...defined({where: where.length > 0 ? where : undefined, 'var.afterId': after}),
      ...defined({expand: query.expand?.length ? query.expand : undefined}),
      ...{sort: 'id asc', limit: query.limit ?? pageSize, withTotal: false},
    }
    const reply: unknown = await client.call(queryCustomers, {}, {query: asked, ...defined({signal})})
    if (!isObject(reply) || !Array.isArray(reply['results']))
      throw new UnexpectedResponse('The answer is not a page of customers.')
    const results = (reply['results'] as unknown[]).map(customerIn)
    const {total, limit} = reply
    return {results, ...(typeof total === 'number' ? {total} : {}), ...(typeof limit === 'number' ? {limit} : {})}
  }
  return {
    create: async (draft: object): Promise<Customer> => {
      const reply: unknown = await client.call(createCustomer, {}, {body: draft as never})
      return customerIn(isObject(reply) ? reply['customer'] : undefined)
    },
    /** One page of the customers that satisfy the predicates, in the order of ids and behind `after`. */
    page,
    /** The same of those that have one of the values. */
    find: ({member, values, expand: shown = expand}: CustomerSelection, after?: string, signal?: AbortSignal) =>
      page({where: [`${member} in :wanted`], variables: {wanted: values}, expand: shown}, after, signal),
    /** Taken before a customer is created: whether one that is found later is the one that the request made. */
    creationTest: () => {
      const sending = sendTimeOf(client, Date.now)
      return (found: Customer, isSame: boolean) =>
        creatorOf(found, sending, {skewMs: client.serverTime() - Date.now(), isSame}) === 'ours'
    },
    update: async ({id, version}: Pick<Customer, 'id' | 'version'>, actions: readonly UpdateAction[]) =>
      customerIn(await client.call(updateCustomerById, {id}, {body: {version, actions}})),
  }
}

/** Throws UnexpectedResponse for what is no customer. */
export function customerIn(value: unknown): Customer {
  if (isObject(value) && typeof value['id'] === 'string' && typeof value['version'] === 'number') {
    return value as unknown as Customer
  }
  throw new UnexpectedResponse('The answer is not a customer.')
}

/** Cuts values into lists that one query can carry. */
export function chunked(values: readonly string[]): string[][] {
  const chunks: string[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const value of values) {
    const cost = encodeURIComponent(value).length + '&var.wanted='.length
    if (size + cost > maxValueCharacters || (chunks.at(-1)?.length ?? 0) >= pageSize) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push(value)
    size += cost
  }
  return chunks
}

/** By what a query finds the customers of a match. */
export const findableOf = (member: MatchMember): Findable => (member === 'email' ? 'lowercaseEmail' : member)

/** Every customer of the target that has one of the values, with few requests. */
export async function findEvery(
  calls: CustomerCalls,
  sender: Sender,
  {values, ...wanted}: CustomerSelection,
): Promise<readonly Customer[]> {
  const found = await Promise.all(chunked(values).map((chunk) => findAll(calls, sender, {...wanted, values: chunk})))
  return found.flat()
}

/** Pages, since an email may belong to several. What one page misses is met again as a duplicate. */
const findAll = (calls: CustomerCalls, sender: Sender, wanted: CustomerSelection): Promise<readonly Customer[]> =>
  allInIdOrder((after) => sender.send((signal) => calls.find(wanted, after, signal)), pageSize)
