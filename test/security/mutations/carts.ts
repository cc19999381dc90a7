import {type MutationGroup, of} from './mutation.js'

/** Whose carts a token reaches. */

const creating = of('src/api/carts/creating.ts')
const declared = of('src/api/carts/cart-operations.ts')

export const carts: MutationGroup = {
  tests: ['api/carts/my-carts', 'api/carts/creating'],
  mutations: [
    declared(
      'anybody’s cart opens by its id under /me',
      'has: where ? compile<Document>(where, facets) : () => true',
      'has: () => true',
    ),
    declared(
      'a query under /me finds anybody’s carts',
      'return {where, has',
      'return {where: allOf(...ofStore(context)), has',
    ),
    declared(
      'a session keeps the carts that a customer took over',
      "isFacet('anonymousId', anonymousId), isAbsent('customerId')",
      "isFacet('anonymousId', anonymousId)",
    ),
    declared('a store reaches the carts of others', '...ofSession, ...ofStore(context)', '...ofSession'),
    creating(
      'a cart copies a customer that its maker may not see',
      "maySee(context, 'customer', customer) ? customer : undefined",
      'customer',
    ),
    creating('a store makes carts for customers of others', 'customer && isVisible(customer, storeKey)', 'customer'),
    creating(
      'a cart copies a customer that its maker may not see',
      "maySee(context, 'customer', customer) ? customer : undefined",
      'customer',
    ),
    creating('a store makes carts elsewhere', '  checkPlace(context, empty)\n'),
    declared('a draft under /me names an owner', 'draft: MyCartDraft', 'draft: CartDraft'),
  ],
}
