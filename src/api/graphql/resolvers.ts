import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import {jsonOf} from '../../domain/json-text.js'
import type {Document} from '../../store/store.js'
import {me} from '../accounts/me.js'
import {customerOfToken} from '../accounts/one-time-tokens.js'
import {getMyActiveCart, getMyCartById, queryMyCarts} from '../carts/cart-operations.js'
import {named} from '../collections/operations.js'
import {getCustomerById, getCustomerByKey, queryCustomers} from '../customers/operations.js'
import type {Name} from '../operation/by-id-and-key.js'
import {ownCollection} from '../operation/collection-table.js'
import {bearerOf, type Context} from '../operation/context.js'
import type {AnyOperation, Query} from '../operation/operation.js'
import {permitTouch} from '../operation/permit.js'
import {documentBy, maySee, type PagedResult} from '../operation/read.js'
import {getMyQuoteById, getMyQuoteByKey, queryMyQuotes} from '../quotes/operations.js'
import {tooManyValues} from './bounds.js'
import {nameIn} from './inputs.js'
import {mutationRoot} from './mutations.js'

/** What answers the fields of a query: the readers of the API, with their permissions, predicates and limits. */

export type Args = Readonly<Record<string, unknown>>

const queryOf = ({where, sort, limit, offset}: Args): Query => {
  const entries = Object.entries({where, sort, limit, offset}).map(
    ([name, value]) => [name, [value ?? []].flat().map(String)] as const,
  )
  return new Map(entries.filter(([, values]) => values.length > 0))
}

/** What an operation reads below a store or not, with its permission; null where it finds nothing. */
async function readBy<R>(operation: AnyOperation, params: Args, args: Args, context: Context): Promise<R | undefined> {
  await permitTouch(context, operation.permission)
  try {
    const documents = {...context, takesTexts: false}
    return (await operation.handle(documents, {params, query: queryOf(args), body: undefined})) as R
  } catch (error) {
    if (error instanceof ApiError && error.errors[0].code === 'ResourceNotFound') return undefined
    throw error
  }
}

const oneBy = async (operation: AnyOperation, params: Args, context: Context): Promise<Document | undefined> => {
  const found = await readBy<Document>(operation, params, {}, context)
  return found && counted(context, found)
}

async function manyBy(operation: AnyOperation, args: Args, context: Context) {
  const found = await readBy<PagedResult<Document>>(operation, {}, args, context)
  return found && {...found, exists: found.count > 0}
}

/** The customer of the token; null for a token without a customer, as the platform answers. */
async function ownCustomer(context: Context): Promise<Customer | undefined> {
  await permitTouch(context, {kind: 'bearer', anyOf: ['manage_my_profile'], bound: 'optional'})
  return bearerOf(context).customerId === undefined ? undefined : counted(context, await me(context))
}

function counted<D extends Document>({budget}: Context, document: D): D {
  if (!budget.fits(jsonOf(document).bytes.length)) throw tooManyValues()
  return document
}

const readersBy = (byId: AnyOperation, byKey: AnyOperation, list: AnyOperation) => ({
  one: async (args: Args, context: Context) => {
    await permitTouch(context, byId.permission)
    const name = nameIn(args, 'what is asked for')
    return oneBy('id' in name ? byId : byKey, name, context)
  },
  async many(args: Args, context: Context) {
    // Lists that are asked for together do not all begin in one turn.
    const pause = context.budget.pause()
    if (pause) await pause
    return manyBy(list, args, context)
  },
})

const ofCollection = (label: string) =>
  readersBy(named(`get${label}ById`), named(`get${label}ByKey`), named(`query${label}s`))

const customers = readersBy(getCustomerById, getCustomerByKey, queryCustomers)
const quotes = readersBy(getMyQuoteById, getMyQuoteByKey, queryMyQuotes)
const groups = ofCollection('CustomerGroup')
const stores = ofCollection('Store')
const types = ofCollection('Type')

