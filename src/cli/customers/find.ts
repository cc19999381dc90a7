import {queryCustomers} from '../../api/customers/operations.js'
import {queryMessages} from '../../api/project/messages.js'
import {searchCustomers} from '../../api/search/operations.js'
import type {Client, QueryValue} from '../../client/client.js'
import {isFull} from '../../client/walk.js'
import type {Customer} from '../../domain/customers/customer.js'
import {fieldRows, userIdentifiers} from '../../domain/customers/fields.js'
import {canonicalEmail} from '../../domain/customers/identity.js'
import {capital} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {queryWords} from '../../domain/folded-text.js'
import {searchText} from '../../domain/search/search-text.js'
import {datesIn} from '../input/dates-in.js'
import {textAt} from '../output/fields.js'
import {usage} from '../process/failure.js'
import {beginningsIn, searchQuery} from './search-request.js'

/** Who was found, the best match first, and how many there are in all. */
export interface FindResult {
  readonly limit: number
  readonly count: number
  /** Absent if nobody has counted. */
  readonly total?: number
  /** By a search, or by the exact values that a project without one can be asked for. */
  readonly by: 'search' | 'exact' | 'former email'
  /** Why the project was asked for exact values; absent if it was searched. */
  readonly withoutSearch?: SearchRefusal
  readonly results: readonly Customer[]
}

export interface SearchRefusal {
  /** The search of the project is switched off, or it has none; else the client may not use it. */
  readonly isOff: boolean
}

export interface FindOptions {
  readonly limit: number
  /** Known from an earlier answer: only exact values are queried, at once. */
  readonly withoutSearch?: SearchRefusal | undefined
}

const maxText = 200

/**
 * Finds customers by how the words of names, email, company, keys, numbers, phones and addresses begin, or by words that
 * sound like them; by dates of birth, and by the start of an id. Throws a usage error for a text without letters and digits.
 */
export async function findCustomers(
  client: Client,
  text: string,
  {limit, withoutSearch}: FindOptions,
): Promise<FindResult> {
  if (queryWords(text).length === 0) throw usage('The search text is empty.')
  if (text.length > maxText) throw usage(`The search text is longer than ${maxText} characters.`, 'Shorten it.')
  const searched = withoutSearch ?? (await search(client, text, limit))
  const found = 'by' in searched ? searched : {...(await exactValues(client, text, limit)), withoutSearch: searched}
  const email = text.trim()
  const isHad = found.results.some((customer) => canonicalEmail(textAt(customer, 'email')) === canonicalEmail(email))
  return !isHad && /^\S+@\S+\.\S+$/.test(email) ? formerly(client, email, found) : found
}

/** Whoever had the email before; `found` if nobody had. */
async function formerly(client: Client, email: string, found: FindResult): Promise<FindResult> {
  const results = await customersOf(client, (await formerlyOf(client, email)).slice(0, found.limit))
  return results.length === 0
    ? found
    : {...found, count: results.length, total: results.length, by: 'former email', results}
}

/** How many results at the end were found by a word that only sounds like one of theirs. Digits never sound alike. */
export function neighboursIn({by, results}: FindResult, text: string): number {
  const words = queryWords(beginningsIn(text)).filter((spellings) => !spellings.some((word) => /\d/.test(word)))
  const hasAll = (own: string) => words.every((spellings) => spellings.some((word) => own.includes(` ${word}`)))
  return by === 'search' ? results.length - 1 - results.findLastIndex((one) => hasAll(searchText(one))) : 0
}

/** Answers of a project without a search, or to a client that may not use it. */
const refusals = [403, 404, 405, 409]

async function search(client: Client, text: string, limit: number): Promise<FindResult | SearchRefusal> {
  const {storeKey} = client
  const inStore = [{exact: {field: 'stores.key', value: storeKey}}, {not: [{exists: {field: 'stores.key'}}]}]
  const query = storeKey === undefined ? searchQuery(text) : {and: [searchQuery(text), {filter: [{or: inStore}]}]}
  try {
    const found = await client.call(searchCustomers, {}, {body: {query, limit}, isRepeatable: true})
    const ids = found.results.map(({id}) => id)
    const results = await customersOf(client, ids)
    return {limit, count: results.length, total: found.total, by: 'search', results}
  } catch (error) {
    if (!(error instanceof ApiError) || !refusals.includes(error.statusCode)) throw error
    return {isOff: error.statusCode !== 403}
  }
}

