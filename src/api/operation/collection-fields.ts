import type {Shape} from '../../query/ast.js'

/**
 * What predicates and sort keys may name of resources that are stored as they come: their members, and anything below
 * these. A test holds the names against the reference. Source: API › the representation of each resource.
 */

const ofResources =
  'id version versionModifiedAt lastMessageSequenceNumber createdAt lastModifiedAt createdBy lastModifiedBy'

const fields = {
  store: 'key name languages countries distributionChannels supplyChannels productSelections custom storefront',
  'customer-group': 'key name custom',
  type: 'key name description resourceTypeIds fieldDefinitions',
  cart: [
    'key customerId customerEmail customerGroup anonymousId businessUnit store lineItems customLineItems',
    'totalLineItemQuantity totalPrice taxedPrice taxedShippingPrice discountOnTotalPrice taxMode',
    'priceRoundingMode taxRoundingMode taxCalculationMode inventoryMode cartState freezeStrategy billingAddress',
    'shippingAddress shippingMode shippingKey shippingInfo shippingRateInput shippingCustomFields shipping',
    'itemShippingAddresses discountCodes directDiscounts refusedGifts paymentInfo country locale origin custom',
    'discountTypeCombination lock deleteDaysAfterLastModification purchaseOrderNumber warnings',
  ].join(' '),
  'quote-request': [
    'key quoteRequestState comment customer customerGroup store lineItems customLineItems totalPrice taxedPrice',
    'shippingAddress billingAddress inventoryMode taxMode priceRoundingMode taxRoundingMode taxCalculationMode',
    'country shippingInfo paymentInfo shippingRateInput itemShippingAddresses directDiscounts custom state',
    'purchaseOrderNumber cart businessUnit',
  ].join(' '),
  'staged-quote': [
    'key stagedQuoteState customer quoteRequest quotationCart validTo sellerComment custom state',
    'purchaseOrderNumber businessUnit store',
  ].join(' '),
  'business-unit': [
    'key status stores inheritedStores storeMode unitType name contactEmail custom customerGroupAssignments',
    'addresses shippingAddressIds defaultShippingAddressId billingAddressIds defaultBillingAddressId',
    'associateMode associates inheritedAssociates parentUnit topLevelUnit approvalRuleMode',
  ].join(' '),
  'associate-role': 'key buyerAssignable name permissions custom',
  product: 'key productType masterData taxCategory state reviewRatingStatistics priceMode warnings',
  'product-type': 'key name description attributes',
  'tax-category': 'name description rates key',
  zone: 'key name description locations',
  state: 'key type name description initial builtIn roles transitions',
  'shipping-method': [
    'key name localizedName description localizedDescription taxCategory zoneRates active isDefault predicate',
    'custom stores carrier',
  ].join(' '),
  message: [
    'sequenceNumber resource resourceVersion type resourceUserProvidedIdentifiers address addressRoles name value',
    'addressId previousValue previousTypeId customFields companyName customer dateOfBirth email oldEmail',
    'customerId expiresAt invalidateOlderTokens externalId firstName customerGroupAssignment',
    'customerGroupAssignments oldCustomerGroupAssignments oldValue oldTypeId customerGroup lastName reset stores',
    'oldStores title quote previousCustomer buyerComment quoteRequest quoteRequestState oldQuoteRequestState',
    'state oldState force quoteState oldQuoteState checkoutUrlTemplate contactUrl cookiePolicyUrl addedCountries',
    'removedCountries languages countries distributionChannels supplyChannels productSelections custom',
    'addedDistributionChannels removedDistributionChannels faqUrl imprintUrl addedLanguages removedLanguages',
    'nameAllLocales orderUrlTemplate privacyPolicyUrl addedProductSelections removedProductSelections',
    'updatedProductSelections refundPolicyUrl shippingPolicyUrl addedSupplyChannels removedSupplyChannels',
    'termsOfServiceUrl stagedQuote',
  ].join(' '),
} as const satisfies Readonly<Record<string, string>>

/** The shape of resources with a type id (decision 15). */
export function fieldsOf(typeId: keyof typeof fields): Shape {
  const names = [...ofResources.split(' '), ...fields[typeId].split(' ')]
  return {members: Object.fromEntries(names.map((name) => [name, {open: true}]))}
}
