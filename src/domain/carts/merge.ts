import {defined, equal} from '../equal.js'
import type {Cart, CustomLineItem, LineItem} from './cart.js'
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
  /** An id for each copied line. */
  readonly newId: () => string
}

/**
 * The customer's cart with the lines of the anonymous one: matching lines take the higher quantity, others are copied.
 * A line whose key the customer's cart uses for another line is left out.
 */
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
  return {...line, ...stamp, quantity, ...defined({state})}
}
