import * as v from 'valibot'
import {addressFields} from './address-fields.js'
import {storefrontPages} from './collections/storefront.js'
import {customFieldsView} from './customers/customer.js'
import {Moment, type ShapeOf} from './shape-of.js'

/**
 * The members of resources: what predicates and sort keys may name (decision 15), and what replies describe. `name` is a
 * text, `name:Type` has the members of a type below, `:#kind` the custom fields of a kind of resource, `:*` any; `[]` marks
 * lists of objects, `!` what replies always have. A test holds all of it against the reference. Source: API › the representation of each resource.
 */

const line = (
  custom: string,
) => `id! key name:* quantity:number! totalPrice:Money! taxedPrice:Taxed taxedPricePortions:MethodTaxed[]
  state:ItemState[] taxRate:TaxRate perMethodTaxRate:MethodRate[] discountedPricePerQuantity:DiscountedQuantity[]
  priceMode shippingDetails:ItemShipping custom:#${custom}`
const shipment =
  'shippingKey shippingInfo:ShippingInfo shippingAddress:Address shippingRateInput:* shippingCustomFields:#shipping'
const goods = (
  custom: string,
) => `key customerGroup:Reference store:KeyReference businessUnit:KeyReference lineItems:LineItem[]!
  customLineItems:CustomLineItem[]! totalPrice:Money! taxedPrice:Taxed billingAddress:Address shippingAddress:Address
  itemShippingAddresses:Address[] inventoryMode taxMode! priceRoundingMode! taxRoundingMode! taxCalculationMode! country
  shippingInfo:ShippingInfo shippingRateInput:* paymentInfo:Payments directDiscounts:*[]! custom:#${custom} purchaseOrderNumber`

const types: Readonly<Record<string, string>> = {
  Resource: `id version:number versionModifiedAt:datetime lastMessageSequenceNumber:number createdAt:datetime
    lastModifiedAt:datetime createdBy:By lastModifiedBy:By`,
  By: `clientId isPlatformClient:boolean externalUserId anonymousId customer:Reference associate:Reference
    attributedTo:Source`,
  Source: 'clientId source',
  Reference: 'typeId! id!',
  KeyReference: 'typeId! key!',
  Address: `${addressFields.map(({name}) => name).join(' ')} id custom:#address`,
  Money: 'type currencyCode centAmount:number fractionDigits:number preciseAmount:number',
  TaxPortion: 'name rate:number amount:Money',
  Taxed: 'totalNet:Money! totalGross:Money! totalTax:Money taxPortions:TaxPortion[]',
  SubRate: 'name amount:number',
  TaxRate: 'id key name amount:number includedInPrice:boolean country state subRates:SubRate[]',
  MethodTaxed: 'shippingMethodKey taxedPrice:Taxed',
  MethodRate: 'shippingMethodKey taxRate:TaxRate',
  Discount: 'discount:Reference discountedAmount:Money',
  Discounted: 'value:Money includedDiscounts:Discount[]',
  DiscountedQuantity: 'quantity:number discountedPrice:Discounted',
  DiscountedTotal: `discountedAmount:Money includedDiscounts:Discount[] discountedNetAmount:Money
    discountedGrossAmount:Money`,
  DiscountedPrice: 'value:Money discount:Reference',
  Tier: 'minimumQuantity:number value:Money',
  Price: `id key value:Money country customerGroup:Reference channel:Reference validFrom:datetime validUntil:datetime
    discounted:DiscountedPrice tiers:Tier[] custom:#product-price recurrencePolicy:Reference`,
  Variant: `id:number sku key prices:Price[] attributes:*[] price:Price images:*[] assets:*[] availability:*
    isMatchingVariant:boolean scopedPrice:* scopedPriceDiscounted:boolean recurrencePrices:Price[]`,
  ProductType: 'typeId! id! version:number',
  ItemState: 'quantity:number state:Reference',
  ItemTarget: 'addressKey quantity:number shippingMethodKey',
  ItemShipping: 'targets:ItemTarget[] valid:boolean',
  Recurrence: 'recurrencePolicy:Reference priceSelectionMode',
  Repeated: 'recurrencePolicy:Reference',
  LineItem: `${line('line-item')} recurrenceInfo:Recurrence productId productKey productSlug:* productType:ProductType variant:Variant price:Price
    supplyChannel:Reference distributionChannel:Reference lineItemMode inventoryMode reservation:Reference
    addedAt:datetime lastModifiedAt:datetime`,
  CustomLineItem: `${line('custom-line-item')} recurrenceInfo:Repeated slug money:Money taxCategory:Reference`,
  ShippingRate: 'price:Money freeAbove:Money isMatching:boolean tiers:*[]',
  Delivery: 'from:datetime until:datetime',
  ShippingInfo: `shippingMethodName price:Money shippingRate:ShippingRate taxedPrice:Taxed taxRate:TaxRate
    taxCategory:Reference shippingMethod:Reference deliveries:*[] discountedPrice:Discounted shippingMethodState
    estimatedDelivery:Delivery`,
  Shipment: shipment,
  Payments: 'payments:Reference[]',
  Code: 'discountCode:Reference state',
  Lock: 'createdAt:datetime clientId',
  Country: 'code',
  Selection: 'productSelection:Reference active:boolean',
  Storefront: storefrontPages.join(' '),
  ElementType: 'name values:*[] referenceTypeId',
  FieldType: 'name values:*[] referenceTypeId elementType:ElementType',
  Field: 'type:FieldType name label:* required:boolean inputHint',
  Group: 'customerGroup:Reference',
  Container: 'key container',
  Identifiers: 'key externalId orderNumber customerNumber sku slug:* containerAndKey:Container',
}

