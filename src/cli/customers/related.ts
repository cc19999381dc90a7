import {ofCustomers} from '../../api/operation/collection-table.js'
import type {Client, QueryValue} from '../../client/client.js'
import {refusalOf} from '../../client/transports/refusal.js'
import {isObject} from '../../domain/equal.js'
import {listAt, textAt, valueAt} from '../output/fields.js'

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

/** Why a look-up has no result: the client may not read it, the target does not serve it, or the request failed. */
export type Unknown = 'not readable' | 'not served' | 'failed'

export const whyUnknown = (status: number): Unknown => {
  if ([404, 405, 501].includes(status)) return 'not served'
  return status === 401 || status === 403 ? 'not readable' : 'failed'
}

type Query = Readonly<Record<string, QueryValue>>

export interface RelatedPage {
  readonly results: readonly object[]
  readonly total?: number
}

/** The document at a path below the project. Throws what came in its place. */
export async function documentAt(
  client: Client,
  path: string,
  query: Query = {},
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await client.raw('GET', `/${client.projectKey}/${path}`, {query})
  if (answer.status === 200 && isObject(answer.body)) return answer.body
  throw refusalOf(answer)
}

/** A page of a collection, by its path below the project, or why there is none. */
export async function relatedPage(client: Client, path: string, query: Query): Promise<RelatedPage | Unknown> {
  const {status, body} = await client.raw('GET', `/${client.projectKey}/${path}`, {query})
  return status === 200 ? (pageIn(body) ?? 'failed') : whyUnknown(status)
}

export const resultsOf = (page: RelatedPage | Unknown): readonly object[] =>
  typeof page === 'string' ? [] : page.results

/** An answer as a page; undefined for anything else, which a server may send in its place. */
export function pageIn(body: unknown): RelatedPage | undefined {
  if (!Array.isArray(valueAt(body, 'results'))) return undefined
  const results = listAt(body, 'results').filter((one): one is object => typeof one === 'object' && one !== null)
  const total = valueAt(body, 'total')
  return typeof total === 'number' ? {results, total} : {results}
}

/** How many documents of a collection satisfy a query, or why that is unknown. */
export async function relatedCount(client: Client, path: string, query: Query): Promise<number | Unknown> {
  const page = await relatedPage(client, path, {...query, limit: 1})
  return typeof page === 'string' ? page : (page.total ?? 'failed')
}

const pageSize = 500

/** All documents of a collection that satisfy a predicate about `:id`, page by page, or why they are unknown. */
export async function allRelated(
  client: Client,
  path: string,
  query: {readonly where: string; readonly 'var.id': string},
): Promise<readonly object[] | Unknown> {
  const all: object[] = []
  const base: Query = {...query, sort: ['id asc'], limit: pageSize, withTotal: false}
  for (let after: string | undefined; ; ) {
    const further = after === undefined ? {} : {where: [query.where, 'id > :after'], 'var.after': after}
    const page = await relatedPage(client, path, {...base, ...further})
    if (typeof page === 'string') return page
    all.push(...page.results)
    if (page.results.length < pageSize) return all
    const last = textAt(page.results.at(-1), 'id')
    if (last === '' || last === after) return 'failed'
    after = last
  }
}
