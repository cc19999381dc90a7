import type {Customer} from '../customers/customer.js'
import {defined, equal} from '../equal.js'
import {type Cart, type CustomLineItem, isCurrent, type LineItem} from './cart.js'
import type {ShippingMethod} from './catalogue.js'

/**
 * Whether an anonymous cart may be merged into a customer's: both have the same currency and store, and its shipping
 * method is active and, if limited to stores, available in the cart's. Source: API › Customers, Behaviour rules.
 */
export function mayMerge(anonymous: Cart, into: Cart, method: ShippingMethod | undefined): boolean {
  const isAlike =
    anonymous.totalPrice.currencyCode === into.totalPrice.currencyCode && anonymous.store?.key === into.store?.key
  if (!isAlike || method === undefined) return isAlike
  const isBound = method.stores.length > 0
  return method.active && (!isBound || method.stores.some(({key}) => key === anonymous.store?.key))
}

export interface Merging {
  /** ISO 8601. */
  readonly now: string
  readonly newId: () => string
}

/** Like lines take the higher quantity, others are copied unless the customer's cart has their key for another. */
export function merged(into: Cart, anonymous: Cart, merging: Merging): Cart {
  return {
    ...into,
    lineItems: mergedLines(into.lineItems, anonymous.lineItems, isSameVariant, merging),
    customLineItems: mergedLines(into.customLineItems, anonymous.customLineItems, isSameCustom, merging),
  }
}

const isSameVariant = (a: LineItem, b: LineItem): boolean =>
  a.productId === b.productId && a.variant.id === b.variant.id

/** Whether two custom lines match. Slugs may repeat, so price and tax category must be equal as well. */
const isSameCustom = (a: CustomLineItem, b: CustomLineItem): boolean =>
  a.slug === b.slug && equal(a.money, b.money) && a.taxCategory?.id === b.taxCategory?.id

function mergedLines<L extends LineItem | CustomLineItem>(
  present: readonly L[],
  arriving: readonly L[],
  isSame: (a: L, b: L) => boolean,
  {now, newId}: Merging,
): L[] {
  const lines = [...present]
  const copies: L[] = []
  for (const line of arriving) {
    const keyed = line.key === undefined ? -1 : present.findIndex(({key}) => key === line.key)
    const at = keyed >= 0 ? keyed : present.findIndex((candidate) => isSame(candidate, line))
    const match = lines[at]
    if (!match) copies.push({...line, id: newId()})
    else if (isSame(match, line)) lines[at] = withQuantity(match, Math.max(match.quantity, line.quantity), now)
  }
  return [...lines, ...copies]
}

/** The line with another quantity; added units get the first of its item states. */
function withQuantity<L extends LineItem | CustomLineItem>(line: L, quantity: number, now: string): L {
  if (quantity === line.quantity) return line
  const [first, ...rest] = line.state ?? []
  const state = first && [{...first, quantity: first.quantity + quantity - line.quantity}, ...rest]
  const stamp = 'lastModifiedAt' in line ? {lastModifiedAt: now} : {}
  const {shippingDetails: before} = line
  const sum = before?.targets.reduce((total, target) => total + target.quantity, 0)
  const shippingDetails = before && {...before, valid: sum === quantity}
  return {...line, ...stamp, quantity, ...defined({state, shippingDetails})}
}

export const mergeModes = ['MergeWithExistingCustomerCart', 'UseAsNewActiveCustomerCart'] as const
export type MergeMode = (typeof mergeModes)[number]

export interface Involved extends Merging {
  readonly customer: Pick<Customer, 'id' | 'email'>
  readonly active?: Cart
  /** The anonymous cart that the request names. */
  readonly anonymous?: Cart
  /** All carts of the anonymous id that the request names, most recently modified first. */
  readonly session: readonly Cart[]
  readonly mode: MergeMode
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
