import type {Predicate} from '../../query/ast.js'
import {allOf, is, isAbsent, isFacet} from '../../query/predicates.js'
import type {Document} from '../../store/store.js'
import type {Visibility} from '../collections/reading.js'
import type {Context} from '../operation/context.js'

/** Which carts exist for a caller: below a store those of that store, below `/me` those of the customer or session. */

interface Owned extends Document {
  readonly customerId?: string
  readonly anonymousId?: string
  readonly store?: {readonly key: string}
}

const inPlace = ({store}: Owned, {storeKey}: Context): boolean => storeKey === undefined || store?.key === storeKey

const ofStore = ({storeKey}: Context): Predicate[] => (storeKey === undefined ? [] : [is(['store', 'key'], storeKey)])

/** Unlike customers, carts without a store do not exist below one. Source: API › Carts in Store. */
export const placedCarts = (context: Context): Visibility => ({
  where: allOf(...ofStore(context)),
  has: (cart) => inPlace(cart, context),
})

/** The owner that the token is bound to, as members of a cart. */
export function ownerOf({principal}: Context): {readonly customerId: string} | {readonly anonymousId: string} {
  const {customerId, anonymousId = ''} = principal.kind === 'bearer' ? principal : {}
  return customerId === undefined ? {anonymousId} : {customerId}
}

/** The predicates of the carts of the customer, or of the session while they are nobody else's. */
export function ownTerms(context: Context): readonly Predicate[] {
  const owner = ownerOf(context)
  const own = 'customerId' in owner ? [isFacet('customerId', owner.customerId)] : []
  const ofSession = 'anonymousId' in owner ? [isFacet('anonymousId', owner.anonymousId), isAbsent('customerId')] : []
  return [...own, ...ofSession, ...ofStore(context)]
}

export function ownCarts(context: Context): Visibility {
  const owner = ownerOf(context)
  const isOwn = ({customerId, anonymousId}: Owned): boolean =>
    'customerId' in owner
      ? customerId === owner.customerId
      : customerId === undefined && anonymousId === owner.anonymousId
  return {where: allOf(...ownTerms(context)), has: (cart) => isOwn(cart) && inPlace(cart, context)}
}
