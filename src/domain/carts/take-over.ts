import type {Customer} from '../customers/customer.js'
import {defined} from '../equal.js'
import {type Cart, isCurrent} from './cart.js'
import type {ShippingMethod} from './catalogue.js'
import {type Merging, mayMerge, merged} from './merge.js'

export const mergeModes = ['MergeWithExistingCustomerCart', 'UseAsNewActiveCustomerCart'] as const
export type MergeMode = (typeof mergeModes)[number]

/** The carts that a sign-up or sign-in involves. */
export interface Involved extends Merging {
  readonly customer: Pick<Customer, 'id' | 'email'>
  /** The customer's most recently modified active cart. */
  readonly active?: Cart
  /** The anonymous cart that the request names. */
  readonly anonymous?: Cart
  /** All carts of the anonymous id that the request names, most recently modified first. */
  readonly session: readonly Cart[]
  readonly mode: MergeMode
  /** The shipping method of the anonymous cart. */
  readonly method?: ShippingMethod
}

export interface TakeOver {
  /** The customer's cart afterwards, still to be recalculated. Absent: no active cart. */
  readonly result?: Cart
  /** Whether the recalculation of the result keeps its tax rates. */
  readonly keepTaxRates: boolean
  /** The changed carts, most recently modified first. */
  readonly changed: readonly Cart[]
}

/** The cart with the customer as its owner. */
const ownedBy = ({id, email}: Pick<Customer, 'id' | 'email'>, cart: Cart): Cart =>
  defined({...cart, customerId: id, customerEmail: email, anonymousId: undefined})

/**
 * Hands the carts of an anonymous session to the customer who signs in (decision 33). The anonymous cart is merged or
 * becomes the customer's; one that may not be merged stays as it is, unless its anonymous id is taken over as well.
 */
export function takeOver(involved: Involved): TakeOver {
  const {customer, active, anonymous, session, mode, method} = involved
  const own = (cart: Cart) => ownedBy(customer, cart)
  const others = session.filter(({id}) => id !== anonymous?.id).map(own)
  if (anonymous && (!active || mode === 'UseAsNewActiveCustomerCart')) {
    return outcome([own(anonymous), ...others], active, active !== undefined && keepsRates(anonymous, active))
  }
  if (anonymous && active && mayMerge(anonymous, active, method)) {
    const past = {...own(anonymous), cartState: 'Merged'}
    return outcome([merged(active, anonymous, involved), ...others, past], undefined)
  }
  return outcome(session.map(own), active)
}

function outcome(changed: readonly Cart[], active: Cart | undefined, keepTaxRates = false): TakeOver {
  const result = changed.find(isCurrent) ?? active
  return {changed, keepTaxRates, ...(result ? {result} : {})}
}

/** Whether a cart that replaces the active one keeps its tax rates: not if only the other had a shipping address. */
const keepsRates = (anonymous: Cart, active: Cart): boolean =>
  active.shippingAddress === undefined || anonymous.shippingAddress !== undefined
