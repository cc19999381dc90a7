import {type Cart, foreignOrigins, isActive, isCurrent, pastStates, readCart} from '../../domain/carts/cart.js'
import {type Recalculation, recalculated} from '../../domain/carts/recalculate.js'
import {type MergeMode, type TakeOver, takeOver} from '../../domain/carts/take-over.js'
import type {Customer} from '../../domain/customers/customer.js'
import {defined} from '../../domain/equal.js'
import {ApiError, invalidOperation} from '../../domain/errors.js'
import {isoTime} from '../../domain/iso-time.js'
import type {ResourceIdentifier} from '../../domain/references.js'
import type {Predicate, SortKey} from '../../query/ast.js'
import {allOf, either, isAbsent, isFacet, isOneOf} from '../../query/predicates.js'
import type {Change, Document} from '../../store/store.js'
import {putOf, type Resource, revised} from '../operation/commit.js'
import type {Context} from '../operation/context.js'
import {documentBy, isVisible, visibleIn} from '../operation/read.js'
import {catalogueFor, shippingMethodOf} from './catalogue.js'

/** How sign-up, sign-in and a changed customer group change carts, in the same commit (decision 33). */

export interface CartOptions {
  readonly anonymousCart?: ResourceIdentifier | undefined
  /** The old form of `anonymousCart` (decision 36). */
  readonly anonymousCartId?: string | undefined
  readonly anonymousId?: string | undefined
  /** Takes the latest active cart of `anonymousId` as the anonymous cart; set for a sign-in with a session's token. */
  readonly latestOfSession?: true
  readonly anonymousCartSignInMode?: MergeMode | undefined
  readonly updateProductData?: boolean | undefined
}

export interface CartOutcome {
  /** The customer's most recently modified active cart, recalculated. Absent: there is none. */
  readonly cart?: Cart
  readonly changes: readonly Change[]
}

/** The carts of a session are taken over in one commit; this bounds it. */
const maxSessionCarts = 10_000

const latestFirst: readonly SortKey[] = (['lastModifiedAt', 'createdAt'] as const).map((name) => ({
  field: {path: [name], type: 'datetime'},
  direction: 'desc',
}))

/** Seeded carts may lack the time of their last change. */
const isUndated = isAbsent('lastModifiedAt')

/** Carts, most recently modified first; those without `lastModifiedAt` come last. */
async function cartsWhere(context: Context, terms: readonly Predicate[], limit: number): Promise<Cart[]> {
  const {runtime, project} = context
  const found = async (which: Predicate, most: number): Promise<Cart[]> => {
    const {results} = await runtime.state.query<Document>(project.key, 'cart', {
      ...defined({where: allOf(...terms, visibleIn(context), which)}),
      sort: latestFirst,
      limit: most,
      offset: 0,
    })
    return results.map(readCart)
  }
  const dated = await found({op: 'not', term: isUndated}, limit)
  if (dated.length === limit) return dated
  return [...dated, ...(await found(isUndated, limit - dated.length))]
}

/** The most recently modified active cart that satisfies the terms, of those that the path's store may see. */
export async function latestActiveCart(context: Context, terms: readonly Predicate[]): Promise<Cart | undefined> {
  const past = either(isOneOf('cartState', pastStates), isOneOf('origin', foreignOrigins))
  const [cart] = await cartsWhere(context, [...terms, {op: 'not', term: past}], 1)
  return cart
}

const activeCart = (context: Context, customerId: string): Promise<Cart | undefined> =>
  latestActiveCart(context, [isFacet('customerId', customerId)])