export const queryScopes = [
  ...['manage_my_profile', 'manage_my_quotes', 'manage_my_orders'],
  ...['customer', 'customer-group', 'store', 'type'].flatMap((typeId) => ownCollection(typeId).view),
]

const oneName = "Exactly one of 'id', 'key', 'emailToken' and 'passwordToken' names a customer."

function accountsIn(storeKey: string | undefined) {
  const within = (context: Context): Context => ({...context, storeKey})
  return {
    customer: async (args: Args, context: Context) => {
      const {emailToken, passwordToken, ...name} = args
      const token = emailToken ?? passwordToken
      if (typeof token !== 'string') return customers.one(name, within(context))
      await permitTouch(within(context), {kind: 'bearer', anyOf: ['view_customers']})
      const names = Object.values(args).filter((value) => value !== null && value !== undefined)
      if (names.length > 1) throw ApiError.of('InvalidInput', {message: oneName})
      return (await customerOfToken(within(context), token, emailToken === token ? 'email' : 'password')).customer
    },
    customers: (args: Args, context: Context) => customers.many(args, within(context)),
    me: () => ({
      customer: (_: Args, context: Context) => ownCustomer(within(context)),
      cart: (args: Args, context: Context) => oneBy(getMyCartById, args, within(context)),
      carts: (args: Args, context: Context) => manyBy(queryMyCarts, args, within(context)),
      activeCart: (_: Args, context: Context) => oneBy(getMyActiveCart, {}, within(context)),
      quote: (args: Args, context: Context) => quotes.one(args, within(context)),
      quotes: (args: Args, context: Context) => quotes.many(args, within(context)),
    }),
  }
}

/** The fields of Query and Mutation; members of the root are called with the arguments and the context. */
export const root = {
  ...accountsIn(undefined),
  inStore: ({key}: Args) => accountsIn(String(key)),
  customerGroup: groups.one,
  customerGroups: groups.many,
  store: stores.one,
  stores: stores.many,
  typeDefinition: types.one,
  typeDefinitions: types.many,
  ...mutationRoot,
}

/** Fields that follow references, by type and name: to the collection with this type id. */
const followed: ReadonlyMap<string, string> = new Map([
  ['Customer.customerGroup', 'customer-group'],
  ['Customer.stores', 'store'],
  ['CustomerGroupAssignment.customerGroup', 'customer-group'],
  ['CustomFieldsType.type', 'type'],
  ['Cart.customer', 'customer'],
  ['Cart.customerGroup', 'customer-group'],
  ['Cart.store', 'store'],
  ['Quote.customer', 'customer'],
  ['Quote.customerGroup', 'customer-group'],
  ['Quote.store', 'store'],
  ['ShippingInfo.shippingMethod', 'shipping-method'],
])

type Reference = {readonly typeId: string} & Name

/** Shows documents in place of the references of a field that follows them; each is read and its bytes counted once. Throws insufficient_scope. */
export function followedBy(context: Context): (field: string, value: unknown) => unknown {
  const known = new Map<string, Promise<Document | undefined>>()
  const read = async (typeId: string, reference: Reference): Promise<Document | undefined> => {
    const document = await documentBy<Document>(context, typeId, reference)
    if (!document) return undefined
    if (maySee(context, typeId, document)) return counted(context, document)
    throw ApiError.of('insufficient_scope', {missing: ownCollection(typeId).view})
  }
  const documentOf = (typeId: string, reference: Reference): Promise<Document | undefined> => {
    const name = `${typeId} ${'id' in reference ? reference.id : `key ${reference.key}`}`
    const found = known.get(name) ?? read(typeId, reference)
    known.set(name, found)
    return found
  }
  return (field, value) => {
    const typeId = followed.get(field)
    if (typeId === undefined || value === undefined) return value
    if (!Array.isArray(value)) return documentOf(typeId, value as Reference)
    const each = Promise.all((value as Reference[]).map((one) => documentOf(typeId, one)))
    return each.then((documents) => documents.filter((one) => one !== undefined))
  }
}
