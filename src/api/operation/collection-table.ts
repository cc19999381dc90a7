import {customerShape} from '../../domain/customers/customer.js'
import {quoteShape} from '../../domain/quotes/shape.js'
import type {Shape} from '../../query/ast.js'

/** A collection of referenced resources: its type id is the kind in the store. */
export interface Collection {
  readonly typeId: string
  /** Path segment, and name of its file in a seed pack. */
  readonly segment: string
  /** For texts: `The Store with key …`. */
  readonly label: string
  /** Scope that reads it, without the project. */
  readonly view: string
  readonly shape: Shape
  /**
   * Reference data without an owner: callers bound to a customer or session see it expanded in their own resources
   * without its view scope.
   */
  readonly describes?: true
}

/** Referenced resources are stored as seeded, with any members, so that predicates may name any field. */
const open: Shape = {open: true}

const plain = (typeId: string, segment: string, label: string, view: string): Collection => ({
  typeId,
  segment,
  label,
  view,
  shape: open,
})

const describing = (...given: Parameters<typeof plain>): Collection => ({...plain(...given), describes: true})

/** Every collection by type id. Source: decision 35; states are here because quotes refer to them. */
export const collections: readonly Collection[] = [
  {typeId: 'customer', segment: 'customers', label: 'Customer', view: 'view_customers', shape: customerShape},
  plain('store', 'stores', 'Store', 'view_stores'),
  plain('customer-group', 'customer-groups', 'CustomerGroup', 'view_customer_groups'),
  describing('type', 'types', 'Type', 'view_types'),
  plain('cart', 'carts', 'Cart', 'view_orders'),
  {typeId: 'quote', segment: 'quotes', label: 'Quote', view: 'view_quotes', shape: quoteShape},
  plain('quote-request', 'quote-requests', 'QuoteRequest', 'view_quote_requests'),
  plain('staged-quote', 'staged-quotes', 'StagedQuote', 'view_staged_quotes'),
  plain('business-unit', 'business-units', 'BusinessUnit', 'view_business_units'),
  plain('associate-role', 'associate-roles', 'AssociateRole', 'view_associate_roles'),
  plain('product', 'products', 'Product', 'view_products'),
  describing('product-type', 'product-types', 'ProductType', 'view_product_types'),
  plain('tax-category', 'tax-categories', 'TaxCategory', 'view_tax_categories'),
  plain('zone', 'zones', 'Zone', 'view_zones'),
  describing('state', 'states', 'State', 'view_states'),
  plain('shipping-method', 'shipping-methods', 'ShippingMethod', 'view_shipping_methods'),
]

const byTypeId = new Map(collections.map((collection) => [collection.typeId, collection]))

export const collectionOf = (typeId: string): Collection | undefined => byTypeId.get(typeId)
