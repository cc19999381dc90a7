import type {Cart} from '../../domain/carts/cart.js'
import {
  type Catalogue,
  readProduct,
  readShippingMethod,
  readTaxCategory,
  type ShippingMethod,
} from '../../domain/carts/catalogue.js'
import type {Document} from '../../store/store.js'
import type {Context} from '../operation/context.js'

export async function documentsOf<T>(
  {runtime, project}: Context,
  kind: string,
  ids: readonly (string | undefined)[],
  read: (document: Document) => T,
): Promise<ReadonlyMap<string, T>> {
  const wanted = new Set(ids.filter((id) => id !== undefined))
  const found = await Promise.all([...wanted].map((id) => runtime.state.get<Document>(project.key, kind, id)))
  return new Map(found.flatMap((document) => (document ? [[document.id, read(document)]] : [])))
}

/** The products and tax categories of a cart. Throws InvalidOperation for one that cannot be read. */
export async function catalogueFor(context: Context, cart: Cart): Promise<Catalogue> {
  const {runtime, project} = context
  const products = await documentsOf(
    context,
    'product',
    cart.lineItems.map(({productId}) => productId),
    readProduct,
  )
  const taxCategories = await documentsOf(
    context,
    'tax-category',
    [
      ...[...products.values()].map(({taxCategory}) => taxCategory?.id),
      ...cart.customLineItems.map(({taxCategory}) => taxCategory?.id),
      cart.shippingInfo?.taxCategory?.id,
    ],
    readTaxCategory,
  )
  if (products.size > 0) return {hasProducts: true, products, taxCategories}
  const {results} = await runtime.state.query(project.key, 'product', {limit: 1, offset: 0})
  return {hasProducts: results.length > 0, products, taxCategories}
}

/** The shipping method of a cart; undefined if it has none or it is not stored here. */
export async function shippingMethodOf(context: Context, {shippingInfo}: Cart): Promise<ShippingMethod | undefined> {
  const id = shippingInfo?.shippingMethod?.id
  if (id === undefined) return undefined
  return (await documentsOf(context, 'shipping-method', [id], readShippingMethod)).get(id)
}
