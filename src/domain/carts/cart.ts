import * as v from 'valibot'
import {invalidOperation} from '../errors.js'
import {Money, roundingModes} from './money.js'

/**
 * The members of a cart that sign-up and sign-in read. Carts are stored as seeded, unchecked: members that are read
 * have a schema here, all others pass through. Source: API › Carts.
 */

const maybe = v.exactOptional
export const Reference = v.looseObject({typeId: v.string(), id: v.string()})
const Quantity = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const Price = v.looseObject({
  value: Money,
  country: maybe(v.string()),
  customerGroup: maybe(v.looseObject({id: v.string()})),
  channel: maybe(v.looseObject({id: v.string()})),
  recurrencePolicy: maybe(v.looseObject({id: v.string()})),
  validFrom: maybe(v.string()),
  validUntil: maybe(v.string()),
  discounted: maybe(v.looseObject({value: Money})),
})

export const TaxRate = v.looseObject({
  name: v.optional(v.string(), ''),
  amount: v.pipe(v.number(), v.finite(), v.minValue(0)),
  includedInPrice: v.boolean(),
  country: v.string(),
  state: maybe(v.string()),
})

const TaxedPrice = v.looseObject({
  totalNet: Money,
  totalGross: Money,
  totalTax: Money,
  taxPortions: v.array(v.looseObject({rate: v.number(), amount: Money, name: maybe(v.string())})),
})

const DiscountedQuantity = v.looseObject({
  quantity: Quantity,
  discountedPrice: v.looseObject({value: Money}),
})

const lineMembers = {
  id: v.string(),
  key: maybe(v.string()),
  quantity: Quantity,
  totalPrice: Money,
  discountedPricePerQuantity: v.optional(v.array(DiscountedQuantity), []),
  taxRate: maybe(TaxRate),
  taxedPrice: maybe(TaxedPrice),
  state: maybe(v.array(v.looseObject({quantity: Quantity}))),
  shippingDetails: maybe(v.looseObject({targets: v.array(v.looseObject({quantity: Quantity}))})),
}

export const LineItem = v.looseObject({
  ...lineMembers,
  productId: v.string(),
  productType: maybe(Reference),
  variant: v.looseObject({id: v.number()}),
  distributionChannel: maybe(Reference),
  recurrenceInfo: maybe(v.looseObject({recurrencePolicy: Reference})),
  price: Price,
  priceMode: v.optional(v.string(), 'Platform'),
  lineItemMode: v.optional(v.string(), 'Standard'),
})

export const CustomLineItem = v.looseObject({
  ...lineMembers,
  slug: v.string(),
  money: Money,
  taxCategory: maybe(Reference),
})

export const ShippingRate = v.looseObject({
  price: Money,
  freeAbove: maybe(Money),
  tiers: v.optional(v.array(v.unknown()), []),
})

export const ShippingInfo = v.looseObject({
  price: Money,
  discountedPrice: maybe(v.looseObject({value: Money})),
  shippingRate: maybe(ShippingRate),
  shippingMethod: maybe(Reference),
  taxCategory: maybe(Reference),
  taxRate: maybe(TaxRate),
  taxedPrice: maybe(TaxedPrice),
})

/** What the platform always shows of a cart, and one that was seeded may lack. */
export const cartDefaults = {
  cartState: 'Active',
  origin: 'Customer',
  inventoryMode: 'None',
  shippingMode: 'Single',
  taxMode: 'Platform',
  taxCalculationMode: 'LineItemLevel',
  taxRoundingMode: 'HalfEven',
  priceRoundingMode: 'HalfEven',
} as const

const Cart = v.looseObject({
  id: v.string(),
  version: v.number(),
  key: maybe(v.string()),
  createdAt: maybe(v.string()),
  lastModifiedAt: maybe(v.string()),
  customerId: maybe(v.string()),
  customerEmail: maybe(v.string()),
  customerGroup: maybe(Reference),
  anonymousId: maybe(v.string()),
  store: maybe(v.looseObject({key: v.string()})),
  country: maybe(v.string()),
  shippingAddress: maybe(v.looseObject({country: v.string(), state: maybe(v.string())})),
  cartState: v.optional(v.string(), cartDefaults.cartState),
  origin: v.optional(v.string(), cartDefaults.origin),
  shippingMode: v.optional(v.string(), cartDefaults.shippingMode),
  taxMode: v.optional(v.string(), cartDefaults.taxMode),
  taxCalculationMode: v.optional(v.string(), cartDefaults.taxCalculationMode),
  priceRoundingMode: v.optional(v.picklist(roundingModes), cartDefaults.priceRoundingMode),
  taxRoundingMode: v.optional(v.picklist(roundingModes), cartDefaults.taxRoundingMode),
  lineItems: v.optional(v.array(LineItem), []),
  customLineItems: v.optional(v.array(CustomLineItem), []),
  totalPrice: Money,
  taxedPrice: maybe(TaxedPrice),
  shippingInfo: maybe(ShippingInfo),
  shipping: v.optional(v.array(v.looseObject({shippingInfo: maybe(ShippingInfo)})), []),
})

export type Cart = v.InferOutput<typeof Cart>
export type LineItem = v.InferOutput<typeof LineItem>
export type CustomLineItem = v.InferOutput<typeof CustomLineItem>
export type ShippingInfo = v.InferOutput<typeof ShippingInfo>
export type Price = v.InferOutput<typeof Price>
export type TaxRate = v.InferOutput<typeof TaxRate>
export type TaxedPrice = v.InferOutput<typeof TaxedPrice>

/** Validates a seeded document, which is stored unchecked. Throws InvalidOperation with the path of the problem. */
export function reading<T>(label: string, schema: v.GenericSchema<unknown, T>) {
  return (document: {readonly id: string}): T => {
    const result = v.safeParse(schema, document)
    if (result.success) return result.output
    const [issue] = result.issues
    const path = (issue.path ?? []).map(({key}) => String(key)).join('.')
    throw invalidOperation(`The ${label} '${document.id}' cannot be used as it was seeded: ${path}: ${issue.message}.`)
  }
}

export const readCart: (document: {readonly id: string}) => Cart = reading('cart', Cart)

/** States of a cart that can no longer be active. */
export const pastStates = ['Merged', 'Ordered', 'Frozen'] as const
/** Origins that the look-up of the active cart ignores. */
export const foreignOrigins = ['Merchant', 'Quote'] as const

export const isActive = ({cartState}: Cart): boolean => !(pastStates as readonly string[]).includes(cartState)

export const isCurrent = (cart: Cart): boolean =>
  isActive(cart) && !(foreignOrigins as readonly string[]).includes(cart.origin)
