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
  id: String key: String country: String! title: String salutation: String firstName: String lastName: String
  streetName: String streetNumber: String additionalStreetInfo: String postalCode: String city: String region: String
  state: String company: String department: String building: String apartment: String pOBox: String phone: String
  mobile: String email: String fax: String additionalAddressInfo: String externalId: String custom: CustomFields
}

type Customer {
  id: String! version: Float! key: String createdAt: String! lastModifiedAt: String! createdBy: Initiator
  lastModifiedBy: Initiator customerNumber: String externalId: String email: String! password: String
  firstName: String lastName: String middleName: String title: String salutation: String dateOfBirth: String
  companyName: String vatId: String locale: String isEmailVerified: Boolean! authenticationMode: String!
  addresses: [Address!]! defaultShippingAddressId: String defaultBillingAddressId: String
  defaultShippingAddress: Address defaultBillingAddress: Address
  shippingAddressIds: [String!]! billingAddressIds: [String!]! shippingAddresses: [Address!]! billingAddresses: [Address!]!
  customerGroupRef: Reference customerGroupAssignments: [CustomerGroupAssignment!]!
  storesRef: [KeyReference!]! custom: CustomFields
}
`
