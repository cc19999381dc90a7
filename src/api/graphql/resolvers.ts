import type {Customer} from '../../domain/customers/customer.js'
import {ApiError} from '../../domain/errors.js'
import {jsonOf} from '../../domain/json-text.js'
import type {Document} from '../../store/store.js'
import {me} from '../accounts/me.js'
import {customerOfToken} from '../accounts/one-time-tokens.js'
import {customersIn} from '../customers/access.js'
import type {Name} from '../operation/by-id-and-key.js'
import {ownCollection} from '../operation/collection-table.js'
import type {Context} from '../operation/context.js'
import type {Query} from '../operation/operation.js'
import {permitTouch} from '../operation/permit.js'
import {documentBy, isVisible, maySee, page} from '../operation/read.js'
import {tooManyValues} from './bounds.js'
import {nameIn} from './inputs.js'
import {mutationRoot} from './mutations.js'

/** What answers the fields of a query: the readers of the API, with their permissions, predicates and limits. */

export type Args = Readonly<Record<string, unknown>>

/** The arguments of a list as the query parameters that they stand for. */
const queryOf = ({where, sort, limit, offset}: Args): Query => {
  const entries = Object.entries({where, sort, limit, offset}).map(
    ([name, value]) => [name, [value ?? []].flat().map(String)] as const,
  )
  return new Map(entries.filter(([, values]) => values.length > 0))
}

function readersOf(typeId: string) {
  const collection = ownCollection(typeId)
  return {
    one: async (args: Args, context: Context): Promise<Document | undefined> => {
      await permitTouch(context, {kind: 'bearer', anyOf: collection.view})
      const found = await documentBy<Document>(context, typeId, nameIn(args, 'what is asked for'))
      return found && isVisible(found, context.storeKey) ? counted(context, found) : undefined
    },
    many: async (args: Args, context: Context) => {
      await permitTouch(context, {kind: 'bearer', anyOf: collection.view})
      const found = await page<Document>(context, {
        kind: typeId,
        shape: collection.shape,
        query: queryOf(args),
        only: customersIn(context).where,
      })
      return {...found, exists: found.count > 0}
    },
  }
}

/** The customer of the token; null for a token of nobody, as the platform answers. */
async function ownCustomer(context: Context): Promise<Customer | undefined> {
  await permitTouch(context, {kind: 'bearer', anyOf: ['manage_my_profile'], bound: 'optional'})
  const {principal} = context
  if (principal.kind !== 'bearer' || principal.customerId === undefined) return undefined
  return counted(context, await me(context))
}

/** A document whose bytes were counted. */
function counted<D extends Document>({budget}: Context, document: D): D {
  if (!budget.fits(jsonOf(document).bytes.length)) throw tooManyValues()
  return document
}

const customers = readersOf('customer')
const groups = readersOf('customer-group')
const stores = readersOf('store')
const types = readersOf('type')

/** The scopes that queries need, each some of them. */
export const queryScopes = [
  'manage_my_profile',
  ...['customer', 'customer-group', 'store', 'type'].flatMap((typeId) => ownCollection(typeId).view),
]

const oneName = "Exactly one of 'id', 'key', 'emailToken' and 'passwordToken' names a customer."

/** Customers as a store sees them, or the whole project. */
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
    me: () => ({customer: (_: Args, context: Context) => ownCustomer(within(context))}),
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

type Members = Readonly<Record<string, unknown>>
type Derived = (source: Members, args: Args) => unknown

const addressCalled = ({addresses = []}: Members, id: unknown): unknown =>
  (addresses as {id?: string}[]).find((address) => address.id === id)

const addressesCalled = (source: Members, ids: unknown): unknown[] =>
  ((ids ?? []) as string[]).flatMap((id) => addressCalled(source, id) ?? [])

/** The text of a language: the one asked for, else the first accepted one that there is. */
const textIn =
  (member: string): Derived =>
  (source, {locale, acceptLanguage}) => {
    const texts = (source[member] ?? {}) as Readonly<Record<string, string>>
    const found = [locale, ...((acceptLanguage ?? []) as unknown[])].find(
      (tag) => typeof tag === 'string' && Object.hasOwn(texts, tag),
    )
    return found === undefined ? null : texts[String(found)]
  }

const allTexts =
  (member: string): Derived =>
  (source) =>
    source[member] && Object.entries(source[member]).map(([locale, value]: [string, unknown]) => ({locale, value}))

/** The elements whose names are asked for: all without a list, and none that is excluded. */
function namedBy<T extends {readonly name: string}>(elements: readonly T[], {includeNames, excludeNames}: Args): T[] {
  const [some, none] = [includeNames, excludeNames] as (readonly string[] | null | undefined)[]
  return elements.filter(({name}) => (some?.includes(name) ?? true) && !none?.includes(name))
}

