import {equal} from '../equal.js'
import type {Cart, CustomLineItem, LineItem} from './cart.js'
import type {ShippingMethod} from './catalogue.js'

/**
 * Whether an anonymous cart may go into a customer's: both have one currency and store, and its shipping method is
 * active and, if bound to stores, bound to the cart's. Source: API › Customers, Behaviour rules.
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
  /** Ids of the copied lines. */
  readonly newId: () => string
}

/**
 * The customer's cart with what the anonymous one holds: of matching lines the higher quantity, everything else copied.
 * A line whose key stands for something else in the customer's cart stays behind.
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

/** A slug may repeat; with another price or tax it is another thing. */
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

/** The line with another quantity; what is added is in the first of the states that its units are spread over. */
function withQuantity<L extends LineItem | CustomLineItem>(line: L, quantity: number, now: string): L {
  if (quantity === line.quantity) return line
  const [first, ...rest] = line.state ?? []
  const state = first && [{...first, quantity: first.quantity + quantity - line.quantity}, ...rest]
  const stamp = 'lastModifiedAt' in line ? {lastModifiedAt: now} : {}
  return {...line, ...stamp, quantity, ...(state ? {state} : {})}
}
