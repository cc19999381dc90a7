import {isObject} from '../equal.js'

/** Erasure of one customer from documents of others. Members that are not known to be impersonal are removed. */

const envelope: ReadonlySet<string> = new Set([
  'id',
  'version',
  'sequenceNumber',
  'resource',
  'resourceVersion',
  'type',
  'createdAt',
  'lastModifiedAt',
])

/** A message with its id, type, time and opaque resource only. */
export const withoutPayload = <D extends object>(message: D): D =>
  Object.fromEntries(Object.entries(message).filter(([name]) => envelope.has(name))) as D

/** Impersonal members of carts and quotes. Others are erased: one that the API adds later is not kept by oversight. */
const impersonal: ReadonlySet<string> = new Set([
  ...['id', 'version', 'key', 'type', 'createdAt', 'lastModifiedAt', 'versionModifiedAt', 'lastMessageSequenceNumber'],
  ...['store', 'businessUnit', 'customerGroup', 'country', 'locale', 'cart', 'quotationCart', 'quoteRequest'],
  ...['stagedQuote', 'state', 'cartState', 'quoteState', 'quoteRequestState', 'stagedQuoteState', 'origin', 'validTo'],
  ...['lineItems', 'customLineItems', 'totalLineItemQuantity', 'totalPrice', 'taxedPrice', 'taxedShippingPrice'],
  ...['directDiscounts', 'discountCodes', 'discountOnTotalPrice', 'refusedGifts', 'inventoryMode', 'shippingMode'],
  ...['shippingInfo', 'shipping', 'shippingRateInput', 'paymentInfo', 'taxMode', 'taxRoundingMode'],
  ...['taxCalculationMode', 'priceRoundingMode', 'deleteDaysAfterLastModification'],
])

/** Whether a nested member holds an address or free text: of parcels, shipping methods or line items. */
const isPersonalPart = (name: string): boolean =>
  /address/i.test(name) || name === 'custom' || name === 'shippingCustomFields'

const isReferenceTo = (value: unknown, customerId: string): boolean => isObject(value) && value['id'] === customerId

/** A copy without personal parts at any depth and without references to the customer. */
function impersonalPart(value: unknown, customerId: string): unknown {
  if (Array.isArray(value)) {
    return value.filter((entry) => !isReferenceTo(entry, customerId)).map((entry) => impersonalPart(entry, customerId))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, part]) => !isPersonalPart(name) && !isReferenceTo(part, customerId))
      .map(([name, part]) => [name, impersonalPart(part, customerId)]),
  )
}

/**
 * A resource that refers to a customer without the reference and everything that may be personal. One that belongs to
 * others too loses its entries of the customer in some lists, and nothing else.
 */
export function withoutCustomer<D extends object>(document: D, customerId: string, lists: readonly string[] = []): D {
  if (lists.length === 0) {
    return Object.fromEntries(
      Object.entries(document)
        .filter(([name, value]) => impersonal.has(name) && !isReferenceTo(value, customerId))
        .map(([name, value]) => [name, impersonalPart(value, customerId)]),
    ) as D
  }
  const names = (entry: unknown): boolean => isObject(entry) && isReferenceTo(entry['customer'], customerId)
  return Object.fromEntries(
    Object.entries(document).map(([member, value]: [string, unknown]) => [
      member,
      lists.includes(member) && Array.isArray(value) ? value.filter((entry) => !names(entry)) : value,
    ]),
  ) as D
}
