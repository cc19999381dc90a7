import {equal} from '../equal.js'

/** Pure forgetting: documents without what they say about one customer. */

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

/** Members of carts, quotes and their requests that describe the person behind them. */
const personal: ReadonlySet<string> = new Set([
  'customerId',
  'customerEmail',
  'shippingAddress',
  'billingAddress',
  'itemShippingAddresses',
  'buyerComment',
  'comment',
  'custom',
  'anonymousId',
  'createdBy',
  'lastModifiedBy',
])

const isReferenceTo = (value: unknown, customerId: string): boolean =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'id') === customerId

/**
 * A resource that refers to a customer without the reference and the personal members that came with it. A business
 * unit belongs to others too: it loses the associate only.
 */
export function withoutCustomer<D extends object>(document: D, customerId: string): D {
  const associates: unknown = Reflect.get(document, 'associates')
  if (Array.isArray(associates)) {
    const rest = associates.filter(
      (associate: object) => !isReferenceTo(Reflect.get(associate, 'customer'), customerId),
    )
    return equal(rest, associates) ? document : {...document, associates: rest}
  }
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => !personal.has(name) && !isReferenceTo(value, customerId)),
  ) as D
}
