import {ofCustomers} from '../../api/operation/collection-table.js'
import type {Client, QueryValue} from '../../client/client.js'

/** Documents of other collections that belong to a customer. */

/** What the platform has of customers and the local server does not. */
const elsewhere = [
  {segment: 'orders', where: 'customerId = :id'},
  {segment: 'payments', where: 'customer(id = :id)'},
  {segment: 'reviews', where: 'customer(id = :id)'},
  {segment: 'shopping-lists', where: 'customer(id = :id)'},
]

/** Every kind of documents that may belong to a customer: its name, its path, and the predicate that finds them. */
export const kindsOfCustomers = [...ofCustomers, ...elsewhere].map(({segment, where}) => ({
  name: segment.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  segment,
  where,
}))

/** Answers of a target that does not have a collection. */
export const isAbsent = (status: number): boolean => [404, 405, 501].includes(status)

type Query = Readonly<Record<string, QueryValue>>

export interface RelatedPage {
  readonly results: readonly object[]
  readonly total?: number
}

/** A page of a collection, by its path below the project; undefined where the client may not read it. */
export async function relatedPage(client: Client, path: string, query: Query): Promise<RelatedPage | undefined> {
  const {status, body} = await client.raw('GET', `/${client.projectKey}/${path}`, {query})
  return status === 200 ? pageIn(body) : undefined
}

/** An answer as a page; undefined for anything else, which a server may send in its place. */
export function pageIn(body: unknown): RelatedPage | undefined {
  if (typeof body !== 'object' || body === null || !('results' in body) || !Array.isArray(body.results))
    return undefined
  const results = body.results.filter((one): one is object => typeof one === 'object' && one !== null)
  return 'total' in body && typeof body.total === 'number' ? {results, total: body.total} : {results}
}

/** How many documents of a collection satisfy a query; undefined where the client may not read them. */
export const relatedCount = async (client: Client, path: string, query: Query): Promise<number | undefined> =>
  (await relatedPage(client, path, {...query, limit: 1}))?.total