/** The anonymous cart that the body names. Throws ReferencedResourceNotFound and InvalidOperation. */
async function namedCart(context: Context, cartOptions: CartOptions): Promise<Cart | undefined> {
  const {storeKey} = context
  const {anonymousCart, anonymousCartId, anonymousId} = cartOptions
  const named = anonymousCart ?? (anonymousCartId === undefined ? undefined : {id: anonymousCartId})
  if (!named) return undefined
  const name = named.id === undefined ? {key: named.key ?? ''} : {id: named.id}
  const document = await documentBy<Document>(context, 'cart', name)
  if (!document) throw ApiError.of('ReferencedResourceNotFound', {typeId: 'cart', ...name})
  const cart = readCart(document)
  if (anonymousCartId !== undefined && anonymousCartId !== cart.id) {
    throw invalidOperation("'anonymousCart' and 'anonymousCartId' name different carts.")
  }
  if (!isVisible(cart, storeKey))
    throw invalidOperation(`The cart '${cart.id}' does not belong to the store '${storeKey}'.`)
  if (cart.customerId !== undefined)
    throw invalidOperation(`The cart '${cart.id}' is not anonymous: it has a customer.`)
  if (!isActive(cart)) throw invalidOperation(`The cart '${cart.id}' is not active, but ${cart.cartState}.`)
  if (anonymousId !== undefined && anonymousId !== cart.anonymousId) {
    throw invalidOperation(`The anonymousId '${anonymousId}' is not the one of the cart '${cart.id}'.`)
  }
  return cart
}

/** A changed cart and its change for the commit; its `lastModifiedAt` is `ageMs` before the request. */
function cartPut(context: Context, cart: Cart, ageMs = 0): {readonly cart: Cart; readonly change: Change} {
  const next = {...cart, version: cart.version + 1} as unknown as Resource
  const {resource} = revised({...context, now: context.now - ageMs}, 'cart', next, [])
  return {cart: resource as unknown as Cart, change: putOf('cart', cart.version, resource)}
}

export async function recalculate(
  context: Context,
  {customerGroup}: Pick<Recalculation, 'customerGroup'>,
  cart: Cart,
  options: {readonly updateProductData?: boolean | undefined; readonly keepTaxRates?: boolean} = {},
): Promise<Cart> {
  const catalogue = await catalogueFor(context, cart)
  return recalculated(cart, {catalogue, now: isoTime(context.now), ...defined({...options, customerGroup})})
}

/** Takes over or merges carts at sign-up and sign-in, for the customer as it is given, and recalculates the resulting one. */
export async function signInCarts(
  context: Context,
  customer: Customer,
  cartOptions: CartOptions,
): Promise<CartOutcome> {
  const {anonymousId, anonymousCartSignInMode: mode = 'MergeWithExistingCustomerCart'} = cartOptions
  const named = await namedCart(context, cartOptions)
  const ofSession = anonymousId === undefined ? [] : [isFacet('anonymousId', anonymousId), isAbsent('customerId')]
  const session = anonymousId === undefined ? [] : await cartsWhere(context, ofSession, maxSessionCarts)
  const anonymous = named ?? (cartOptions.latestOfSession ? session.find(isCurrent) : undefined)
  const active = await activeCart(context, customer.id)
  const method = anonymous && (await shippingMethodOf(context, anonymous))
  const taken = takeOver({
    customer,
    mode,
    session,
    now: isoTime(context.now),
    newId: context.runtime.secrets.uuid,
    ...(active ? {active} : {}),
    ...(anonymous ? {anonymous} : {}),
    ...(method ? {method} : {}),
  })
  return settled(context, customer, taken, cartOptions.updateProductData)
}

async function settled(
  context: Context,
  customer: Customer,
  {result, changed, keepTaxRates}: TakeOver,
  updateProductData: boolean | undefined,
): Promise<CartOutcome> {
  const current = result && (await recalculate(context, customer, result, {updateProductData, keepTaxRates}))
  const isChanged = result !== undefined && changed.includes(result)
  // One millisecond apart, so that carts taken over together keep their order by `lastModifiedAt`.
  const puts = changed.map((cart, age) => cartPut(context, cart === result && current ? current : cart, age))
  if (!result || !current) return {changes: puts.map(({change}) => change)}
  if (!isChanged && current !== result) puts.unshift(cartPut(context, current))
  const shown = puts.find(({cart}) => cart.id === result.id)?.cart ?? current
  return {cart: shown, changes: puts.map(({change}) => change)}
}

/** The changes of the most recently modified active cart after its customer changed groups. */
export async function regroupedCart(context: Context, customer: Customer): Promise<readonly Change[]> {
  const active = await activeCart(context, customer.id)
  if (!active) return []
  const current = await recalculate(context, customer, active)
  return current === active ? [] : [cartPut(context, current).change]
}
