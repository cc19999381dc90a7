import {ApiError} from '../../domain/errors.js'
import type {Predicate} from '../../query/ast.js'
import {singleOf} from '../../query/page.js'
import {either, is, isAbsent, isFacet, names} from '../../query/predicates.js'
import type {Document} from '../../store/store.js'
import {allWhere} from '../documents/walk.js'
import type {Context} from './context.js'
import type {DeprecatedUse, Query} from './operation.js'
import {holdsProjectWide} from './permit.js'
import {documentBy, isVisible, missing} from './read.js'

/** A query parameter that predicates replaced: it still filters, and the reply carries a notice (decision 36). */
export interface DeprecatedFilter extends Omit<DeprecatedUse, 'feature' | 'usedBy'> {
  readonly typeId: string
  readonly parameter: string
  /** A predicate that is AND-ed to those of the request. */
  readonly only: (context: Context, value: string) => Promise<Predicate>
}

interface Cart extends Document {
  readonly shippingAddress?: {readonly country: string; readonly state?: string}
}

async function readableCart(context: Context, id: string): Promise<Cart> {
  const cart = holdsProjectWide(context, 'view_orders') ? await documentBy<Cart>(context, 'cart', {id}) : undefined
  if (cart && isVisible(cart, context.storeKey)) return cart
  throw missing('Cart', {id})
}

async function deliveringTo(context: Context, cartId: string): Promise<Predicate> {
  const {shippingAddress} = await readableCart(context, cartId)
  if (!shippingAddress) {
    throw ApiError.of('InvalidOperation', {message: `The cart '${cartId}' has no shipping address.`})
  }
  const {country, state} = shippingAddress
  const ofState = state === undefined ? isAbsent('state') : either(isAbsent('state'), is('state', state))
  const there = {
    op: 'nested',
    path: ['locations'],
    term: {op: 'and', terms: [is('country', country), ofState]},
  } as const
  const zones = await allWhere(context.runtime.state, context.project.key, 'zone', there)
  return either(...zones.map(({id}) => names('zoneRates.zone.id', id)))
}

const filters: readonly DeprecatedFilter[] = [
  {
    id: 'carts-customer-id-query',
    typeId: 'cart',
    parameter: 'customerId',
    alternative: '/carts/customer-id={customerId}',
    since: '2020-01-27',
    only: async (_context, id) => isFacet('customerId', id),
  },
  {
    id: 'shipping-methods-cart-id-query',
    typeId: 'shipping-method',
    parameter: 'cartId',
    alternative: 'a predicate on zoneRates',
    since: '2020-02-06',
    only: deliveringTo,
  },
]

export const deprecatedFilterOf = (typeId: string): DeprecatedFilter | undefined =>
  filters.find((filter) => filter.typeId === typeId)

/** The predicate of a filter that the request uses. Throws QueryError for one with two values. */
export function deprecatedlyOnly(
  {parameter, only}: DeprecatedFilter,
  context: Context,
  query: Query,
): Promise<Predicate> | undefined {
  const value = singleOf(query, parameter)
  return value === undefined ? undefined : only(context, value)
}

export const deprecatedFilterUse = ({parameter, ...filter}: DeprecatedFilter): DeprecatedUse => ({
  ...filter,
  feature: `query parameter ${parameter}`,
  usedBy: (_body, query) => query.has(parameter),
})
