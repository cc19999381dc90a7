import * as v from 'valibot'
import {defined} from '../equal.js'
import {invalidOperation} from '../errors.js'
import {type Cart, reading, type ShippingInfo} from './cart.js'
import type {ShippingMethod} from './catalogue.js'

/** How a new cart is shipped: the method that its draft names, at the rate of the zone that it goes to. */

const Zone = v.looseObject({
  id: v.string(),
  locations: v.optional(v.array(v.looseObject({country: v.string(), state: v.exactOptional(v.string())})), []),
})

export const readZone = reading('zone', Zone)

type Zone = v.InferOutput<typeof Zone>

/** Throws InvalidOperation without an address, and for a method that does not go there in the cart's currency. */
export function shippingInfoOf(method: ShippingMethod, zones: readonly Zone[], cart: Cart): ShippingInfo {
  const {id, name, taxCategory, zoneRates} = method
  const {shippingAddress, totalPrice} = cart
  if (!shippingAddress) throw invalidOperation('A cart with a shipping method has a shipping address.')
  const {country, state} = shippingAddress
  const reached = new Set(
    zones.flatMap((zone) => {
      const isThere = zone.locations.some((at) => at.country === country && (at.state ?? state) === state)
      return isThere ? [zone.id] : []
    }),
  )
  const rate = zoneRates
    .filter(({zone}) => reached.has(zone.id))
    .flatMap(({shippingRates}) => shippingRates)
    .find(({price}) => price.currencyCode === totalPrice.currencyCode)
  if (!rate) {
    throw invalidOperation(
      `The shipping method '${id}' has no rate in ${totalPrice.currencyCode} for the shipping address.`,
    )
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