/** Texts by language: of which type, the field that shows one, and the member. */
const localized = [
  ['Store', 'name'],
  ['TypeDefinition', 'name'],
  ['TypeDefinition', 'description'],
  ['FieldDefinition', 'label'],
  ['LineItem', 'name'],
  ['LineItem', 'productSlug'],
] as const

/** What the platform always shows of a cart, and one that was seeded may lack. */
const cartDefaults = {
  cartState: 'Active',
  origin: 'Customer',
  inventoryMode: 'None',
  shippingMode: 'Single',
  taxMode: 'Platform',
  taxCalculationMode: 'LineItemLevel',
  taxRoundingMode: 'HalfEven',
  priceRoundingMode: 'HalfEven',
  itemShippingAddresses: [],
} as const

/** Fields that a document has under another name or in another form, by type and name. */
export const derived: Readonly<Record<string, Derived>> = {
  'Customer.defaultShippingAddress': (source) => addressCalled(source, source['defaultShippingAddressId']),
  'Customer.defaultBillingAddress': (source) => addressCalled(source, source['defaultBillingAddressId']),
  'Customer.shippingAddresses': (source) => addressesCalled(source, source['shippingAddressIds']),
  'Customer.billingAddresses': (source) => addressesCalled(source, source['billingAddressIds']),
  'Customer.customerGroupRef': ({customerGroup}) => customerGroup,
  'Customer.storesRef': ({stores: references}) => references ?? [],
  'Customer.stores': ({stores: references}) => references ?? [],
  'CustomerGroupAssignment.customerGroupRef': ({customerGroup}) => customerGroup,
  'CustomFieldsType.typeRef': ({type}) => type,
  'CustomFieldsType.customFieldsRaw': ({fields}, args) =>
    namedBy(
      Object.entries((fields ?? {}) as object).map(([name, value]: [string, unknown]) => ({name, value})),
      args,
    ),
  'TypeDefinition.fieldDefinitions': ({fieldDefinitions}, args) =>
    namedBy((fieldDefinitions ?? []) as {name: string}[], args),
  // Tokens never change.
  'CustomerPasswordToken.version': () => 1,
  'CustomerEmailToken.version': () => 1,
  'Initiator.customerRef': ({customer}) => customer,
  'Initiator.associateRef': ({associate}) => associate,
  'Cart.customerGroupRef': ({customerGroup}) => customerGroup,
  'Cart.storeRef': ({store}) => store,
  'Cart.lineItems': ({lineItems = []}, {id}) =>
    (lineItems as {id: string}[]).filter((line) => typeof id !== 'string' || line.id === id),
  ...Object.fromEntries(
    Object.entries(cartDefaults).map(([name, value]): [string, Derived] => [
      `Cart.${name}`,
      (source) => source[name] ?? value,
    ]),
  ),
  ...Object.fromEntries(
    localized.flatMap(([type, member]): [string, Derived][] => [
      [`${type}.${member}`, textIn(member)],
      [`${type}.${member}AllLocales`, allTexts(member)],
    ]),
  ),
}

/** Fields that follow references, by type and name: to the collection with this type id. */
const followed: ReadonlyMap<string, string> = new Map([
  ['Customer.customerGroup', 'customer-group'],
  ['Customer.stores', 'store'],
  ['CustomerGroupAssignment.customerGroup', 'customer-group'],
  ['CustomFieldsType.type', 'type'],
  ['Cart.customerGroup', 'customer-group'],
  ['Cart.store', 'store'],
])

type Reference = {readonly typeId: string} & Name

/** Follows the references that fields of one answer show: each document is read once, and its bytes are counted. */
export class Followed {
  readonly #context: Context
  readonly #documents = new Map<string, Promise<Document | undefined>>()

  constructor(context: Context) {
    this.#context = context
  }

  /** The documents in place of the references of a field, if it follows them. Throws insufficient_scope. */
  shown(field: string, value: unknown): unknown {
    const typeId = followed.get(field)
    if (typeId === undefined || value === undefined) return value
    if (!Array.isArray(value)) return this.#document(typeId, value as Reference)
    const each = Promise.all((value as Reference[]).map((one) => this.#document(typeId, one)))
    return each.then((documents) => documents.filter((one) => one !== undefined))
  }

  #document(typeId: string, reference: Reference): Promise<Document | undefined> {
    const name = `${typeId} ${'id' in reference ? reference.id : `key ${reference.key}`}`
    const found = this.#documents.get(name) ?? this.#read(typeId, reference)
    this.#documents.set(name, found)
    return found
  }

  async #read(typeId: string, reference: Reference): Promise<Document | undefined> {
    const document = await documentBy<Document>(this.#context, typeId, reference)
    if (!document) return undefined
    if (!maySee(this.#context, typeId, document)) {
      throw ApiError.of('insufficient_scope', {missing: ownCollection(typeId).view})
    }
    return counted(this.#context, document)
  }
}
