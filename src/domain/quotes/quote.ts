import * as v from 'valibot'
import {Attribution, CustomFieldsView, StoreKeyReference} from '../customers/customer.js'
import {quoteStates} from './states.js'

const maybe = v.exactOptional
const text = v.string()

const referenceTo = <T extends string>(typeId: T) =>
  v.object({typeId: v.literal(typeId), id: text, obj: maybe(v.record(text, v.unknown()))})

/** An amount of a currency in its smallest unit, of which `fractionDigits` say how many digits follow the point. */
export const Money = v.object({
  type: v.picklist(['centPrecision', 'highPrecision']),
  currencyCode: text,
  centAmount: v.number(),
  fractionDigits: v.number(),
  preciseAmount: maybe(v.number()),
})

export type Money = v.InferOutput<typeof Money>

const TaxedPrice = v.looseObject({totalNet: Money, totalGross: Money, totalTax: maybe(Money)})

const LineItem = v.looseObject({id: text, quantity: v.number(), totalPrice: Money})

const openObject = v.record(text, v.unknown())

/** A quote, as stored and as replies show it. Source: API › Quote. */
export const Quote = v.object({
  id: text,
  version: v.number(),
  versionModifiedAt: maybe(text),
  lastMessageSequenceNumber: maybe(v.number()),
  createdAt: text,
  lastModifiedAt: text,
  lastModifiedBy: maybe(Attribution),
  createdBy: maybe(Attribution),
  key: maybe(text),
  quoteRequest: referenceTo('quote-request'),
  stagedQuote: referenceTo('staged-quote'),
  customer: maybe(referenceTo('customer')),
  customerGroup: maybe(referenceTo('customer-group')),
  validTo: maybe(text),
  sellerComment: maybe(text),
  buyerComment: maybe(text),
  store: maybe(StoreKeyReference),
  businessUnit: maybe(v.object({typeId: v.literal('business-unit'), key: text})),
  lineItems: v.array(LineItem),
  customLineItems: v.array(LineItem),
  totalPrice: Money,
  taxedPrice: maybe(TaxedPrice),
  shippingAddress: maybe(openObject),
  billingAddress: maybe(openObject),
  itemShippingAddresses: maybe(v.array(openObject)),
  inventoryMode: maybe(text),
  taxMode: text,
  priceRoundingMode: text,
  taxRoundingMode: text,
  taxCalculationMode: text,
  country: maybe(text),
  shippingInfo: maybe(openObject),
  shippingRateInput: maybe(openObject),
  paymentInfo: maybe(openObject),
  directDiscounts: v.array(openObject),
  custom: maybe(CustomFieldsView),
  quoteState: v.picklist(quoteStates),
  state: maybe(referenceTo('state')),
  purchaseOrderNumber: maybe(text),
})

type Deep<T> = T extends readonly (infer E)[]
  ? readonly Deep<E>[]
  : T extends object
    ? {readonly [K in keyof T]: Deep<T[K]>}
    : T

export type Quote = Deep<v.InferOutput<typeof Quote>>