const open = (names: string): string => names.replace(/[\w-]+/g, '$&:*')

const resources = {
  store: `key name:* languages:string[] countries:Country[] distributionChannels:Reference[] supplyChannels:Reference[]
    productSelections:Selection[] custom:#store storefront:Storefront`,
  'customer-group': 'key name custom:#customer-group',
  type: 'key name:* description:* resourceTypeIds:string[] fieldDefinitions:Field[]',
  cart: `${goods('order')} customerId customerEmail anonymousId totalLineItemQuantity:number taxedShippingPrice:Taxed
    discountOnTotalPrice:DiscountedTotal cartState freezeStrategy shippingMode shippingKey shippingCustomFields:#shipping
    shipping:Shipment[] discountCodes:Code[] refusedGifts:Reference[] locale origin discountTypeCombination:* lock:Lock
    deleteDaysAfterLastModification:number warnings:*[]`,
  quote: `${goods('quote')} quoteRequest:Reference stagedQuote:Reference customer:Reference validTo:datetime sellerComment
    buyerComment quoteState state:Reference`,
  'quote-request': `${goods('quote')} quoteRequestState comment customer:Reference state:Reference cart:Reference`,
  'staged-quote': `key stagedQuoteState customer:Reference quoteRequest:Reference quotationCart:Reference
    validTo:datetime sellerComment custom:#quote state:Reference purchaseOrderNumber businessUnit:KeyReference
    store:KeyReference`,
  'business-unit': `key status stores:KeyReference[] inheritedStores:KeyReference[] storeMode unitType name contactEmail
    custom:#business-unit customerGroupAssignments:Group[] addresses:Address[] shippingAddressIds:string[]
    defaultShippingAddressId billingAddressIds:string[] defaultBillingAddressId associateMode associates:*[] inheritedAssociates:*[]
    parentUnit:KeyReference topLevelUnit:KeyReference approvalRuleMode`,
  'associate-role': 'key buyerAssignable:boolean name permissions:string[] custom:#associate-role',
  product: `key productType:Reference taxCategory:Reference state:Reference priceMode ${open(
    'masterData reviewRatingStatistics warnings',
  )}`,
  'product-type': 'key name description attributes:*[]',
  'tax-category': 'name description rates:TaxRate[] key',
  zone: 'key name description locations:*[]',
  state: 'key type name:* description:* initial:boolean builtIn:boolean roles:string[] transitions:Reference[]',
  'shipping-method': `key name localizedName:* description localizedDescription:* taxCategory:Reference zoneRates:*[]
    active:boolean isDefault:boolean predicate custom:#shipping-method stores:KeyReference[] carrier`,
  message: `sequenceNumber:number resource:Reference resourceVersion:number type
    resourceUserProvidedIdentifiers:Identifiers address:Address ${open(
      `addressRoles name value addressId previousValue previousTypeId customFields companyName customer dateOfBirth email
      oldEmail customerId expiresAt invalidateOlderTokens externalId firstName customerGroupAssignment
      customerGroupAssignments oldCustomerGroupAssignments oldValue oldTypeId customerGroup lastName reset stores
      oldStores title quote previousCustomer buyerComment quoteRequest quoteRequestState oldQuoteRequestState state
      oldState force quoteState oldQuoteState checkoutUrlTemplate contactUrl cookiePolicyUrl addedCountries
      removedCountries languages countries distributionChannels supplyChannels productSelections custom
      addedDistributionChannels removedDistributionChannels faqUrl imprintUrl addedLanguages removedLanguages
      nameAllLocales orderUrlTemplate privacyPolicyUrl addedProductSelections removedProductSelections
      updatedProductSelections refundPolicyUrl shippingPolicyUrl addedSupplyChannels removedSupplyChannels
      termsOfServiceUrl stagedQuote`,
    )}`,
}

