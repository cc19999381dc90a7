import type {Cart} from '../../domain/carts/cart.js'
import {
  type Product,
  readProduct,
  readShippingMethod,
  readZone,
  type ShippingMethod,
} from '../../domain/carts/catalogue.js'
import {type CartDraft, cartOf, referencesOf, shippingInfoOf} from '../../domain/carts/draft.js'
import {customLineItemOf, lineItemOf} from '../../domain/carts/line-drafts.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {ApiError, invalidOperation} from '../../domain/errors.js'
import {parseWhere} from '../../query/parser.js'
import {anything} from '../../query/path-reader.js'
import type {Document} from '../../store/store.js'
import {nextTurn, sliceMs, timeSlices} from '../../work/time-slices.js'
import {commit, putOf, type Resource, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {factsFor} from '../operation/facts.js'
import {isVisible, maySee} from '../operation/read.js'
import {retrying} from '../operation/retrying.js'
import {documentsOf} from './catalogue.js'
import {recalculate} from './operations.js'

/** New carts: from a draft to a document with today's prices and taxes. */

const bySku = 'masterData(current(masterVariant(sku in :skus) or variants(sku in :skus)))'

async function productsOf(context: Context, {lineItems = []}: CartDraft): Promise<Product[]> {
  const {runtime, project} = context
  const skus = [...new Set(lineItems.flatMap(({sku}) => sku ?? []))]
  const byId = await documentsOf(
    context,
    'product',
    lineItems.map(({productId}) => productId),
    readProduct,
  )
  const where = skus.length === 0 ? undefined : parseWhere([bySku], anything, new Map([['skus', skus]]))
  const {results} = where
    ? await runtime.state.query<Document>(project.key, 'product', {where, limit: skus.length, offset: 0})
    : {results: []}
  return [...byId.values(), ...results.map(readProduct)]
}

/** The customer of a new cart, and what the cart may copy of it. Throws ReferencedResourceNotFound; InvalidInput below a store. */
async function customerOf(context: Context, id: string | undefined) {
  const {runtime, project, storeKey} = context
  if (id === undefined) return {}
  const customer = await runtime.state.get<Customer>(project.key, 'customer', id)
  if (customer && isVisible(customer, storeKey)) {
    return {customer, copied: maySee(context, 'customer', customer) ? customer : undefined}
  }
  if (storeKey === undefined) throw ApiError.of('ReferencedResourceNotFound', {typeId: 'customer', id})
  throw ApiError.of('InvalidInput', {message: `The store '${storeKey}' has no customer with the id '${id}'.`})
}

function checkPlace({storeKey}: Context, cart: Cart): void {
  if (storeKey === undefined || cart.store?.key === storeKey) return
  throw invalidOperation(`The store of the cart is not the store '${storeKey}' of the path.`)
}

async function withShipping(context: Context, method: ShippingMethod | undefined, cart: Cart): Promise<Cart> {
  if (!method) return cart
  const ids = method.zoneRates.map(({zone}) => zone.id)
  const zones = await documentsOf(context, 'zone', ids, readZone)
  return {...cart, shippingInfo: shippingInfoOf(method, [...zones.values()], cart)}
}

/** Lines from drafts, in slices of time: there may be hundreds. */
async function made<D, L>(drafts: readonly D[], make: (draft: D) => L): Promise<L[]> {
  const yields = timeSlices(sliceMs)
  const lines: L[] = []
  for (const draft of drafts) {
    lines.push(make(draft))
    const pause = yields()
    if (pause) await pause
  }
  return lines
}

/** Creates a cart for a customer, a session or nobody. Throws MatchingPriceNotFound and MissingTaxRateForCountry. */
export const createCart = (context: Context, draft: CartDraft): Promise<Resource> =>
  retrying(() => createdOnce(context, draft))

async function createdOnce(context: Context, given: CartDraft): Promise<Resource> {
  const {runtime, storeKey} = context
  const place = storeKey === undefined ? undefined : {typeId: 'store' as const, key: storeKey}
  const draft: CartDraft = defined({...given, store: given.store ?? place})
  if (draft.customerId !== undefined && draft.anonymousId !== undefined) {
    throw invalidOperation('A cart has a customer or an anonymous session, not both.')
  }
  const {customer, copied} = await customerOf(context, draft.customerId)
  const facts = await factsFor(context, referencesOf(draft))
  const products = await productsOf(context, draft)
  const newId = runtime.secrets.uuid
  const lineFacts = {facts, newId, products}
  const owned = defined({...draft, customerEmail: draft.customerEmail ?? copied?.email})
  const {lineItems = [], customLineItems = [], shippingMethod} = draft
  const empty = cartOf(owned, {
    id: newId(),
    facts,
    group: copied?.customerGroup,
  })
  checkPlace(context, empty)
  const created = {
    ...empty,
    lineItems: await made(lineItems, (line) => lineItemOf(line, empty, lineFacts)),
    customLineItems: await made(customLineItems, (line) => customLineItemOf(line, empty, lineFacts)),
  }
  const method = shippingMethod && readShippingMethod(facts.resolve(shippingMethod))
  const shipped = await withShipping(context, method, created)
  await nextTurn()
  const cart = await recalculate(context, created, shipped)
  await nextTurn()
  const {resource} = revised(context, 'cart', cart as unknown as Resource, [])
  await commit(context, resource, [
    ...facts.required,
    ...(customer ? [{kind: 'customer', require: customer.id, version: customer.version}] : []),
    putOf('cart', 0, resource),
  ])
  return resource
}
