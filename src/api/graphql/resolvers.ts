import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import type {Document} from '../../store/store.js'
import {me} from '../accounts/me.js'
import {documentOf} from '../collections/reading.js'
import {collectionOf} from '../operation/collection-table.js'
import type {Context} from '../operation/context.js'
import type {Query} from '../operation/operation.js'
import {opens} from '../operation/permit.js'
import {page} from '../operation/read.js'
import {mutationRoot} from './mutations.js'

/** What answers the fields of a query: the readers of the API, with their permissions, predicates and limits. */

type Args = Readonly<Record<string, unknown>>

/** Throws insufficient_scope unless the token opens the collection in the whole project. */
function checkScope({principal, project}: Context, ...anyOf: readonly string[]): void {
  const isOpen = principal.kind === 'bearer' && opens({anyOf}, principal.scopes, {projectKey: project.key})
  if (!isOpen) throw ApiError.of('insufficient_scope', {missing: anyOf})
}

function collectionCalled(typeId: string) {
  const found = collectionOf(typeId)
  if (!found) throw new Error(`there is no collection of ${typeId}`)
  return found
}

/** The arguments of a list as the query parameters that they stand for. */
const queryOf = ({where, sort, limit, offset}: Args): Query => {
  const entries = Object.entries({where, sort, limit, offset}).map(
    ([name, value]) => [name, [value ?? []].flat().map(String)] as const,
  )
  return new Map(entries.filter(([, values]) => values.length > 0))
}

function readersOf(typeId: string) {
  const collection = collectionCalled(typeId)
  return {
    one: async ({id, key}: Args, context: Context): Promise<Document | undefined> => {
      checkScope(context, ...collection.view)
      if ((typeof id === 'string') === (typeof key === 'string')) {
        throw ApiError.of('InvalidInput', {message: "Exactly one of 'id' and 'key' names what is asked for."})
      }
      try {
        return await documentOf(context, collection, typeof id === 'string' ? {id} : {key: String(key)})
      } catch (error) {
        if (error instanceof ApiError && error.is('ResourceNotFound')) return undefined
        throw error
      }
    },
    many: async (args: Args, context: Context) => {
      checkScope(context, ...collection.view)
      const found = await page<Document>(context, typeId, collection.shape, queryOf(args))
      return {...found, exists: found.count > 0}
    },
  }
}

/** The customer of the token; null for a token of nobody, as the platform answers. */
async function ownCustomer(_: Args, context: Context): Promise<Customer | undefined> {
  checkScope(context, 'manage_my_profile')
  const {principal} = context
  return principal.kind === 'bearer' && principal.customerId !== undefined ? me(context) : undefined
}

const customers = readersOf('customer')
const groups = readersOf('customer-group')
const stores = readersOf('store')
const types = readersOf('type')

/** The fields of Query and Mutation; members of the root are called with the arguments and the context. */
export const root = {
  customer: customers.one,
  customers: customers.many,
  customerGroup: groups.one,
  customerGroups: groups.many,
  store: stores.one,
  stores: stores.many,
  typeDefinition: types.one,
  typeDefinitions: types.many,
  me: () => ({customer: ownCustomer}),
  ...mutationRoot,
}

type Members = Readonly<Record<string, unknown>>
type Derived = (source: Members) => unknown

const addressCalled = ({addresses = []}: Members, id: unknown): unknown =>
  (addresses as {id?: string}[]).find((address) => address.id === id)

const addressesCalled = (source: Members, ids: unknown): unknown[] =>
  ((ids ?? []) as string[]).flatMap((id) => addressCalled(source, id) ?? [])

/** Fields that a document has under another name or in another form, by type and name. */
export const derived: Readonly<Record<string, Derived>> = {
  'Customer.defaultShippingAddress': (source) => addressCalled(source, source['defaultShippingAddressId']),
  'Customer.defaultBillingAddress': (source) => addressCalled(source, source['defaultBillingAddressId']),
  'Customer.shippingAddresses': (source) => addressesCalled(source, source['shippingAddressIds']),
  'Customer.billingAddresses': (source) => addressesCalled(source, source['billingAddressIds']),
  'Customer.customerGroupRef': ({customerGroup}) => customerGroup,
  'Customer.storesRef': ({stores: references}) => references ?? [],
  'CustomerGroupAssignment.customerGroupRef': ({customerGroup}) => customerGroup,
  'CustomFieldsType.typeRef': ({type}) => type,
  'CustomFieldsType.customFieldsRaw': ({fields}) =>
    Object.entries((fields ?? {}) as object).map(([name, value]: [string, unknown]) => ({name, value})),
  'Initiator.customerRef': ({customer}) => customer,
}
