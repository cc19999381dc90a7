import * as v from 'valibot'
import {defined} from '../equal.js'
import {ApiError} from '../errors.js'
import {type Cart, reading, type ShippingInfo, ShippingRate} from './cart.js'

/** How a new cart is shipped: the method that its draft names, at the rate of the zone that it goes to. */

const Method = v.looseObject({
  id: v.string(),
  name: v.optional(v.string(), ''),
  taxCategory: v.exactOptional(v.looseObject({typeId: v.string(), id: v.string()})),
  zoneRates: v.optional(
    v.array(v.looseObject({zone: v.looseObject({id: v.string()}), shippingRates: v.array(ShippingRate)})),
    [],
  ),
})

const Zone = v.looseObject({
  id: v.string(),
  locations: v.optional(v.array(v.looseObject({country: v.string(), state: v.exactOptional(v.string())})), []),
})

type Document = {readonly id: string}
const readMethod = reading('shipping method', Method)
const readZone = reading('zone', Zone)

/** The zones of a method. */
export const zoneIdsOf = (method: Document): readonly string[] => readMethod(method).zoneRates.map(({zone}) => zone.id)

/** Throws InvalidOperation without an address, and for a method that does not go there in the cart's currency. */
export function shippingInfoOf(method: Document, zones: readonly Document[], cart: Cart): ShippingInfo {
  const {id, name, taxCategory, zoneRates} = readMethod(method)
  const {shippingAddress, totalPrice} = cart
  if (!shippingAddress) {
    throw ApiError.of('InvalidOperation', {message: 'A cart with a shipping method has a shipping address.'})
  }
  const {country, state} = shippingAddress
  const reached = new Set(
    zones.map(readZone).flatMap((zone) => {
      const isThere = zone.locations.some((at) => at.country === country && (at.state ?? state) === state)
      return isThere ? [zone.id] : []
    }),
  )
  const rate = zoneRates
    .filter(({zone}) => reached.has(zone.id))
    .flatMap(({shippingRates}) => shippingRates)
    .find(({price}) => price.currencyCode === totalPrice.currencyCode)
  if (!rate) {
    const message = `The shipping method '${id}' has no rate in ${totalPrice.currencyCode} for the shipping address.`
    throw ApiError.of('InvalidOperation', {message})
  }
  return defined({
    shippingMethodName: name,
    price: rate.price,
    shippingRate: rate,
    taxCategory,
    deliveries: [],
    shippingMethod: {typeId: 'shipping-method', id},
    shippingMethodState: 'MatchesCart',
  })
}
