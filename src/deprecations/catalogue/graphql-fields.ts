import {type Deprecation, graphqlEntry, kebab, type ScopeChange} from './entry.js'

const typesWithCustomFields = [
  'Asset',
  'Category',
  'Cart',
  'CartDiscount',
  'Channel',
  'Customer',
  'CustomerGroup',
  'CustomLineItem',
  'DiscountCode',
  'InventoryEntry',
  'LineItem',
  'Order',
  'Payment',
  'ProductPrice',
] as const

const customFields = typesWithCustomFields.flatMap((type) =>
  ['customFieldsRaw', 'customFields', 'customFieldList'].map((field) =>
    graphqlEntry({
      id: `graphql-${kebab(type)}-${kebab(field)}`,
      item: `\`${field}\` on ${type}`,
      alternative: '`custom.customFieldsRaw`',
      dates: {deprecated: '2019-08-20'},
      detect: [{in: 'field', names: [`${type}.${field}`]}],
    }),
  ),
)

const typeIds = (
  [
    ['Channel', 'channelRef'],
    ['CustomerGroup', 'customerGroupRef'],
    ['TaxCategory', 'taxCategoryRef'],
  ] as const
).map(([type, ref]) =>
  graphqlEntry({
    id: `graphql-${kebab(type)}-type-id`,
    item: `\`typeId\` on ${type}`,
    alternative: `\`${ref}\``,
    dates: {deprecated: '2020-01-17'},
    detect: [{in: 'field', names: [`${type}.typeId`]}],
  }),
)

const paymentAmounts = ['amountAuthorized', 'amountPaid', 'amountRefunded'].map((field) =>
  graphqlEntry({
    id: `graphql-payment-${kebab(field)}`,
    item: `Payment amount fields: \`${field}\``,
    alternative: 'compute from Transactions',
    dates: {deprecated: '2017-09-29'},
    detect: [
      {in: 'field', names: [`Payment.${field}`]},
      {in: 'body', at: `draft.${field}`, on: ['MUTATION createPayment', 'MUTATION createMyPayment']},
    ],
  }),
)

/** Fields of output types: one entry per type and field. */
export const graphqlFields: readonly Deprecation[] = [
  ...customFields,
  ...typeIds,
  graphqlEntry({
    id: 'graphql-associate-roles',
    item: 'Associate `roles`',
    alternative: '`associateRoleAssignments`',
    dates: {deprecated: '2023-05-02', removed: '2023-08-02'},
    detect: [
      {in: 'field', names: ['Associate.roles']},
      {
        in: 'body',
        at: 'draft.associates[].roles',
        on: ['MUTATION createBusinessUnit', 'MUTATION createMyBusinessUnit'],
      },
      ...['addAssociate', 'changeAssociate', 'setAssociate'].map((action) => ({
        in: 'body' as const,
        at: `actions[].${action}.associate.roles`,
        on: ['MUTATION updateBusinessUnit', 'MUTATION updateMyBusinessUnit'],
      })),
      {in: 'body', at: 'actions[].setAssociates.associates[].roles', on: ['MUTATION updateBusinessUnit']},
    ],
  }),
  graphqlEntry({
    id: 'graphql-category-product-count',
    item: 'Category `productCount`',
    alternative: '`stagedProductCount`',
    dates: {deprecated: '2018-08-06', removed: '2021-06-14'},
    detect: [{in: 'field', names: ['Category.productCount']}],
  }),
  ...paymentAmounts,
  graphqlEntry({
    id: 'graphql-shipping-method-description',
    item: 'ShippingMethod `description`',
    alternative: '`localizedDescription`',
    dates: {deprecated: '2020-03-03'},
    detect: [
      {in: 'field', names: ['ShippingMethod.description']},
      {in: 'body', at: 'draft.description', on: ['MUTATION createShippingMethod']},
    ],
  }),
  graphqlEntry({
    id: 'graphql-product-projection-message-payload-master-data',
    item: 'ProductProjectionMessagePayload `masterData`',
    alternative: '`masterVariant`',
    dates: {deprecated: '2021-02-15'},
    detect: [{in: 'field', names: ['ProductProjectionMessagePayload.masterData']}],
  }),
  graphqlEntry({
    id: 'graphql-ref-and-res-id-renames',
    item: 'several `...Ref`/`...ResId` field renames',
    alternative: 'the field under its new name',
    dates: {deprecated: '2020-08-27'},
    note: 'The interface does not list the fields, so no document can be checked for them.',
  }),
]

/** Type, what its scopes were named after until then, what they are named after since. */
const renamed = [
  ['CartDiscount', 'orders', 'cart_discounts'],
  ['Category', 'products', 'categories'],
  ['CustomObject', 'products', 'key_value_documents'],
  ['CustomerGroup', 'customers', 'customer_groups'],
  ['DiscountCode', 'orders', 'discount_codes'],
  ['ShippingMethod', 'orders', 'shipping_methods'],
  ['State', 'orders', 'states'],
  ['TaxCategory', 'products', 'tax_categories'],
] as const

const changes: readonly ScopeChange[] = [
  {type: 'Cart', operation: 'mutation', previous: 'manage_project', current: 'manage_orders'},
  ...renamed.flatMap(([type, before, now]): ScopeChange[] => [
    {type, operation: 'query', previous: `view_${before}`, current: `view_${now}`},
    {type, operation: 'mutation', previous: `manage_${before}`, current: `manage_${now}`},
  ]),
]

/** The scopes that GraphQL asks for since 2 Nov 2020: one entry per type and operation. */
export const graphqlScopes: readonly Deprecation[] = changes.map((scope) => ({
  id: `graphql-scope-${kebab(scope.type)}-${scope.operation}`,
  area: 'GraphQL',
  item: `${scope.type === 'Cart' ? 'Cart (replicate)' : scope.type} ${scope.operation}: ${scope.previous} to ${scope.current}`,
  kind: 'scope',
  alternative: scope.current,
  dates: {effective: '2020-11-02'},
  source: 'API › Versioning › GraphQL scope changes',
  scope,
}))
