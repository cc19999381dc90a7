import {type Cart, type LineItem, readCart} from '../../../src/domain/carts/cart.js'
import {type Catalogue, readProduct, readShippingMethod, readTaxCategory} from '../../../src/domain/carts/catalogue.js'
import {type Recalculation, recalculated} from '../../../src/domain/carts/recalculate.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {ApiError} from '../../../src/domain/errors.js'
import {keyed, pack} from '../../fixtures/pack.js'

/** The carts and the catalogue of the demo shop, as the domain reads them. */

const byId = <T extends {id: string}>(documents: readonly T[]): ReadonlyMap<string, T> =>
  new Map(documents.map((document) => [document.id, document]))

export const catalogue: Catalogue = {
  hasProducts: true,
  products: byId(pack.products.map(readProduct)),
  taxCategories: byId(pack.taxCategories.map(readTaxCategory)),
}

export const emptyCatalogue: Catalogue = {hasProducts: false, products: new Map(), taxCategories: new Map()}

/** A cart by key, with some members in place of its own. */
export const cart = (key: string, members: Partial<Cart> = {}): Cart => ({
  ...readCart(keyed(pack.carts, key)),
  ...members,
})

export const method = (key: string) => readShippingMethod(keyed(pack.shippingMethods, key))

export const customer = (key: string) => keyed(pack.customers, key) as unknown as Customer

export const now = '2026-11-20T10:00:00.000Z'
export const group = (key: string) => ({typeId: 'customer-group', id: keyed(pack.groups, key).id})

/** The cart recalculated for the group that it already names. */
export const current = (given: Cart, members: Partial<Recalculation> = {}): Cart =>
  recalculated(given, {
    catalogue,
    now,
    ...(given.customerGroup ? {customerGroup: given.customerGroup} : {}),
    ...members,
  })

/** Its first line. */
export const first = ({lineItems}: Cart): LineItem => {
  const [line] = lineItems
  if (!line) throw new Error('the cart is empty')
  return line
}

/** What the work is refused with. */
export const refusal = (work: () => unknown): ApiError => {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** What a merge needs from outside; copies are called copy-1, copy-2, … */
export function merging() {
  let copies = 0
  const newId = (): string => {
    copies += 1
    return `copy-${copies}`
  }
  return {now, newId}
}

/** What a cart holds, in short: `mug/1×7`. */
export const goods = ({lineItems, customLineItems}: Cart): string[] => [
  ...lineItems.map((line) => `${String(line['productKey'])}/${line.variant.id}×${line.quantity}`),
  ...customLineItems.map(({slug, quantity}) => `${slug}×${quantity}`),
]
