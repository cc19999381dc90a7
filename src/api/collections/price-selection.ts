import * as v from 'valibot'
import {Price} from '../../domain/carts/cart.js'
import {type Buyer, selectedPrice} from '../../domain/carts/price.js'
import {isCurrency} from '../../domain/codes/currencies.js'
import {isObject} from '../../domain/equal.js'
import {isoTime} from '../../domain/iso-time.js'
import {singleOf} from '../../query/page.js'
import type {Document} from '../../store/store.js'
import type {Context} from '../operation/context.js'
import type {Query} from '../operation/operation.js'
import {invalidInput} from '../operation/parameters.js'

/** Price selection: every variant of a product shows the `price` of a buyer. Source: API › Products. */

const beside = ['priceCountry', 'priceCustomerGroup', 'priceChannel', 'priceRecurrencePolicy'] as const
const severalGroups = 'priceCustomerGroupAssignments'

function buyerOf(query: Query): Buyer | undefined {
  const currency = singleOf(query, 'priceCurrency')
  const [country, group, channel, recurrencePolicy] = beside.map((name) => singleOf(query, name))
  if (currency === undefined) {
    const alone = [...beside, severalGroups].find((name) => query.has(name))
    if (alone === undefined) return undefined
    throw invalidInput(`Malformed parameter: ${alone}: It can be used only in conjunction with priceCurrency`)
  }
  if (!isCurrency(currency)) {
    throw invalidInput('Malformed parameter: priceCurrency: A currency is a code of ISO 4217, such as EUR')
  }
  if (country !== undefined && !/^[A-Z]{2}$/.test(country)) {
    throw invalidInput('Malformed parameter: priceCountry: A country is two capital letters, such as DE')
  }
  const groups = [...(group === undefined ? [] : [group]), ...(query.get(severalGroups) ?? [])]
  return {currency, country, channel, recurrencePolicy, groups}
}

const Prices = v.array(Price)

/** Products are stored as seeded: a variant whose prices cannot be read has no `price`. */
function priced(variant: unknown, buyer: Buyer, now: string): unknown {
  if (!isObject(variant) || !v.is(Prices, variant['prices'])) return variant
  const price = selectedPrice(variant['prices'], buyer, now)
  return price ? {...variant, price} : variant
}

function projected(data: unknown, buyer: Buyer, now: string): unknown {
  if (!isObject(data)) return data
  const {masterVariant, variants} = data
  const others = Array.isArray(variants) ? {variants: variants.map((one) => priced(one, buyer, now))} : {}
  return {...data, masterVariant: priced(masterVariant, buyer, now), ...others}
}

export const priceSelection = {
  parameters: ['priceCurrency', ...beside, severalGroups],
  /** What adds prices to a product; undefined where none are asked for. Throws InvalidInput. */
  of({now}: Context, query: Query): (<R extends Document>(product: R) => R) | undefined {
    const buyer = buyerOf(query)
    if (!buyer) return undefined
    const at = isoTime(now)
    return (product) => {
      const {masterData} = product as {masterData?: unknown}
      if (!isObject(masterData)) return product
      const {current, staged} = masterData
      const shown = {current: projected(current, buyer, at), staged: projected(staged, buyer, at)}
      return {...product, masterData: {...masterData, ...shown}}
    }
  },
}
