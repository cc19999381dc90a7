import {ApiError} from '../../domain/errors.js'
import type {Quote} from '../../domain/quotes/quote.js'
import type {Predicate} from '../../query/ast.js'
import {allOf, either, is, isAbsent, isFacet} from '../../query/predicates.js'
import type {Name} from '../operation/by-id-and-key.js'
import type {Context} from '../operation/context.js'
import {documentBy, isVisible, missing} from '../operation/read.js'

/** Quotes visible to a customer's token: their own; in a store those of that store or of none (decision 31). */

/** The customer that the token is bound to. Throws insufficient_scope for a token without one. */
export function customerOf({principal}: Context): string {
  if (principal.kind === 'bearer' && principal.customerId !== undefined) return principal.customerId
  throw ApiError.of('insufficient_scope', {missing: ['customer_id']})
}

const storeOf = (key: string): Predicate =>
  either(isAbsent('store'), {op: 'nested', path: ['store'], single: true, term: is('key', key)})

/** Matches the customer's own quotes, to be AND-ed to the predicate of the request; the facet is an index. */
export function ownQuotes(context: Context): Predicate {
  const {storeKey} = context
  const own = isFacet('customerId', customerOf(context))
  return allOf(own, storeKey === undefined ? undefined : storeOf(storeKey)) ?? own
}

/** The customer's own quote. Throws ResourceNotFound for any other, whether it exists or not. */
export async function ownQuote(context: Context, name: Name): Promise<Quote> {
  const customerId = customerOf(context)
  const quote = await documentBy<Quote>(context, 'quote', name)
  if (quote && quote.customer?.id === customerId && isVisible(quote, context.storeKey)) return quote
  throw missing('Quote', name)
}