/** The customers in the order of the ids; one that was removed meanwhile is left out. */
async function customersOf(client: Client, ids: readonly string[]): Promise<readonly Customer[]> {
  if (ids.length === 0) return []
  const query = {where: 'id in :ids', 'var.ids': ids, limit: ids.length, withTotal: false}
  const page = await client.call(queryCustomers, {}, {query})
  const last = page.results.at(-1)?.id ?? ''
  // A page that ended early is the first in the order of ids.
  const others =
    page.limit < ids.length && last !== ''
      ? await customersOf(
          client,
          ids.filter((id) => id > last),
        )
      : []
  const byId = new Map([...page.results, ...others].map((customer) => [customer.id, customer]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const named = (word: string): string => capital(word.toLowerCase())

/** A word as names are written: as it is, capitalised, each part of a double name capitalised, in capitals, small. */
const writtenAs = (word: string): string[] => [
  ...new Set([word, named(word), word.replace(/[^-']+/g, named), word.toUpperCase(), word.toLowerCase()]),
]

const names = fieldRows.filter(({namePart, personal}) => namePart && personal === 'name').map(({name}) => name)
const [firstName = '', lastName = ''] = [names[0], names.at(-1)]
/** What is compared as it is written, but for its case. */
const values = ['id', ...userIdentifiers, 'vatId']

/** Asked at once: one predicate each, so that none costs another its index. The text is always a variable. */
async function exactValues(client: Client, text: string, limit: number): Promise<FindResult> {
  const whole = text.trim()
  const words = whole.split(/[\s,]+/).filter((word) => word !== '')
  const {dates} = datesIn(whole)
  const asked: Readonly<Record<string, QueryValue>>[] = [
    {where: 'lowercaseEmail = :email', 'var.email': canonicalEmail(whole)},
    ...values.map((field) => ({
      where: `${field} in :forms`,
      'var.forms': [...new Set([whole, whole.toUpperCase(), whole.toLowerCase()])],
    })),
    ...[...names, 'companyName'].map((field) => ({
      where: `${field} in :forms`,
      'var.forms': [...writtenAs(whole), words.map(named).join(' ')],
    })),
    ...splits(words).map(([first, last]) => ({
      where: `${firstName} in :first and ${lastName} in :last`,
      'var.first': [...writtenAs(first), ...writtenAs(first.split(' ').map(named).join(' '))],
      'var.last': [...writtenAs(last), ...writtenAs(last.split(' ').map(named).join(' '))],
    })),
    ...streets(words).map(([street, number]) => ({
      where: 'addresses(streetName in :streets and streetNumber in :numbers)',
      'var.streets': writtenStreets(street),
      'var.numbers': [...new Set([number, number.toLowerCase(), number.toUpperCase()])],
    })),
    ...(dates.length > 0 ? [{where: 'dateOfBirth in :dates', 'var.dates': dates}] : []),
  ]
  const pages = await Promise.all(
    asked.map((query) => client.call(queryCustomers, {}, {query: {...query, limit, withTotal: false}})),
  )
  const all = new Map(pages.flatMap(({results}) => results.map((customer) => [customer.id, customer] as const)))
  const results = [...all.values()].slice(0, limit)
  const isCut = all.size > limit || pages.some((page) => isFull(page, limit))
  return {limit, count: results.length, ...(isCut ? {} : {total: all.size}), by: 'exact', results}
}

/** First and last names that the words may be, either way round; more than a few words are a company. */
function splits(words: readonly string[]): (readonly [string, string])[] {
  if (words.length < 2 || words.length > 4) return []
  return words.slice(1).flatMap((_, at) => {
    const [front, back] = [words.slice(0, at + 1).join(' '), words.slice(at + 1).join(' ')]
    return [[front, back] as const, [back, front] as const]
  })
}

function streets(words: readonly string[]): (readonly [string, string])[] {
  const number = words.at(-1) ?? ''
  return words.length > 1 && /^\d{1,4}\p{L}?$/u.test(number) ? [[words.slice(0, -1).join(' '), number]] : []
}

/** A street as it is written, and its abbreviation spelled out: `uferstr` is `Uferstraße`. */
const writtenStreets = (street: string): string[] => [
  ...new Set([street, ...['straße', 'strasse'].map((long) => street.replace(/str\.?$/i, long))].flatMap(writtenAs)),
]

/** Ids of customers who had this email before, as messages tell; none where they may not be read. */
async function formerlyOf(client: Client, email: string): Promise<readonly string[]> {
  const where = ['type = "CustomerEmailChanged"', 'oldEmail in :emails']
  const forms = [...new Set([email, email.toLowerCase()])]
  const query = {where, 'var.emails': forms, sort: ['createdAt desc'], limit: 20, withTotal: false}
  try {
    const {results} = await client.call(queryMessages, {}, {query})
    return [...new Set(results.flatMap(({resource}) => (resource.typeId === 'customer' ? [resource.id] : [])))]
  } catch (error) {
    if (error instanceof ApiError && [400, 403, 404].includes(error.statusCode)) return []
    throw error
  }
}
