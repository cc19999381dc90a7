import {defined} from '../equal.js'
import {ApiError} from '../errors.js'
import type {Cart, LineItem, Price} from './cart.js'
import type {Variant} from './catalogue.js'
import {amountOf} from './money.js'

export interface Buyer {
  readonly currency: string
  readonly groups: readonly string[]
  readonly country?: string | undefined
  readonly channel?: string | undefined
  readonly recurrencePolicy?: string | undefined
}

type Place = Pick<LineItem, 'productId' | 'distributionChannel' | 'recurrenceInfo'>

const isValidAt = ({validFrom, validUntil}: Price, now: string): boolean =>
  (validFrom === undefined || Date.parse(validFrom) <= Date.parse(now)) &&
  (validUntil === undefined || Date.parse(now) < Date.parse(validUntil))

/** How closely a price is meant for a buyer: by recurrence, group, channel, country and time, in this order. -1: not at all. */
function fitOf(price: Price, buyer: Buyer, now: string): number {
  if (price.value.currencyCode !== buyer.currency || !isValidAt(price, now)) return -1
  const scopes = [
    [price.recurrencePolicy?.id, [buyer.recurrencePolicy]],
    [price.customerGroup?.id, buyer.groups],
    [price.channel?.id, [buyer.channel]],
    [price.country, [buyer.country]],
  ] as const
  if (scopes.some(([own, wanted]) => own !== undefined && !wanted.includes(own))) return -1
  const isTimed = price.validFrom !== undefined || price.validUntil !== undefined
  return scopes.reduce((sum, [own]) => sum * 2 + Number(own !== undefined), 0) * 2 + Number(isTimed)
}

/** The price that is meant most closely for a buyer; of several groups', the lowest. Source: API › Price selection. */
export function selectedPrice(prices: readonly Price[], buyer: Buyer, now: string): Price | undefined {
  let best: Price | undefined
  let bestFit = -1
  for (const price of prices) {
    const fit = fitOf(price, buyer, now)
    const isLower = best?.customerGroup && fit === bestFit && amountOf(price.value) < amountOf(best.value)
    if (fit > bestFit || isLower) [best, bestFit] = [price, fit]
  }
  return best
}

/**
 * The price of a line: in the currency of the cart, for the customer's group, the channel and the recurrence of the line,
 * or else for all (decision 33). Prices of countries are not considered. Throws MatchingPriceNotFound.
 */
export function priceFor(
  {productId, distributionChannel: channel, recurrenceInfo}: Place,
  variant: Variant,
  {customerGroup, country, totalPrice}: Cart,
  now: string,
): Price {
  const currency = totalPrice.currencyCode
  const groups = customerGroup ? [customerGroup.id] : []
  const buyer = {currency, groups, channel: channel?.id, recurrencePolicy: recurrenceInfo?.recurrencePolicy.id}
  const price = selectedPrice(variant.prices, buyer, now)
  if (price) return price
  throw ApiError.of('MatchingPriceNotFound', {
    productId,
    variantId: variant.id,
    currency,
    ...defined({country, channel}),
    ...(customerGroup ? {customerGroup: {typeId: customerGroup.typeId, id: customerGroup.id}} : {}),
  })
}
