import type {GraphQLScalarType, GraphQLSchema, ValueNode} from 'graphql'
import {addressFields} from '../../domain/address-fields.js'
import {storefrontPages} from '../../domain/collections/storefront.js'
import {fieldRows} from '../../domain/customers/fields.js'
import type {Field} from '../../domain/field.js'
import {quoteStates} from '../../domain/quotes/quote.js'
import {isLocale} from '../../domain/rules.js'
import {mutationText} from './mutations.js'

const fieldScalars: Readonly<Record<string, string>> = {country: 'Country', dateOfBirth: 'Date', locale: 'Locale'}

const texts = (fields: readonly Field[]): string =>
  fields.map(({name, required}) => `${name}: ${fieldScalars[name] ?? 'String'}${required ? '!' : ''}`).join(' ')

const stamped = `id: String! version: Long! createdAt: DateTime! lastModifiedAt: DateTime!
  createdBy: Initiator lastModifiedBy: Initiator`
const storefrontFields = storefrontPages.map((name) => `${name}: String`).join(' ')
const inLanguage = '(locale: Locale, acceptLanguage: [Locale!]): String'
const byNames = '(includeNames: [String!], excludeNames: [String!])'
const own = `customer: Customer
  cart(id: String!): Cart
  carts(where: String, sort: [String!], limit: Int, offset: Int): CartQueryResult!
  activeCart: Cart`
const pageOf = (type: string): string =>
  `type ${type}QueryResult { offset: Int! count: Int! total: Long! exists: Boolean! results: [${type}!]! }`
/** What a quote copies of a cart. */
const goods = `inventoryMode: String! taxMode: String! taxCalculationMode: String! taxRoundingMode: String!
  priceRoundingMode: String! totalPrice: Money! taxedPrice: TaxedPrice lineItems(id: String): [LineItem!]!
  customLineItems: [CustomLineItem!]! shippingInfo: ShippingInfo paymentInfo: PaymentInfo businessUnitRef: KeyReference
  customerGroupRef: Reference customerGroup: CustomerGroup storeRef: KeyReference store: Store
  shippingAddress: Address billingAddress: Address itemShippingAddresses: [Address!]! purchaseOrderNumber: String
  custom: CustomFieldsType`

const money = 'type: String! currencyCode: Currency! centAmount: Long! fractionDigits: Int!'
const taxed = 'totalNet: Money! totalGross: Money! taxPortions: [TaxPortion!]! totalTax: Money'
const line = `id: String! key: String name${inLanguage} nameAllLocales: [LocalizedString!]! quantity: Long!
  taxedPrice: TaxedItemPrice taxRate: TaxRate state: [ItemState!]! priceMode: String! custom: CustomFieldsType
  discountedPricePerQuantity: [DiscountedLineItemPriceForQuantity!]! shippingDetails: ItemShippingDetails`

