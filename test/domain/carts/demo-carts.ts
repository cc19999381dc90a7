import {type Cart, readCart} from '../../../src/domain/carts/cart.js'
import {type Catalogue, readProduct, readShippingMethod, readTaxCategory} from '../../../src/domain/carts/catalogue.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
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

/** What a merge needs from outside; copies are called copy-1, copy-2, … */
export function merging() {
  let copies = 0
  const newId = (): string => {
    copies += 1
    return `copy-${copies}`
  }
  return {now: '2026-11-20T10:00:00.000Z', newId}
}

/** What a cart holds, in short: `mug/1×7`. */
export const goods = ({lineItems, customLineItems}: Cart): string[] => [
  ...lineItems.map((line) => `${String(line['productKey'])}/${line.variant.id}×${line.quantity}`),
  ...customLineItems.map(({slug, quantity}) => `${slug}×${quantity}`),
]
