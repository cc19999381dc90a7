import type * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {myQuoteActions} from '../../domain/quotes/actions.js'
import {Quote, quoteShape} from '../../domain/quotes/quote.js'
import {byIdAndKey} from '../operation/by-id-and-key.js'
import {foldedOver, taking, type Update} from '../operation/change.js'
import {commit, putOf, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {operation} from '../operation/operation.js'
import {page, pageOf} from '../operation/read.js'
import {existenceOf} from '../operation/registered.js'
import {customerOf, ownQuote, ownQuotes} from './access.js'
import {associateOf} from './associates.js'

const area = 'My Quotes'
const permission = {kind: 'bearer', anyOf: ['manage_my_quotes'], bound: 'customer'} as const
const path = '/{projectKey}/me/quotes'

/** The schema of a reply that is one quote. Its type is the domain's, whose members are read-only. */
const QuoteReply = Quote as unknown as v.GenericSchema<Quote>

export const [getMyQuoteById, getMyQuoteByKey] = byIdAndKey({
  id: 'getMyQuote',
  head: 'myQuoteExists',
  method: 'GET',
  path,
  summary: 'read a quote of the customer',
  area,
  permission,
  query: ['expand'],
  reply: QuoteReply,
  inStore: true,
  handle: ownQuote,
})

export const queryMyQuotes = operation({
  id: 'queryMyQuotes',
  head: 'myQuoteExistsByQuery',
  method: 'GET',
  path,
  summary: 'find quotes of the customer by predicates',
  area,
  permission,
  query: ['where', 'sort', 'expand', 'limit', 'offset', 'withTotal', 'var.*'],
  reply: pageOf(QuoteReply),
  inStore: true,
  handle: async (context, {query}) => page<Quote>(context, 'quote', quoteShape, query, ownQuotes(context)),
})

export const myQuoteExistsById = existenceOf(getMyQuoteById)
export const myQuoteExistsByKey = existenceOf(getMyQuoteByKey)
export const myQuoteExistsByQuery = existenceOf(queryMyQuotes)

/** Folds the actions over a quote and commits it with its messages; without a change nothing is written. */
async function changeQuote(context: Context, before: Quote, body: Update<Quote>): Promise<Quote> {
  const {businessUnit} = before
  const associate = businessUnit && (await associateOf(context, customerOf(context), businessUnit.key))
  const {next, messages, required} = await foldedOver(context, before, body, defined({associate}))
  if (next === before) return before
  const {resource, messages: stored} = revised(context, 'quote', next, messages)
  await commit(context, resource, [...required, putOf('quote', before.version, resource), ...stored])
  return resource
}

export const [updateMyQuoteById, updateMyQuoteByKey] = byIdAndKey({
  id: 'updateMyQuote',
  method: 'POST',
  path,
  summary: 'answer a quote, or change its custom fields, by update actions',
  area,
  permission,
  query: ['expand'],
  ...taking(myQuoteActions),
  reply: QuoteReply,
  inStore: true,
  handle: async (context, name, {body}) => changeQuote(context, await ownQuote(context, name), body),
})

/** Quotes of the customer of a token. Source: API › My Quotes. */
export const myQuoteOperations = [queryMyQuotes, getMyQuoteById, getMyQuoteByKey, updateMyQuoteById, updateMyQuoteByKey]