/** What GraphQL can ask for: customers, what changes them, and the keys of what they refer to. Source: API › GraphQL. */
export const schemaText = `
type Query {
  customer(emailToken: String, passwordToken: String, id: String, key: String): Customer
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

type Me {
  ${own}
  quote(id: String, key: String): Quote
  quotes(where: String, sort: [String!], limit: Int, offset: Int): QuoteQueryResult!
}
type InStoreMe { ${own} }
type InStore {
  me: InStoreMe!
  customer(emailToken: String, passwordToken: String, id: String, key: String): Customer
  customers(where: String, sort: [String!], limit: Int, offset: Int): CustomerQueryResult!
}

${['Customer', 'CustomerGroup', 'Store', 'Quote', 'Cart', 'TypeDefinition'].map(pageOf).join('\n')}

type CustomerGroup { ${stamped} key: String name: String! custom: CustomFieldsType }
type StoreCountry { code: Country! }
type Storefront { ${storefrontFields} }
type Store {
  ${stamped} key: String! name${inLanguage} nameAllLocales: [LocalizedString!] languages: [Locale!]
  countries: [StoreCountry!] storefront: Storefront custom: CustomFieldsType
}
type LocalizedString { locale: Locale! value: String! }
type FieldType { name: String! }
type FieldDefinition {
  name: String! required: Boolean! inputHint: String! label${inLanguage} labelAllLocales: [LocalizedString!]!
  type: FieldType!
}
type TypeDefinition {
  ${stamped} key: String! name${inLanguage} nameAllLocales: [LocalizedString!]! description${inLanguage}
  descriptionAllLocales: [LocalizedString!] resourceTypeIds: [String!]!
  fieldDefinitions${byNames}: [FieldDefinition!]!
}

type Reference { typeId: String! id: String! }
type KeyReference { typeId: String! key: String! }
type CustomerGroupAssignment { customerGroupRef: Reference customerGroup: CustomerGroup }
type RawCustomField { name: String! value: Json! }
type CustomFieldsType { typeRef: Reference! type: TypeDefinition customFieldsRaw${byNames}: [RawCustomField!] }
type Initiator {
  clientId: String isPlatformClient: Boolean externalUserId: String anonymousId: String customerRef: Reference
  associateRef: Reference attributedTo: Attribution
}
type Attribution { clientId: String source: String! }
scalar Json
scalar Long
scalar Locale
scalar Country
scalar Date
scalar DateTime
scalar Currency

interface BaseMoney { ${money} }
type Money implements BaseMoney { ${money} }
type HighPrecisionMoney implements BaseMoney { ${money} preciseAmount: Long! }
type TaxPortion { rate: Float! amount: Money! name: String }
type TaxedPrice { ${taxed} }
type TaxedItemPrice { ${taxed} }
type SubRate { name: String! amount: Float! }
type TaxRate {
  id: String key: String name: String! amount: Float! includedInPrice: Boolean! country: Country! state: String
  subRates: [SubRate!]!
}
type Dimensions { width: Int! height: Int! }
type Image { url: String! dimensions: Dimensions! label: String }
type RawProductAttribute { name: String! value: Json! }
type ProductVariant {
  id: Int! key: String sku: String prices: [ProductPrice!] images: [Image!]!
  attributesRaw${byNames}: [RawProductAttribute!]!
}
type DiscountedProductPriceValue { value: BaseMoney! discountRef: Reference! }
type ProductPrice {
  id: String key: String value: BaseMoney! country: Country customerGroup: CustomerGroup customerGroupRef: Reference
  channelRef: Reference validFrom: DateTime validUntil: DateTime discounted: DiscountedProductPriceValue
  custom: CustomFieldsType
}
type ItemState { quantity: Long! stateRef: Reference! }
type DiscountedLineItemPortion { discountRef: Reference! discountedAmount: BaseMoney! }
type DiscountedLineItemPrice { value: BaseMoney! includedDiscounts: [DiscountedLineItemPortion!]! }
type DiscountedLineItemPriceForQuantity { quantity: Long! discountedPrice: DiscountedLineItemPrice! }
type ItemShippingTarget { addressKey: String! quantity: Long! shippingMethodKey: String }
type ItemShippingDetails { targets: [ItemShippingTarget!]! valid: Boolean! }
type LineItem {
  ${line} productId: String! productKey: String productSlug${inLanguage}
  productSlugAllLocales: [LocalizedString!] variant: ProductVariant price: ProductPrice! addedAt: DateTime
  lastModifiedAt: DateTime lineItemMode: String! inventoryMode: String supplyChannelRef: Reference
  distributionChannelRef: Reference totalPrice: Money
}
type CustomLineItem { ${line} slug: String! money: BaseMoney! taxCategoryRef: Reference totalPrice: Money! }
type ShippingRate { price: Money! freeAbove: Money isMatching: Boolean }
type ShippingMethod {
  ${stamped} key: String name: String! active: Boolean! isDefault: Boolean! predicate: String carrier: String
  localizedName${inLanguage} localizedNameAllLocales: [LocalizedString!] taxCategoryRef: Reference custom: CustomFieldsType
}
type ShippingInfo {
  shippingMethodName: String! price: Money! shippingRate: ShippingRate! taxRate: TaxRate taxedPrice: TaxedItemPrice
  discountedPrice: DiscountedLineItemPrice shippingMethodState: String! shippingMethodRef: Reference
  shippingMethod: ShippingMethod taxCategoryRef: Reference
}
type DiscountCodeInfo { discountCodeRef: Reference! state: String }
type PaymentInfo { paymentRefs: [Reference!]! }
type Cart {
  ${stamped} key: String customerId: String customer: Customer customerEmail: String anonymousId: String
  country: Country locale: Locale
  cartState: String! origin: String! shippingMode: String! totalLineItemQuantity: Long
  deleteDaysAfterLastModification: Int shippingKey: String taxedShippingPrice: TaxedPrice
  discountCodes: [DiscountCodeInfo!]! refusedGiftsRefs: [Reference!]! shippingCustomFields: CustomFieldsType ${goods}
}
enum QuoteState { ${quoteStates.join(' ')} }
type Quote {
  ${stamped} key: String customerRef: Reference customer: Customer country: Country quoteState: QuoteState!
  validTo: DateTime sellerComment: String buyerComment: String stagedQuoteRef: Reference! quoteRequestRef: Reference!
  stateRef: Reference ${goods}
}

type Address {
  id: String ${texts(addressFields)} custom: CustomFieldsType
}

type Customer {
  ${stamped}
  ${texts(fieldRows)} password: String isEmailVerified: Boolean! authenticationMode: AuthenticationMode
  addresses: [Address!]! defaultShippingAddressId: String defaultBillingAddressId: String
  defaultShippingAddress: Address defaultBillingAddress: Address
  shippingAddressIds: [String!]! billingAddressIds: [String!]! shippingAddresses: [Address!]! billingAddresses: [Address!]!
  customerGroupRef: Reference customerGroup: CustomerGroup customerGroupAssignments: [CustomerGroupAssignment!]!
  storesRef: [KeyReference!]! stores: [Store!]! custom: CustomFieldsType
}
${mutationText}`

/** What the scalars of the API take as arguments. Country and Date have the forms of REST (decision 9). */
const scalars: Readonly<Record<string, {readonly holds: (value: unknown) => boolean; readonly form: string}>> = {
  KeyReferenceInput: {holds: (value) => typeof value === 'string', form: 'the text of a key'},
  Long: {holds: Number.isSafeInteger, form: 'a whole number that JSON carries exactly'},
  Locale: {holds: (value) => typeof value === 'string' && isLocale(value), form: 'a language tag such as de or de-AT'},
  Country: {holds: (value) => typeof value === 'string' && /^[A-Z]{2}$/.test(value), form: 'two capital letters'},
  Date: {holds: (value) => typeof value === 'string', form: 'the text of a day, YYYY-MM-DD'},
}

/** Makes the scalars of a schema check what they are given; built from a text, they take any value. */
export function checkScalars(
  schema: GraphQLSchema,
  {GraphQLError, valueFromASTUntyped}: typeof import('graphql'),
): void {
  for (const [name, {holds, form}] of Object.entries(scalars)) {
    const scalar = schema.getType(name) as GraphQLScalarType
    scalar.parseValue = (value) => {
      if (holds(value)) return value
      throw new GraphQLError(`${name} is ${form}.`)
    }
    // A bare word is a value of an enum, and no text.
    scalar.parseLiteral = (node: ValueNode, variables) =>
      scalar.parseValue(node.kind === 'EnumValue' ? undefined : valueFromASTUntyped(node, variables))
  }
}
