import type * as v from 'valibot'
import {CartDraft, MyCartDraft} from '../../domain/carts/draft.js'
import {member} from '../../domain/customers/identity.js'
import {omit} from '../../domain/equal.js'
import {notFound} from '../../domain/errors.js'
import type {Predicate} from '../../query/ast.js'
import {flagOf} from '../../query/page.js'
import {allOf, is, isAbsent, isFacet} from '../../query/predicates.js'
import {compile} from '../../query/to-function.js'
import type {Document} from '../../store/store.js'
import {documentOf, ResourceReply, readingOf, type Visibility} from '../collections/reading.js'
import {byIdAndKey} from '../operation/by-id-and-key.js'
import {ownCollection} from '../operation/collection-table.js'
import {commit} from '../operation/commit.js'
import {bearerOf, type Context} from '../operation/context.js'
import {type AnyOperation, operation} from '../operation/operation.js'
import {checkVersion, versionOf} from '../operation/parameters.js'
import {cartReads} from '../operation/unexpected.js'
import {createCart} from './creating.js'
import {latestActiveCart} from './operations.js'

/** The members of a cart that tell whose it is: one of them below `/me`, none for API clients. */
interface Owner {
  readonly customerId?: string
  readonly anonymousId?: string
}

const ofStore = ({storeKey}: Context): Predicate[] => (storeKey === undefined ? [] : [is(['store', 'key'], storeKey)])

function tokenOwner(context: Context): Owner {
  const {customerId, anonymousId = ''} = bearerOf(context)
  return customerId === undefined ? {anonymousId} : {customerId}
}

/** Unlike customers, carts without a store do not exist below one. Source: API › Carts in Store. */
function termsOf({customerId, anonymousId}: Owner, context: Context): readonly Predicate[] {
  const ofCustomer = customerId === undefined ? [] : [isFacet('customerId', customerId)]
  const ofSession = anonymousId === undefined ? [] : [isFacet('anonymousId', anonymousId), isAbsent('customerId')]
  return [...ofCustomer, ...ofSession, ...ofStore(context)]
}

const facets = {customerId: member('customerId'), anonymousId: member('anonymousId')}

/** The carts that exist for a caller: below a store those of that store, below `/me` those of the customer or session. */
const visibleTo =
  (owner: CartAudience['owner']) =>
  (context: Context): Visibility => {
    const where = allOf(...termsOf(owner(context), context))
    return {where, has: where ? compile<Document>(where, facets) : () => true}
  }

/**
 * Carts over HTTP, as far as sign-in needs them: read, created and deleted by API clients, and by the customer or session
 * of a token below `/me` (decision 35).
 */

const collection = ownCollection('cart')

interface CartAudience {
  readonly area: string
  readonly path: string
  /** In the ids of the operations. */
  readonly label: 'Cart' | 'MyCart'
  readonly draft: v.GenericSchema<unknown, CartDraft>
  readonly reads: {readonly kind: 'bearer'; readonly anyOf: readonly string[]; readonly bound?: 'either'}
  readonly writes: CartAudience['reads']
  readonly owner: (context: Context) => Owner
  readonly supportsErasure: boolean
}

const ofClients: CartAudience = {
  area: 'Carts',
  path: '/{projectKey}/carts',
  label: 'Cart',
  draft: CartDraft,
  reads: {kind: 'bearer', anyOf: ['view_orders']},
  writes: {kind: 'bearer', anyOf: ['manage_orders']},
  owner: () => ({}),
  supportsErasure: true,
}

const own = {kind: 'bearer', anyOf: ['manage_my_orders'], bound: 'either'} as const

const ofTheToken: CartAudience = {
  area: 'My carts',
  path: '/{projectKey}/me/carts',
  label: 'MyCart',
  draft: MyCartDraft,
  reads: own,
  writes: own,
  owner: tokenOwner,
  supportsErasure: false,
}

function readingFor({area, path, label, reads, owner}: CartAudience) {
  const visible = visibleTo(owner)
  return readingOf({collection, area, path, label, permission: reads, reply: ResourceReply, inStore: true, visible})
}

function writingFor({area, path, label, draft, writes, owner, supportsErasure}: CartAudience): AnyOperation[] {
  const shared = {area, path, reply: ResourceReply, inStore: true} as const
  return [
    operation<string, CartDraft, object>({
      ...shared,
      id: `create${label}`,
      method: 'POST',
      summary: 'create a cart',
      permission: writes,
      query: ['expand'],
      body: draft,
      success: 201,
      unexpected: {...omit(cartReads, ['cart']), 'shipping-method': 'as prices', zone: 'as prices'},
      handle: async (context, {body}) => createCart(context, {...body, ...owner(context)}),
    }),
    ...byIdAndKey<string, undefined, object>({
      ...shared,
      id: `delete${label}`,
      method: 'DELETE',
      summary: 'delete a cart',
      permission: writes,
      query: ['version', ...(supportsErasure ? ['dataErasure'] : []), 'expand'],
      handle: async (context, name, {query}) => {
        const version = versionOf(query)
        const erase = supportsErasure && flagOf(query, 'dataErasure', false)
        const cart = await documentOf(context, collection, name, visibleTo(owner)(context))
        checkVersion(cart, version)
        await commit(context, cart, [{kind: 'cart', expect: version, remove: cart.id}])
        if (erase) await context.runtime.compact?.()
        return cart
      },
    }),
  ]
}

const activeCart = {method: 'GET', query: ['expand'], reply: ResourceReply, inStore: true} as const

async function foundActive(context: Context, terms: readonly Predicate[], otherwise: string): Promise<Document> {
  const cart = await latestActiveCart(context, terms)
  if (cart) return cart as Document
  throw notFound(otherwise)
}

const getCartByCustomerId = operation({
  ...activeCart,
  id: 'getCartByCustomerId',
  head: 'cartExistsByCustomerId',
  path: '/{projectKey}/carts/customer-id={customerId}',
  summary: 'read the most recently modified active cart of a customer',
  area: ofClients.area,
  permission: ofClients.reads,
  handle: (context, {params: {customerId: id}}) =>
    foundActive(context, termsOf({customerId: id}, context), `The customer '${id}' has no active cart.`),
})

export const getMyActiveCart = operation({
  ...activeCart,
  id: 'getMyActiveCart',
  head: 'myActiveCartExists',
  path: '/{projectKey}/me/active-cart',
  summary: 'read the most recently modified active cart of the token',
  area: ofTheToken.area,
  permission: own,
  handle: (context) => foundActive(context, termsOf(tokenOwner(context), context), 'There is no active cart.'),
})

const myReading = readingFor(ofTheToken)

export const [getMyCartById, , queryMyCarts] = myReading

export const cartOperations: readonly AnyOperation[] = [
  ...readingFor(ofClients),
  ...writingFor(ofClients),
  getCartByCustomerId,
  ...myReading,
  ...writingFor(ofTheToken),
  getMyActiveCart,
]
