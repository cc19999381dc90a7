import {cartDefaults} from '../carts/cart.js'
import type {Customer} from '../customers/customer.js'
import {defined, omit, pick} from '../equal.js'
import {invalidOperation} from '../errors.js'
import type {Reference} from '../references.js'
import type {Quote} from './quote.js'

/** The seller's side of quotes, for seeding: from a customer's cart to a pending quote. Source: API › Quotes. */

export interface QuotableCart {
  readonly id: string
  readonly version: number
  readonly key?: string
  readonly customerId?: string
  readonly customerGroup?: Reference
  readonly cartState?: string
  readonly shippingMode?: string
  readonly shippingAddress?: object
  readonly discountCodes?: readonly object[]
  readonly lineItems?: readonly object[]
  readonly customLineItems?: readonly object[]
  readonly [member: string]: unknown
}

const copied = [
  'store',
  'businessUnit',
  'lineItems',
  'customLineItems',
  'totalPrice',
  'taxedPrice',
  'shippingAddress',
  'billingAddress',
  'itemShippingAddresses',
  'inventoryMode',
  'taxMode',
  'priceRoundingMode',
  'taxRoundingMode',
  'taxCalculationMode',
  'country',
  'shippingInfo',
  'shippingRateInput',
  'paymentInfo',
  'directDiscounts',
  'purchaseOrderNumber',
] as const

const usual = {
  customLineItems: [],
  directDiscounts: [],
  itemShippingAddresses: [],
  ...omit(cartDefaults, ['cartState', 'origin', 'shippingMode']),
}

/** Throws InvalidOperation for a cart that cannot become a quote. */
export function checkQuotable(cart: QuotableCart, customer: Pick<Customer, 'id'>): void {
  const name = cart.key === undefined ? cart.id : `with key '${cart.key}'`
  const refuse = (why: string): never => {
    throw invalidOperation(`No quote can be made of the cart ${name}: ${why}.`)
  }
  const {customerId, cartState = 'Active', shippingMode, shippingAddress, discountCodes = []} = cart
  if (customerId === undefined) refuse('it belongs to no customer')
  if (customerId !== customer.id) refuse('it belongs to another customer')
  if (cartState !== 'Active') refuse(`it is in state '${cartState}'`)
  if (shippingMode === 'Multiple') refuse('it ships to several addresses')
  if (!shippingAddress) refuse('it has no shipping address')
  if (discountCodes.length > 0) refuse('it has discount codes')
  if ((cart.lineItems ?? []).length + (cart.customLineItems ?? []).length === 0) refuse('it is empty')
}

export interface OfferIds {
  readonly quoteRequest: string
  readonly quotationCart: string
  readonly stagedQuote: string
  readonly quote: string
}

type Unstamped = {readonly id: string; readonly version: number} & Readonly<Record<string, unknown>>

export interface Offer {
  readonly quoteRequest: Unstamped
  /** The seller's copy of the cart, which leaves the customer's own alone. */
  readonly quotationCart: Unstamped
  readonly stagedQuote: Unstamped
  readonly quote: Unstamped & Pick<Quote, 'quoteState'>
}

/** A quote request, the seller's cart, a staged quote and the quote, all from one cart; times are not set yet. */
export function offerOf(
  cart: QuotableCart,
  customer: Pick<Customer, 'id' | 'customerGroup'>,
  ids: OfferIds,
  terms: {readonly validTo: string; readonly key?: string},
): Offer {
  const {store, businessUnit, ...contents} = pick(cart, copied)
  const party = {
    customer: {typeId: 'customer', id: customer.id},
    customerGroup: cart.customerGroup ?? customer.customerGroup,
    store,
    businessUnit,
  }
  const goods = {...usual, ...defined(contents)}
  const cartAlone = omit(cart, ['key', 'lastMessageSequenceNumber'])
  const quoteRequest = {typeId: 'quote-request', id: ids.quoteRequest}
  const made = (id: string, members: object) => ({id, version: 1, ...defined(members)})
  return {
    quoteRequest: made(ids.quoteRequest, {quoteRequestState: 'Accepted', ...party, ...goods}),
    quotationCart: made(ids.quotationCart, {...cartAlone, id: ids.quotationCart, version: 1, origin: 'Quote'}),
    stagedQuote: made(ids.stagedQuote, {
      stagedQuoteState: 'Sent',
      ...omit(party, ['customerGroup']),
      quoteRequest,
      quotationCart: {typeId: 'cart', id: ids.quotationCart},
      validTo: terms.validTo,
    }),
    quote: {
      ...made(ids.quote, {
        key: terms.key,
        quoteRequest,
        stagedQuote: {typeId: 'staged-quote', id: ids.stagedQuote},
        ...party,
        validTo: terms.validTo,
        ...goods,
      }),
      quoteState: 'Pending',
    },
  }
}
