import {defined} from '../equal.js'
import {ApiError} from '../errors.js'
import type {Cart, LineItem, Price} from './cart.js'
import type {Variant} from './catalogue.js'

const isValidAt = ({validFrom, validUntil}: Price, now: string): boolean =>
  (validFrom === undefined || Date.parse(validFrom) <= Date.parse(now)) &&
  (validUntil === undefined || Date.parse(now) < Date.parse(validUntil))

/**
 * The price of a line: in the currency of the cart, for the customer's group or else for all (decision 33). Prices of
 * countries and channels are not considered. Throws MatchingPriceNotFound.
 */
export function priceFor({productId}: Pick<LineItem, 'productId'>, variant: Variant, cart: Cart, now: string): Price {
  const {customerGroup, country, totalPrice} = cart
  const currency = totalPrice.currencyCode
  const fitting = variant.prices.filter(
    (price) =>
      price.value.currencyCode === currency &&
      price.country === undefined &&
      price.channel === undefined &&
      isValidAt(price, now),
  )
  const ofGroup = fitting.find((price) => price.customerGroup && price.customerGroup.id === customerGroup?.id)
  const price = ofGroup ?? fitting.find((candidate) => candidate.customerGroup === undefined)
  if (price) return price
  throw ApiError.of('MatchingPriceNotFound', {
    productId,
    variantId: variant.id,
    currency,
    ...defined({country}),
    ...(customerGroup ? {customerGroup: {typeId: customerGroup.typeId, id: customerGroup.id}} : {}),
  })
}
