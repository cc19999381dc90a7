/** The type that a selection set stands on. A page is the query result around it, whose `results` are of the type. */
export interface ParentType {
  readonly type: string
  readonly isPage?: true
}

/** Resources with queries and mutations of their own. */
const resources = [
  'BusinessUnit',
  'Cart',
  'CartDiscount',
  'Category',
  'Channel',
  'CustomObject',
  'Customer',
  'CustomerGroup',
  'DiscountCode',
  'InventoryEntry',
  'Order',
  'Payment',
  'ProductSelection',
  'ShippingMethod',
  'State',
  'TaxCategory',
] as const

const lowerFirst = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1)
const plural = (name: string): string => (name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`)

/** Fields that lead from a query, a store or the customer's own view back to such a view. */
const views = ['me', 'inStore', 'inStores', 'asAssociate']

const shippingQueries = ['ByCart', 'ByLocation', 'ByOrderEdit', 'ByInStoreCart'].map((suffix): [string, ParentType] => [
  `shippingMethods${suffix}`,
  {type: 'ShippingMethod'},
])

const queries = new Map<string, ParentType>([
  ...resources.flatMap((type): [string, ParentType][] => [
    [lowerFirst(type), {type}],
    [plural(lowerFirst(type)), {type, isPage: true}],
  ]),
  ...views.map((field): [string, ParentType] => [field, {type: 'Query'}]),
  ...shippingQueries,
  ['activeCart', {type: 'Cart'}],
  ['customerActiveCart', {type: 'Cart'}],
])

const mutations = new Map<string, ParentType>([
  ...resources.flatMap((type) =>
    ['create', 'update', 'delete', 'createMy', 'updateMy', 'deleteMy'].map((verb): [string, ParentType] => [
      verb + type,
      {type},
    ]),
  ),
  ...['SignUp', 'SignIn', 'SignMeUp', 'SignMeIn'].map((verb): [string, ParentType] => [
    `customer${verb}`,
    {type: 'CustomerSignInResult'},
  ]),
  ...['ChangePassword', 'ResetPassword', 'ConfirmEmail', 'ConfirmMyEmail', 'ChangeMyPassword', 'ResetMyPassword'].map(
    (verb): [string, ParentType] => [`customer${verb}`, {type: 'Customer'}],
  ),
  ...['createOrderFromCart', 'createMyOrderFromCart', 'createOrderFromQuote', 'importOrder'].map(
    (field): [string, ParentType] => [field, {type: 'Order'}],
  ),
  ['replicateCart', {type: 'Cart'}],
  ['replicateMyCart', {type: 'Cart'}],
  ['createOrUpdateCustomObject', {type: 'CustomObject'}],
])

const nestedFields: Readonly<Record<string, string>> = {
  Asset: 'assets',
  Associate: 'associates',
  BusinessUnit: 'businessUnit topLevelUnit parentUnit',
  Cart: 'cart activeCart',
  CartDiscount: 'cartDiscount cartDiscounts',
  Category: 'category categories',
  Channel: 'channel supplyChannel distributionChannel supplyChannels distributionChannels',
  Customer: 'customer',
  CustomerGroup: 'customerGroup',
  CustomLineItem: 'customLineItems',
  DiscountCode: 'discountCode',
  LineItem: 'lineItems',
  Order: 'order',
  Payment: 'payments',
  ProductPrice: 'price prices',
  ProductSelection: 'productSelection',
  ShippingMethod: 'shippingMethod',
  TaxCategory: 'taxCategory',
}

/** Fields whose name tells their type wherever they stand below a resource. */
const nested = new Map<string, ParentType>(
  Object.entries(nestedFields).flatMap(([type, fields]) =>
    fields.split(' ').map((field): [string, ParentType] => [field, {type}]),
  ),
)

/** Fields whose name says something only below one type. */
const below = new Map<string, ParentType>([
  ['Category.parent', {type: 'Category'}],
  ['Category.ancestors', {type: 'Category'}],
  ['Category.children', {type: 'Category'}],
  ['ProductCreated.productProjection', {type: 'ProductProjectionMessagePayload'}],
  ['ProductPublished.productProjection', {type: 'ProductProjectionMessagePayload'}],
])

const queryTypes = new Set(['Query', 'Me', 'InStore', 'InStoreMe', 'AsAssociate'])

const mutationViews = new Set(['inStore', 'asAssociate'])

/** The type of a name, as fragments give it. */
export const parentTypeOf = (name: string): ParentType => {
  if (queryTypes.has(name)) return {type: 'Query'}
  const page = /^(\w+)QueryResult$/.exec(name)?.[1]
  return page === undefined ? {type: name.replace(/^My(?=Payment$|Order$|Cart$)/, '')} : {type: page, isPage: true}
}

/** Where a field leads from where it stands; nothing where its name does not tell. */
export const typeOfField = (from: ParentType | undefined, field: string): ParentType | undefined => {
  if (from?.isPage) return field === 'results' ? {type: from.type} : undefined
  if (from?.type === 'Query') return queries.get(field)
  if (from?.type === 'Mutation') return mutationViews.has(field) ? {type: 'Mutation'} : mutations.get(field)
  if (field === 'custom') return {type: 'CustomFieldsType'}
  return (from && below.get(`${from.type}.${field}`)) ?? nested.get(field)
}
