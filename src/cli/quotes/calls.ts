import {Args} from '@oclif/core'
import {
  getMyQuoteById,
  getMyQuoteByKey,
  myQuoteExistsById,
  myQuoteExistsByKey,
  myQuoteExistsByQuery,
} from '../../api/quotes/operations.js'
import type {Client, QueryValue} from '../../client/client.js'
import type {Quote} from '../../domain/quotes/quote.js'
import {isFound} from '../input/is-found.js'
import {parseRef} from '../input/refs.js'
import {usage} from '../process/failure.js'

export {queryMyQuotes} from '../../api/quotes/operations.js'

/** Calls about a customer's quotes that several commands share. */

export type QuoteRef = {readonly by: 'id' | 'key'; readonly value: string}

/** Reads a REF of a quote: an id or `key=KEY`. */
export function parseQuoteRef(text: string): QuoteRef {
  const {by, value} = parseRef(text)
  if (by === 'id' || by === 'key') return {by, value}
  throw usage(`A quote has no ${by}.`, 'Give an id or key=KEY.')
}

export const quoteArg = Args.string({required: true, ignoreStdin: true, description: 'a quote: an id or key=KEY'})

export function quoteOf(client: Client, ref: QuoteRef, expand?: readonly string[]): Promise<Quote> {
  const query: Record<string, QueryValue> = expand === undefined || expand.length === 0 ? {} : {expand}
  return ref.by === 'id'
    ? client.call(getMyQuoteById, {id: ref.value}, {query})
    : client.call(getMyQuoteByKey, {key: ref.value}, {query})
}

/** Whether the customer has a quote, without reading it. */
export const quoteExists = (client: Client, ref: QuoteRef): Promise<boolean> =>
  isFound(
    ref.by === 'id'
      ? client.call(myQuoteExistsById, {id: ref.value})
      : client.call(myQuoteExistsByKey, {key: ref.value}),
  )

/** Whether any quote of the customer satisfies the predicates. */
export const anyQuote = (client: Client, query: Readonly<Record<string, QueryValue>>): Promise<boolean> =>
  isFound(client.call(myQuoteExistsByQuery, {}, {query}))
