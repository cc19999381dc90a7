import * as v from 'valibot'
import {addressFields} from '../address-fields.js'
import {customFieldsView, type Deep, documentMembers, referenceTo, StoreKeyReference} from '../customers/customer.js'
import {byField} from '../field.js'
import {Moment} from '../shape-of.js'

export const quoteStates = [
  'Pending',
  'Declined',
  'DeclinedForRenegotiation',
  'RenegotiationAddressed',
  'Accepted',
  'Withdrawn',
] as const

export type QuoteState = (typeof quoteStates)[number]

const maybe = v.exactOptional
const text = maybe(v.string())
const number = maybe(v.number())
const open = maybe(v.record(v.string(), v.unknown()))
const openList = maybe(v.array(v.record(v.string(), v.unknown())))
const reference = maybe(v.looseObject({typeId: v.string(), id: v.string()}))

/** An amount of a currency in its smallest unit, of which `fractionDigits` say how many digits follow the point. */
export const Money = v.object({
  type: v.picklist(['centPrecision', 'highPrecision']),
  currencyCode: v.string(),
  centAmount: v.number(),
  fractionDigits: v.number(),
  preciseAmount: number,
})

export type Money = v.InferOutput<typeof Money>

const TaxPortion = v.looseObject({rate: number, amount: maybe(Money), name: text})
const TaxedPrice = v.looseObject({
  totalNet: Money,
  totalGross: Money,
  totalTax: maybe(Money),
  taxPortions: maybe(v.array(TaxPortion)),
})
const TaxRate = v.looseObject({
  id: text,
  key: text,
  name: text,
  amount: number,
  includedInPrice: maybe(v.boolean()),
  country: text,
  state: text,
})
const Address = v.looseObject({
  ...byField(addressFields, () => text),
  id: text,
  country: text,
  custom: maybe(customFieldsView('address')),
})

const lineMembers = {
  id: v.string(),
  key: text,
  name: open,
  quantity: v.number(),
  totalPrice: Money,
  taxedPrice: maybe(TaxedPrice),
  taxRate: maybe(TaxRate),
  state: maybe(v.array(v.looseObject({quantity: number, state: reference}))),
  priceMode: text,
  shippingDetails: open,
  custom: maybe(customFieldsView('line-item')),
}

const LineItem = v.looseObject({
  ...lineMembers,
  productId: text,
  productKey: text,
  productSlug: open,
  productType: maybe(v.looseObject({typeId: v.string(), id: v.string(), version: number})),
  variant: maybe(
    v.looseObject({
      id: number,
      sku: text,
      key: text,
      prices: openList,
      attributes: openList,
      images: openList,
      assets: openList,
    }),
  ),
  price: maybe(
    v.looseObject({
      id: text,
      key: text,
      value: maybe(Money),
      country: text,
      customerGroup: reference,
      channel: reference,
    }),
  ),
  perMethodTaxRate: openList,
  taxedPricePortions: openList,
  discountedPricePerQuantity: openList,
  supplyChannel: reference,
  distributionChannel: reference,
  inventoryMode: text,
  lineItemMode: text,
  addedAt: maybe(Moment),
  lastModifiedAt: maybe(Moment),
})

const CustomLineItem = v.looseObject({...lineMembers, slug: text, money: maybe(Money), taxCategory: reference})

const ShippingInfo = v.looseObject({
  shippingMethodName: text,
  price: maybe(Money),
  shippingMethod: reference,
  shippingMethodState: text,
  taxedPrice: maybe(TaxedPrice),
  taxRate: maybe(TaxRate),
  taxCategory: reference,
  shippingRate: open,
  deliveries: openList,
})

/** A quote, as stored and as replies show it. Source: API › Quote. */
export const Quote = v.object({
  ...documentMembers,
  key: text,
  quoteRequest: referenceTo('quote-request'),
  stagedQuote: referenceTo('staged-quote'),
  customer: maybe(referenceTo('customer')),
  customerGroup: maybe(referenceTo('customer-group')),
  validTo: maybe(Moment),
  sellerComment: text,
  buyerComment: text,
  store: maybe(StoreKeyReference),
  businessUnit: maybe(v.object({typeId: v.literal('business-unit'), key: v.string()})),
  lineItems: v.array(LineItem),
  customLineItems: v.array(CustomLineItem),
  totalPrice: Money,
  taxedPrice: maybe(TaxedPrice),
  shippingAddress: maybe(Address),
  billingAddress: maybe(Address),
  itemShippingAddresses: maybe(v.array(Address)),
  inventoryMode: text,
  taxMode: v.string(),
  priceRoundingMode: v.string(),
  taxRoundingMode: v.string(),
  taxCalculationMode: v.string(),
  country: text,
  shippingInfo: maybe(ShippingInfo),
  shippingRateInput: open,
  paymentInfo: maybe(v.looseObject({payments: maybe(v.array(v.looseObject({typeId: text, id: text})))})),
  directDiscounts: v.array(v.record(v.string(), v.unknown())),
  custom: maybe(customFieldsView('quote')),
  quoteState: v.picklist(quoteStates),
  state: maybe(referenceTo('state')),
  purchaseOrderNumber: text,
})

/** An interface, so that declarations name it in place of writing it out. */
export interface Quote extends Deep<v.InferOutput<typeof Quote>> {}
