import {type Deprecation, restEntry} from './entry.js'

const selections = ['inclusion', 'exclusion']

/** Products, Product Search, Product Selections, Product Types. */
export const products: readonly Deprecation[] = [
  restEntry({
    id: 'products-set-sku-not-staged',
    area: 'Products',
    item: 'setSKU without `staged`',
    alternative: 'Set SKU',
    dates: {deprecated: '2016-03-30'},
    // frontdesk-ignore-next-line -- the rule itself
    detect: [{in: 'action', action: 'setSKU', instead: 'setSku'}],
  }),
  restEntry({
    id: 'products-remove-price-by-value',
    area: 'Products',
    item: '`price`, `sku`, `variantId` in Remove Price',
    alternative: '`priceId`',
    dates: {deprecated: '2023-05-17', removed: '2023-06-15'},
    detect: [{in: 'action', action: 'removePrice', with: ['price', 'sku', 'variantId']}],
  }),
  restEntry({
    id: 'product-search-projection-parameters',
    area: 'Product Search',
    item: 'productProjectionParameters integration',
    alternative: 'retrieval and caching options',
    dates: {},
    note:
      'The interface does not date it. Its parameters: expand, staged, priceCurrency (pattern ^[A-Z]{3}0?$), ' +
      'priceCountry (pattern ^[A-Z]{2}$, only with priceCurrency), priceCustomerGroup, ' +
      'priceCustomerGroupAssignments, priceChannel, localeProjection, storeProjection.',
    detect: [
      {in: 'body', at: 'productProjectionParameters', instead: 'retrieval of the products by id'},
      {in: 'body', at: 'results[].productProjection', instead: 'retrieval of the products by id'},
    ],
  }),
  restEntry({
    id: 'product-selections-inclusion-exclusion',
    area: 'Product Selections',
    item: 'ProductVariantSelectionInclusion and Exclusion',
    alternative: 'IncludeOnly, IncludeAllExcept, ProductVariantExclusion',
    dates: {deprecated: '2023-03-06', migrated: '2023-06-30'},
    detect: [
      {in: 'body', at: 'variantSelection.type', values: selections},
      {in: 'symbol', names: ['ProductVariantSelectionInclusion', 'ProductVariantSelectionExclusion']},
    ],
  }),
  restEntry({
    id: 'product-selections-type',
    area: 'Product Selections',
    item: 'ProductSelectionType; `type` field',
    alternative: 'ProductSelectionMode; `mode`',
    dates: {deprecated: '2023-04-18', removed: '2023-08-04'},
    detect: [
      {in: 'body', at: 'type', on: ['POST /product-selections']},
      {in: 'symbol', names: ['ProductSelectionType', 'ProductSelectionTypeEnum']},
    ],
  }),
  restEntry({
    id: 'product-types-change-attribute-order',
    area: 'Product Types',
    item: 'Change Attribute Order',
    alternative: 'Change the order of AttributeDefinitions',
    dates: {deprecated: '2019-01-21'},
    // frontdesk-ignore-next-line -- the rule itself
    detect: [{in: 'action', action: 'changeAttributeOrder', instead: 'changeAttributeOrderByName'}],
  }),
]