const leaves: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'datetime'])
const made = new Map<string, ShapeOf>()

function shapeCalled(type: string): ShapeOf {
  if (type === '*') return {open: true}
  if (type.startsWith('#')) return {members: {type: shapeCalled('Reference'), fields: {fieldsOf: type.slice(1)}}}
  if (leaves.has(type)) return {leaf: type as 'string'}
  const known = made.get(type) ?? {members: membersIn(types[type] ?? '')}
  made.set(type, known)
  return known
}

/** Each member is an own property: names such as `constructor` are none. */
const byMember = <T>(text: string, make: (type: string, isList: boolean, isRequired: boolean) => T) =>
  Object.fromEntries(
    text.split(/\s+/).map((token) => {
      const [, name = '', type = 'string', list, mark] = /^([\w-]+)(?::([\w*#-]+)(\[\])?)?(!)?$/.exec(token) ?? []
      return [name, make(type, list !== undefined, mark !== undefined)]
    }),
  )

const membersIn = (text: string): Readonly<Record<string, ShapeOf>> =>
  byMember(text, (type, isList) => (isList ? ({...shapeCalled(type), array: true} as ShapeOf) : shapeCalled(type)))

/** The shape of resources with a type id (decision 15). */
export const fieldsOf = (typeId: keyof typeof resources): ShapeOf => ({
  members: membersIn(`${types['Resource']} ${resources[typeId]}`),
})

/** An amount of a currency in its smallest unit, of which `fractionDigits` say how many digits follow the point. */
export const Money = v.object({
  type: v.picklist(['centPrecision', 'highPrecision']),
  currencyCode: v.string(),
  centAmount: v.number(),
  fractionDigits: v.number(),
  preciseAmount: v.exactOptional(v.number()),
})

const schemas = new Map<string, v.GenericSchema>([
  ['string', v.string()],
  ['number', v.number()],
  ['boolean', v.boolean()],
  ['datetime', Moment],
  ['*', v.record(v.string(), v.unknown())],
  ['Money', Money],
])

/** The schema of a type, once: what it describes may have other members. */
function schemaCalled(type: string): v.GenericSchema {
  const own = () =>
    type.startsWith('#') ? customFieldsView(type.slice(1)) : v.looseObject(schemasIn(types[type] ?? ''))
  const schema = schemas.get(type) ?? own()
  schemas.set(type, schema)
  return schema
}

const schemasIn = (text: string) =>
  byMember(text, (type, isList, isRequired) => {
    const schema = isList ? v.array(schemaCalled(type)) : schemaCalled(type)
    return isRequired ? schema : v.exactOptional(schema)
  })

/** The schemas of the members of resources with a type id, beside those of every resource. */
export const schemasOf = (typeId: keyof typeof resources) => schemasIn(resources[typeId])
