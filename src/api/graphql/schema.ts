import {addressFields} from '../../domain/address-fields.js'
import {fieldRows} from '../../domain/customers/fields.js'
import type {Field} from '../../domain/field.js'
import {mutationText} from './mutations.js'

const texts = (fields: readonly Field[]): string =>
  fields.map(({name, required}) => `${name}: String${required ? '!' : ''}`).join(' ')

/** What GraphQL can ask for: customers, what changes them, and the keys of what they refer to. Source: API › GraphQL. */
export const schemaText = `
type Query {
  customer(id: String, key: String): Customer
  customers(where: String, sort: [String!], limit: Int, offset: Int): CustomerQueryResult!
  me: Me!
  inStore(key: KeyReferenceInput!): InStore!
  customerGroup(id: String, key: String): CustomerGroup
  customerGroups(where: String, sort: [String!], limit: Int, offset: Int): CustomerGroupQueryResult!
  store(id: String, key: String): Store
  stores(where: String, sort: [String!], limit: Int, offset: Int): StoreQueryResult!
  typeDefinition(id: String, key: String): TypeDefinition
  typeDefinitions(where: String, sort: [String!], limit: Int, offset: Int): TypeDefinitionQueryResult!
}

type Me { customer: Customer }
type InStore {
  me: Me!
  customer(id: String, key: String): Customer
  customers(where: String, sort: [String!], limit: Int, offset: Int): CustomerQueryResult!
}

type CustomerQueryResult { offset: Int! count: Int! total: Long! exists: Boolean! results: [Customer!]! }
type CustomerGroupQueryResult { offset: Int! count: Int! total: Long! exists: Boolean! results: [CustomerGroup!]! }
type StoreQueryResult { offset: Int! count: Int! total: Long! exists: Boolean! results: [Store!]! }
type TypeDefinitionQueryResult { offset: Int! count: Int! total: Long! exists: Boolean! results: [TypeDefinition!]! }

type CustomerGroup { id: String! version: Long! key: String name: String createdAt: String lastModifiedAt: String }
type Store { id: String! version: Long! key: String! createdAt: String lastModifiedAt: String }
type TypeDefinition {
  id: String! version: Long! key: String! resourceTypeIds: [String!] createdAt: String lastModifiedAt: String
}

type Reference { typeId: String! id: String! }
type KeyReference { typeId: String! key: String! }
type CustomerGroupAssignment { customerGroupRef: Reference customerGroup: CustomerGroup }
type RawCustomField { name: String! value: Json }
type CustomFieldsType { typeRef: Reference! type: TypeDefinition customFieldsRaw: [RawCustomField!]! }
type Initiator {
  clientId: String isPlatformClient: Boolean! externalUserId: String anonymousId: String customerRef: Reference
}
scalar Json
scalar Long
scalar Locale
scalar Country
scalar Date
scalar DateTime

type Money { currencyCode: String! centAmount: Long! }
type LineItem { id: String! productId: String! quantity: Long! totalPrice: Money }
type Cart {
  id: String! version: Long! key: String customerId: String customerEmail: String anonymousId: String country: String
  cartState: String! totalPrice: Money! lineItems: [LineItem!]! createdAt: DateTime! lastModifiedAt: DateTime!
}

type Address {
  id: String ${texts(addressFields)} custom: CustomFieldsType
}

type Customer {
  id: String! version: Long! createdAt: String! lastModifiedAt: String! createdBy: Initiator lastModifiedBy: Initiator
  ${texts(fieldRows)} password: String isEmailVerified: Boolean! authenticationMode: String!
  addresses: [Address!]! defaultShippingAddressId: String defaultBillingAddressId: String
  defaultShippingAddress: Address defaultBillingAddress: Address
  shippingAddressIds: [String!]! billingAddressIds: [String!]! shippingAddresses: [Address!]! billingAddresses: [Address!]!
  customerGroupRef: Reference customerGroup: CustomerGroup customerGroupAssignments: [CustomerGroupAssignment!]!
  storesRef: [KeyReference!]! stores: [Store!]! custom: CustomFieldsType
}
${mutationText}`
