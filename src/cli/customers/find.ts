import {queryCustomers} from '../../api/customers/operations.js'
import {searchCustomers} from '../../api/customers/search.js'
import type {Client, QueryValue} from '../../client/client.js'
import {inIdOrder} from '../../client/walk.js'
import type {Customer} from '../../domain/customers/customer.js'
import {canonicalEmail} from '../../domain/customers/identity.js'
import {searchText} from '../../domain/customers/search.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {satisfies, searchWords} from '../../domain/search/words.js'
import {usage} from '../process/failure.js'

/** Who was found, and how many there are in all. */
export interface Found {
  readonly limit: number
  readonly count: number
  /** Absent if nobody has counted. */
  readonly total?: number
  /**
   * How: a `search` of a server of ours, by any part; the `exact` values that a project of the platform can be asked
   * for; or a `walk` over all of its customers, by any part again.
   */
  readonly by: 'search' | 'exact' | 'walk'
  /** Customers that a walk has read. */
  readonly read?: number
  /** A walk ended before it had read everybody. */
  readonly isPartial?: boolean
  readonly results: readonly Customer[]
}

export interface FindOptions {
  readonly limit: number
  /** Whether a project that only knows exact values is walked through when those find nobody. */
  readonly deep?: boolean
  /** Customers that a walk reads at the most; all without it. */
  readonly maxRead?: number
  /** Told after each page of a walk how many customers it has read and found. */
  readonly onRead?: (read: number, found: number) => void
  /** Ends a walk early, with what it has found. */
  readonly signal?: AbortSignal
}

/** Longest text of a search, in characters. */
const maxText = 200

/**
 * Finds customers by any part of names, email, company, key, numbers, phone, city and postal code, or by the start of
 * an id; every word must be found. Throws a usage error for a text without letters and digits.
 */
export async function findCustomers(client: Client, text: string, options: FindOptions): Promise<Found> {
  if (searchWords(text).length === 0) throw usage('There is nothing to look for.')
  if (text.length > maxText) throw usage(`The text is longer than ${maxText} characters.`, 'Say less of it.')
  const searched = await ownSearch(client, text, options.limit)
  if (searched) return searched
  const exact = await exactValues(client, text, options.limit)
  return exact.count === 0 && options.deep ? walk(client, text, options) : exact
}

/** Clients of servers that have no search of ours, so that each is asked once. */
const withoutSearch = new WeakSet<Client>()

async function ownSearch(client: Client, text: string, limit: number): Promise<Found | undefined> {
  if (withoutSearch.has(client)) return undefined
  try {
    const {count, total, results} = await client.call(searchCustomers, {}, {query: {text, limit}})
    return {limit, count, ...defined({total}), by: 'search', results}
  } catch (error) {
    // Whoever serves a project of the platform answers for a path it does not know, one way or another.
    if (!(error instanceof ApiError) || ![400, 403, 404, 405, 501].includes(error.statusCode)) throw error
    withoutSearch.add(client)
    return undefined
  }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

/** A word as names are written: as it is, capitalised, each part of a double name capitalised, in capitals, small. */
const writtenAs = (word: string): string[] => [
  ...new Set([word, capital(word), word.replace(/[^-']+/g, capital), word.toUpperCase(), word.toLowerCase()]),
]

/** Asked at once: one predicate each, so that none costs another its index. The text is always a variable. */
async function exactValues(client: Client, text: string, limit: number): Promise<Found> {
  const whole = text.trim()
  const words = whole.split(/[\s,]+/).filter((word) => word !== '')
  const asked: Readonly<Record<string, QueryValue>>[] = [
    {where: 'lowercaseEmail = :email', 'var.email': canonicalEmail(whole)},
    ...['key', 'customerNumber', 'externalId', 'id', 'vatId'].map((field) => ({
      where: `${field} in (:text, :upper, :lower)`,
      'var.text': whole,
      'var.upper': whole.toUpperCase(),
      'var.lower': whole.toLowerCase(),
    })),
    ...['firstName', 'lastName', 'companyName'].map((field) => ({
      where: `${field} in :forms`,
      'var.forms': [...writtenAs(whole), words.map(capital).join(' ')],
    })),
    ...splits(words).map(([first, last]) => ({
      where: 'firstName in :first and lastName in :last',
      'var.first': [...writtenAs(first), ...writtenAs(first.split(' ').map(capital).join(' '))],
      'var.last': [...writtenAs(last), ...writtenAs(last.split(' ').map(capital).join(' '))],
    })),
  ]
  const pages = await Promise.all(
    asked.map((query) => client.call(queryCustomers, {}, {query: {...query, limit, withTotal: false}})),
  )
  const all = new Map(pages.flatMap(({results}) => results.map((customer) => [customer.id, customer] as const)))
  const results = [...all.values()].slice(0, limit)
  const isCut = all.size > limit || pages.some(({count}) => count >= limit)
  return {limit, count: results.length, ...(isCut ? {} : {total: all.size}), by: 'exact', results}
}

/** First and last names that the words may be, either way round; more than a few words are a company. */
function splits(words: readonly string[]): (readonly [string, string])[] {
  if (words.length < 2 || words.length > maxNameWords) return []
  return words.slice(1).flatMap((_, at) => {
    const [front, back] = [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]
    return [[front, back] as const, [back, front] as const]
  })
}

const maxNameWords = 4
const pageSize = 500

/** Reads every customer of the project, page by page, and keeps those that have every word. */
async function walk(
  client: Client,
  text: string,
  {limit, maxRead = Number.POSITIVE_INFINITY, onRead, signal}: FindOptions,
): Promise<Found> {
  const words = searchWords(text)
  const results: Customer[] = []
  let read = 0
  let total = 0
  const base = {limit: pageSize, withTotal: false, sort: ['id asc']}
  const pages = inIdOrder((after) => {
    const further = after === undefined ? {} : {where: 'id > :after', 'var.after': after}
    return client.call(queryCustomers, {}, {query: {...base, ...further}})
  })
  for await (const page of pages) {
    read += page.length
    for (const customer of page) {
      if (!satisfies(customer.id, searchText(customer), words)) continue
      total += 1
      if (results.length < limit) results.push(customer)
    }
    onRead?.(read, total)
    if (signal?.aborted || read >= maxRead) {
      return {limit, count: results.length, by: 'walk', read, isPartial: true, results}
    }
  }
  return {limit, count: results.length, total, by: 'walk', read, results}
}
