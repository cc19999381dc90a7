import {type Deprecation, graphqlEntry, kebab} from './entry.js'

/** The count inputs hang below a pattern target under their own type's name, whose first letter clients write both ways. */
const countInput = (type: string) =>
  [type, type[0]?.toLowerCase() + type.slice(1)].map((name) => ({
    in: 'body' as const,
    at: `triggerPattern[].${name}.excludeCount`,
  }))

const excludeCounts = ['CountOnLineItemUnits', 'CountOnCustomLineItemUnits'].flatMap((type) => [
  graphqlEntry({
    id: `graphql-${kebab(type)}-exclude-count`,
    item: `\`excludeCount\` on ${type}`,
    alternative: '`triggerPattern`',
    dates: {deprecated: '2025-03-06'},
    detect: [{in: 'field', names: [`${type}.excludeCount`]}],
  }),
  graphqlEntry({
    id: `graphql-${kebab(type)}-input-exclude-count`,
    item: `\`excludeCount\` on ${type}Input`,
    alternative: '`triggerPattern`',
    dates: {deprecated: '2025-03-06'},
    detect: countInput(type),
  }),
])

const baseMoney = ['currencyCode', 'centAmount'].map((member) =>
  graphqlEntry({
    id: `graphql-cart-discount-value-base-money-input-${kebab(member)}`,
    item: `CartDiscountValueBaseMoneyInput \`${member}\``,
    alternative: '`centPrecision` or `highPrecision`',
    dates: {deprecated: '2023-07-31'},
    detect: ['absolute', 'fixed'].flatMap((value) => [
      {in: 'body' as const, at: `draft.value.${value}.money[].${member}`, on: ['MUTATION createCartDiscount']},
      {
        in: 'body' as const,
        at: `actions[].changeValue.value.${value}.money[].${member}`,
        on: ['MUTATION updateCartDiscount'],
      },
    ]),
  }),
)

/** The inputs sit in the actions that add a product or set its variants. */
const selectionInput = (member: string) =>
  ['addProduct', 'setVariantSelection'].map((action) => ({
    in: 'body' as const,
    at: `actions[].${action}.variantSelection.${member}`,
    on: ['MUTATION updateProductSelection'],
  }))

const variantSelections = (
  [
    ['Inclusion', 'IncludeOnly'],
    ['Exclusion', 'IncludeAllExcept, ProductVariantExclusion'],
  ] as const
).map(([name, alternative]) =>
  graphqlEntry({
    id: `graphql-product-variant-selection-${kebab(name)}`,
    item: `ProductSelection renames: ProductVariantSelection${name}`,
    alternative,
    dates: {deprecated: '2023-03-06', removed: '2023-06-30'},
    detect: [
      {in: 'type', names: [`ProductVariantSelection${name}`, `ProductVariantSelection${name}Input`]},
      ...selectionInput(kebab(name)),
    ],
  }),
)

const removePrices = ['variantId', 'sku', 'price'].map((member) =>
  graphqlEntry({
    id: `graphql-remove-product-price-${kebab(member)}`,
    item: `RemoveProductPrice \`${member}\``,
    alternative: '`priceId`',
    dates: {deprecated: '2023-05-17', removed: '2023-06-15'},
    detect: [{in: 'body', at: `actions[].removePrice.${member}`, on: ['MUTATION updateProduct']}],
  }),
)

/** Inputs, arguments and type names. */
export const graphqlInputs: readonly Deprecation[] = [
  graphqlEntry({
    id: 'graphql-simple-associate-role',
    item: 'SimpleAssociateRole',
    alternative: 'AssociateRole',
    dates: {deprecated: '2023-05-02', removed: '2023-08-02'},
    detect: [{in: 'type', names: ['SimpleAssociateRole']}],
  }),
  ...excludeCounts,
  ...baseMoney,
  graphqlEntry({
    id: 'graphql-shipping-method-set-description',
    item: 'ShippingMethod `setDescription`',
    alternative: '`setLocalizedDescription`',
    dates: {deprecated: '2020-03-03'},
    detect: [{in: 'body', at: 'actions[].setDescription', on: ['MUTATION updateShippingMethod']}],
  }),
  ...variantSelections,
  graphqlEntry({
    id: 'graphql-product-selection-type-name',
    item: 'ProductSelection renames: ProductSelectionType',
    alternative: 'ProductSelectionMode',
    dates: {deprecated: '2023-04-18', removed: '2023-08-04'},
    detect: [{in: 'type', names: ['ProductSelectionType', 'ProductSelectionTypeEnum']}],
  }),
  graphqlEntry({
    id: 'graphql-product-selection-type',
    item: 'ProductSelection renames: `type` on ProductSelection',
    alternative: '`mode`',
    dates: {deprecated: '2023-04-18', removed: '2023-08-04'},
    detect: [
      {in: 'field', names: ['ProductSelection.type']},
      {in: 'body', at: 'draft.type', on: ['MUTATION createProductSelection']},
    ],
  }),
  ...removePrices,
  graphqlEntry({
    id: 'graphql-product-projection-search-mark-matching-variant',
    item: 'productProjectionSearch `markMatchingVariant`',
    alternative: '`markMatchingVariants`',
    dates: {deprecated: '2021-10-29'},
    detect: [{in: 'argument', names: ['productProjectionSearch.markMatchingVariant']}],
  }),
]
