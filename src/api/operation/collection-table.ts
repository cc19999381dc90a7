import type {Cart} from '../../domain/carts/cart.js'
import {customerShape} from '../../domain/customers/customer.js'
import {dayMs} from '../../domain/iso-time.js'
import {fieldsOf} from '../../domain/resource-fields.js'
import type {Shape} from '../../query/ast.js'
import {limits} from '../../work/limits.js'
import {parseIsoTime, type Retention} from './retention.js'

export type Owner = 'itself' | 'customer' | 'associates' | 'project'

/** A collection of referenced resources: its type id is the kind in the store. */
export interface Collection {
  readonly typeId: string
  /** Path segment, and name of its file in a seed pack. */
  readonly segment: string
  /** For texts: `The Store with key …`. */
  readonly label: string
  /** Scopes that read it, any one of them, without the project. Source: API › Scopes. */
  readonly view: readonly string[]
  readonly shape: Shape
  /**
   * Who its documents belong to; deleting a customer with `dataErasure` erases it from every other document that belongs
   * to a `customer` (found by the facet `customerId`) or to `associates`.
   */
  readonly owner: Owner
  /** The predicate that finds a customer's documents by `:id`; absent: the predicate of its `owner`. */
  readonly namesOwner?: string
  /** Reference data: bound callers see it expanded in their own resources without its view scope. */
  readonly describes?: true
  /** Absent: its documents stay until somebody deletes them. */
  readonly retention?: Retention
  /** Size of a document as JSON, where it has a limit of its own. */
  readonly mostBytes?: number
  /** Where its documents refer to what can be deleted: by type id, paths to the `id` or `key` of a reference. */
  readonly references?: Readonly<Record<string, readonly string[]>>
}

/** The type of custom fields below each of some paths. */
const typesBelow = (...paths: readonly string[]) => ['custom', ...paths].map((path) => `${path}.type.id`)

const ownFields = {type: typesBelow()}

const ofCart = {
  'customer-group': ['customerGroup.id'],
  store: ['store.key'],
  type: typesBelow(
    ...['lineItems.custom', 'customLineItems.custom', 'shippingAddress.custom', 'billingAddress.custom'],
    ...['itemShippingAddresses.custom', 'shippingCustomFields', 'shipping.shippingCustomFields'],
  ),
}

const ofCustomer = {
  'customer-group': ['customerGroup.id', 'customerGroupAssignments.customerGroup.id'],
  store: ['stores.key'],
  type: typesBelow('addresses.custom'),
}

const ofBusinessUnit = {
  ...ofCustomer,
  store: ['stores.key', 'inheritedStores.key'],
  customer: ['associates.customer.id', 'inheritedAssociates.customer.id'],
}

const plain = (
  typeId: Parameters<typeof fieldsOf>[0],
  segment: string,
  label: string,
  view: string | readonly string[],
  owner: Owner,
  references: Collection['references'] = ownFields,
): Collection => ({typeId, segment, label, view: [view].flat(), shape: fieldsOf(typeId), owner, references})

/** A cart goes so many days after its last change as it says itself; one that became an order, or waits for a quote, stays. */
const cartRetention: Retention = {
  facet: 'endDay',
  period: 'day',
  since: (document) => {
    const {cartState, lastModifiedAt, deleteDaysAfterLastModification: days} = document as Partial<Cart>
    const modified = cartState === 'Ordered' || cartState === 'Frozen' ? undefined : parseIsoTime(lastModifiedAt)
    return modified === undefined || typeof days !== 'number' ? undefined : modified + days * dayMs
  },
  keptDays: () => 0,
  term: '`deleteDaysAfterLastModification` after its last change',
}

/** Every collection by type id. Source: decision 35; states are here because quotes refer to them. */
export const collections: readonly Collection[] = [
  {
    typeId: 'customer',
    segment: 'customers',
    label: 'Customer',
    view: ['view_customers'],
    shape: customerShape,
    owner: 'itself',
    mostBytes: limits.customerBytes,
    references: ofCustomer,
  },
  plain('store', 'stores', 'Store', 'view_stores', 'project'),
  plain('customer-group', 'customer-groups', 'CustomerGroup', ['view_customer_groups', 'view_customers'], 'project'),
  {...plain('type', 'types', 'Type', 'view_types', 'project'), describes: true},
  {
    ...plain('cart', 'carts', 'Cart', 'view_orders', 'customer', ofCart),
    namesOwner: 'customerId = :id',
    retention: cartRetention,
  },
  plain('quote', 'quotes', 'Quote', 'view_quotes', 'customer', ofCart),
  plain('quote-request', 'quote-requests', 'QuoteRequest', 'view_quote_requests', 'customer', ofCart),
  plain('staged-quote', 'staged-quotes', 'StagedQuote', 'view_staged_quotes', 'customer', ofCart),
  plain('business-unit', 'business-units', 'BusinessUnit', 'view_business_units', 'associates', ofBusinessUnit),
  plain('associate-role', 'associate-roles', 'AssociateRole', 'view_associate_roles', 'project'),
  plain('product', 'products', 'Product', ['view_products', 'view_published_products'], 'project'),
  {
    ...plain('product-type', 'product-types', 'ProductType', ['view_product_types', 'view_products'], 'project'),
    describes: true,
  },
  plain('tax-category', 'tax-categories', 'TaxCategory', ['view_tax_categories', 'view_products'], 'project'),
  plain('zone', 'zones', 'Zone', ['view_zones', 'view_orders'], 'project'),
  {...plain('state', 'states', 'State', 'view_states', 'project'), describes: true},
  plain(
    'shipping-method',
    'shipping-methods',
    'ShippingMethod',
    ['view_shipping_methods', 'view_orders', 'manage_my_orders'],
    'project',
  ),
]

/** The predicate that finds the documents of the customer `:id`, by owner. An owner without one does not compile. */
const predicates: Readonly<Record<Exclude<Owner, 'itself' | 'project'>, string>> = {
  customer: 'customer(id = :id)',
  associates: 'associates(customer(id = :id))',
}

/** The collections with documents that belong to a customer, and the predicate that finds these. */
export const ofCustomers: readonly {readonly segment: string; readonly where: string}[] = collections.flatMap(
  ({segment, owner, namesOwner}) =>
    owner === 'itself' || owner === 'project' ? [] : [{segment, where: namesOwner ?? predicates[owner]}],
)

const byTypeId = new Map(collections.map((collection) => [collection.typeId, collection]))

export const collectionOf = (typeId: string): Collection | undefined => byTypeId.get(typeId)

export function ownCollection(typeId: string): Collection {
  const found = collectionOf(typeId)
  if (!found) throw new Error(`there is no collection of ${typeId}`)
  return found
}
