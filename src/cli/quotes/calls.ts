import {
  getMyQuoteById,
  getMyQuoteByKey,
  myQuoteExistsById,
  myQuoteExistsByKey,
  myQuoteExistsByQuery,
} from '../../api/quotes/operations.js'
import type {Client, QueryValue} from '../../client/client.js'
import type {Quote} from '../../domain/quotes/quote.js'
import {isKey} from '../../domain/rules.js'
import {requiredArg} from '../input/flags.js'
import {ifFound, isFound} from '../input/is-found.js'
import {parseRef} from '../input/refs.js'
import {usage} from '../process/failure.js'

/** A bare word is an id or a key. */
export type QuoteRef = {readonly by: 'id' | 'key' | 'word'; readonly value: string}

/** Reads a REF of a quote: an id or `key=KEY`. */
export function parseQuoteRef(text: string): QuoteRef {
  const {by, value} = parseRef(text)
  if (by === 'id' || by === 'key' || by === 'word') return {by, value}
  throw usage(`A quote has no ${by}.`, 'Give an id or key=KEY.')
}

export const quoteArg = requiredArg('a quote: an id or key=KEY')

export async function quoteOf(client: Client, ref: QuoteRef, expand?: readonly string[]): Promise<Quote> {
  const query: Record<string, QueryValue> = expand === undefined || expand.length === 0 ? {} : {expand}
  const byKey = (): Promise<Quote> => client.call(getMyQuoteByKey, {key: ref.value}, {query})
  if (ref.by === 'key') return byKey()
  const byId = client.call(getMyQuoteById, {id: ref.value}, {query})
  if (ref.by === 'id' || !isKey(ref.value)) return byId
  return (await ifFound(byId)) ?? byKey()
}

/** Whether the customer has a quote, without reading it. */
export async function quoteExists(client: Client, ref: QuoteRef): Promise<boolean> {
  if (ref.by !== 'key' && (await isFound(client.call(myQuoteExistsById, {id: ref.value})))) return true
  return ref.by !== 'id' && isKey(ref.value) && isFound(client.call(myQuoteExistsByKey, {key: ref.value}))
}

export const anyQuote = (client: Client, query: Readonly<Record<string, QueryValue>>): Promise<boolean> =>
  isFound(client.call(myQuoteExistsByQuery, {}, {query}))
