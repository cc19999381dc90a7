import type * as v from 'valibot'
import type {Facts} from '../../domain/action.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {myQuoteActions} from '../../domain/quotes/actions.js'
import {type AssociateRole, type BusinessUnit, roleKeysOf, sharedParent} from '../../domain/quotes/associates.js'
import {Quote} from '../../domain/quotes/quote.js'
import {allOf, isFacet} from '../../query/predicates.js'
import {documentOf, readingOf, type Visibility} from '../collections/reading.js'
import {byIdAndKey} from '../operation/by-id-and-key.js'
import {changed, taking} from '../operation/change.js'
import {ownCollection} from '../operation/collection-table.js'
import {bearerOf, type Context} from '../operation/context.js'
import {documentBy, isVisible, visibleIn} from '../operation/read.js'
import {existenceOf} from '../operation/registered.js'

/** Quotes visible to a customer's token: their own; in a store those of that store or of none (decision 31). */

/** The customer that the token is bound to. Throws insufficient_scope for a token without one. */
function customerOf(context: Context): string {
  const {customerId} = bearerOf(context)
  if (customerId !== undefined) return customerId
  throw ApiError.of('insufficient_scope', {missing: ['customer_id']})
}

/** The customer's own quotes: any other is not found, whether it exists or not. The facet is an index. */
function ownQuotes(context: Context): Visibility<Quote> {
  const customerId = customerOf(context)
  return {
    where: allOf(isFacet('customerId', customerId), visibleIn(context)),
    has: (quote) => quote.customer?.id === customerId && isVisible(quote, context.storeKey),
  }
}

/** Levels of business units; the platform's hierarchy is no deeper. */
const maxLevels = 5

/** A unit and its ancestors that share associates. `isWhole` is false if the next ancestor is not stored here. */
async function lineOf(context: Context, key: string): Promise<{line: readonly BusinessUnit[]; isWhole: boolean}> {
  const line: BusinessUnit[] = []
  let next: string | undefined = key
  while (next !== undefined && line.length < maxLevels) {
    const unit: BusinessUnit | undefined = await documentBy<BusinessUnit>(context, 'business-unit', {key: next})
    if (!unit) return {line, isWhole: false}
    line.push(unit)
    next = sharedParent(unit)?.key
  }
  return {line, isWhole: true}
}

/** A customer as an associate of a business unit: without permissions unless stored units and roles grant them. */
async function associateOf(
  context: Context,
  customerId: string,
  unitKey: string,
): Promise<NonNullable<Facts['associate']>> {
  const {line, isWhole} = await lineOf(context, unitKey)
  const keys = roleKeysOf(line, isWhole, customerId)
  const roles = await Promise.all(keys.map((key) => documentBy<AssociateRole>(context, 'associate-role', {key})))
  return {customerId, permissions: new Set(roles.flatMap((role) => role?.permissions ?? []))}
}

const shared = {
  area: 'My Quotes',
  path: '/{projectKey}/me/quotes',
  permission: {kind: 'bearer', anyOf: ['manage_my_quotes'], bound: 'customer'},
  // The type of the reply is the domain's, whose members are read-only.
  reply: Quote as unknown as v.GenericSchema<Quote>,
  inStore: true,
} as const

const collection = ownCollection('quote')

export const [getMyQuoteById, getMyQuoteByKey, queryMyQuotes] = readingOf({
  ...shared,
  collection,
  label: 'MyQuote',
  things: ['a quote of the customer', 'quotes of the customer'],
  visible: ownQuotes,
})

export const myQuoteExistsById = existenceOf(getMyQuoteById)
export const myQuoteExistsByKey = existenceOf(getMyQuoteByKey)
export const myQuoteExistsByQuery = existenceOf(queryMyQuotes)

export const [updateMyQuoteById, updateMyQuoteByKey] = byIdAndKey({
  ...shared,
  id: 'updateMyQuote',
  method: 'POST',
  summary: 'answer a quote, or change its custom fields, by update actions',
  query: ['expand'],
  ...taking(myQuoteActions),
  unexpected: {
    'business-unit': 'who may answer is decided when the request comes',
    'associate-role': 'as business units',
  },
  handle: async (context, name, {body}) => {
    const quote = await documentOf(context, collection, name, ownQuotes(context))
    const {businessUnit} = quote
    const associate = businessUnit && (await associateOf(context, customerOf(context), businessUnit.key))
    return changed(context, 'quote', quote, body, {own: defined({associate})})
  },
})

export const myQuoteOperations = [queryMyQuotes, getMyQuoteById, getMyQuoteByKey, updateMyQuoteById, updateMyQuoteByKey]
