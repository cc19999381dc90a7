import type {Deprecation, ScopeChange} from './entry.js'
import {kebab} from './graphql-fields.js'

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
