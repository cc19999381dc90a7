import {addressFields} from '../../domain/address-fields.js'
import {fieldRows} from '../../domain/customers/fields.js'
import type {Field} from '../../domain/field.js'

const texts = (fields: readonly Field[]): string =>
  fields.map(({name, required}) => `${name}: String${required ? '!' : ''}`).join(' ')

/** What GraphQL can ask for: customers, read-only, and the keys of what they refer to. Source: API › GraphQL. */
export const schemaText = `
type Query {
  customer(id: String, key: String): Customer
  customers(where: String, sort: [String!], limit: Int, offset: Int): CustomerQueryResult!
  me: Me!
  customerGroup(id: String, key: String): CustomerGroup
  customerGroups(where: String, sort: [String!], limit: Int, offset: Int): CustomerGroupQueryResult!
  store(id: String, key: String): Store
  stores(where: String, sort: [String!], limit: Int, offset: Int): StoreQueryResult!
  typeDefinition(id: String, key: String): TypeDefinition
  typeDefinitions(where: String, sort: [String!], limit: Int, offset: Int): TypeDefinitionQueryResult!
}

type Me { customer: Customer }

type CustomerQueryResult { offset: Int! count: Int! total: Float! exists: Boolean! results: [Customer!]! }
type CustomerGroupQueryResult { offset: Int! count: Int! total: Float! exists: Boolean! results: [CustomerGroup!]! }
type StoreQueryResult { offset: Int! count: Int! total: Float! exists: Boolean! results: [Store!]! }
type TypeDefinitionQueryResult { offset: Int! count: Int! total: Float! exists: Boolean! results: [TypeDefinition!]! }

type CustomerGroup { id: String! version: Float! key: String name: String createdAt: String lastModifiedAt: String }
type Store { id: String! version: Float! key: String! createdAt: String lastModifiedAt: String }
type TypeDefinition {
  id: String! version: Float! key: String! resourceTypeIds: [String!] createdAt: String lastModifiedAt: String
}

type Reference { typeId: String! id: String! }
type KeyReference { typeId: String! key: String! }
type CustomerGroupAssignment { customerGroupRef: Reference! }
type RawCustomField { name: String! value: Json }
type CustomFields { typeRef: Reference! customFieldsRaw: [RawCustomField!]! }
type Initiator {
  clientId: String isPlatformClient: Boolean! externalUserId: String anonymousId: String customerRef: Reference
}
scalar Json

type Address {
  id: String ${texts(addressFields)} custom: CustomFields
}

type Customer {
  id: String! version: Float! createdAt: String! lastModifiedAt: String! createdBy: Initiator lastModifiedBy: Initiator
  ${texts(fieldRows)} password: String isEmailVerified: Boolean! authenticationMode: String!
  addresses: [Address!]! defaultShippingAddressId: String defaultBillingAddressId: String
  defaultShippingAddress: Address defaultBillingAddress: Address
  shippingAddressIds: [String!]! billingAddressIds: [String!]! shippingAddresses: [Address!]! billingAddresses: [Address!]!
  customerGroupRef: Reference customerGroupAssignments: [CustomerGroupAssignment!]!
  storesRef: [KeyReference!]! custom: CustomFields
}
`
