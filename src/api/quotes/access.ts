import {ApiError, notFound} from '../../domain/errors.js'
import type {Quote} from '../../domain/quotes/quote.js'
import type {Predicate} from '../../query/ast.js'
import type {Name} from '../operation/by-id-and-key.js'
import type {Context} from '../operation/context.js'
import {isVisible} from '../operation/read.js'

/** Quotes visible to a customer's token: their own; in a store those of that store or of none (decision 31). */

/** The customer that the token is bound to. Throws insufficient_scope for a token without one. */
export function customerOf({principal}: Context): string {
  if (principal.kind === 'bearer' && principal.customerId !== undefined) return principal.customerId
  throw ApiError.of('insufficient_scope', {missing: ['customer_id']})
}

const storeOf = (key: string): Predicate => ({
  op: 'or',
  terms: [
    {op: 'defined', field: {path: ['store'], type: 'unknown'}, negated: true},
    {
      op: 'nested',
      path: ['store'],
      single: true,
      term: {op: 'compare', field: {path: ['key'], type: 'string'}, comparison: '=', value: key},
    },
  ],
})

/** Matches the customer's own quotes, to be AND-ed to the predicate of the request; the facet is an index. */
export function ownQuotes(context: Context): Predicate {
  const own: Predicate = {
    op: 'compare',
    field: {path: ['customerId'], type: 'string', facet: 'customerId'},
    comparison: '=',
    value: customerOf(context),
  }
  const {storeKey} = context
  return storeKey === undefined ? own : {op: 'and', terms: [own, storeOf(storeKey)]}
}

/** The customer's own quote. Throws ResourceNotFound for any other, whether it exists or not. */
export async function ownQuote(context: Context, name: Name): Promise<Quote> {
  const {platform, project, storeKey} = context
  const customerId = customerOf(context)
  const quote =
    'id' in name
      ? await platform.state.get<Quote>(project.key, 'quote', name.id)
      : await platform.state.find<Quote>(project.key, 'quote', `key:${name.key}`)
  if (quote && quote.customer?.id === customerId && isVisible(quote, storeKey)) return quote
  throw notFound(
    'id' in name ? `The Quote with ID '${name.id}' was not found.` : `The Quote with key '${name.key}' was not found.`,
  )
}
