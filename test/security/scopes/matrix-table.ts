/**
 * Who may call what, written by hand: the routes of the API by method and path, and the kinds of token that pass. What is
 * not listed for a route is refused there. The server's own declarations have no part in this table.
 */

/** Kinds that are refused everywhere, with the status of the refusal. */
export const dead = {
  none: 401,
  malformed: 401,
  unknown: 401,
  expired: 401,
  revoked: 401,
  'refresh token': 401,
  'other project': 403,
  'introspection only': 403,
} as const

export const living = [
  'view',
  'manage',
  'manage project',
  'view S1',
  'manage S1',
  'manage S10',
  'customer',
  'customer with manage project',
  'customer in S1',
  'visitor',
  'client with my scopes',
  'external customer',
] as const

export type Living = (typeof living)[number]
export type Kind = keyof typeof dead | Living

const administration = ['manage project', 'customer with manage project'] as const
const readers = ['view', 'manage', ...administration] as const
const writers = ['manage', ...administration] as const
const storeReaders = [...readers, 'view S1', 'manage S1'] as const
const storeWriters = [...writers, 'manage S1'] as const
const owners = ['customer', 'customer with manage project'] as const
const storeOwners = [...owners, 'customer in S1'] as const
const sessions = [...owners, 'visitor'] as const
const unbound = ['manage project', 'client with my scopes'] as const

export interface Row {
  readonly methods: readonly string[]
  readonly paths: readonly string[]
  readonly passes: readonly Kind[]
}

const read = ['GET', 'HEAD']
const customers = '/{projectKey}/customers'
const storeCustomers = '/{projectKey}/in-store/key={storeKey}/customers'
const search = '/{projectKey}/_frontdesk/customers'
const storeSearch = '/{projectKey}/in-store/key={storeKey}/_frontdesk/customers'
const marks = '/{projectKey}/_frontdesk/custom-objects'
const carts = '/{projectKey}/carts'
const storeCarts = '/{projectKey}/in-store/key={storeKey}/carts'
const me = '/{projectKey}/me'
const storeMe = '/{projectKey}/in-store/key={storeKey}/me'

const named = (path: string) => [path, `${path}/{id}`, `${path}/key={key}`]
const byToken = (path: string) => [`${path}/password-token={passwordToken}`, `${path}/email-token={emailToken}`]
const flows = (path: string) =>
  ['/password', '/password-token', '/password/reset', '/email-token', '/email/confirm'].map((tail) => path + tail)
const sessionFlows = (path: string) => ['/password/reset', '/email/confirm'].map((tail) => path + tail)
/** Sign-up and sign-in take a client's own token beside those of sessions (decision 26). */
const entrances = (path: string) => ['/signup', '/login'].map((tail) => path + tail)

const collections = [
  'stores',
  'types',
  'carts',
  'quotes',
  'quote-requests',
  'staged-quotes',
  'business-units',
  'associate-roles',
  'products',
  'product-types',
  'tax-categories',
  'zones',
  'states',
].flatMap((name) => named(`/{projectKey}/${name}`))

const writable = ['stores', 'types'].map((name) => `/{projectKey}/${name}`)
const groups = '/{projectKey}/customer-groups'

export const matrix: readonly Row[] = [
  {methods: ['GET'], paths: ['/health', '/openapi.json'], passes: [...(Object.keys(dead) as Kind[]), ...living]},
  {methods: read, paths: named(customers), passes: readers},
  {methods: ['GET'], paths: byToken(customers), passes: readers},
  {methods: ['POST', 'HEAD'], paths: [`${customers}/search`], passes: readers},
  {methods: ['GET'], paths: [`${customers}/search/indexing-status`], passes: administration},
  {methods: ['POST'], paths: [...named(customers), ...flows(customers), '/{projectKey}/login'], passes: writers},
  {methods: ['POST'], paths: [marks], passes: writers},
  {methods: ['GET'], paths: [`${marks}/frontdesk-marks/{key}`], passes: writers},
  {methods: ['DELETE'], paths: [`${customers}/{id}`, `${customers}/key={key}`], passes: writers},
  {methods: ['GET'], paths: [`${search}/{id}/sessions`], passes: readers},
  {methods: ['DELETE'], paths: [`${search}/{id}/sessions`], passes: writers},
  {methods: ['GET'], paths: [`${storeSearch}/{id}/sessions`], passes: storeReaders},
  {methods: ['DELETE'], paths: [`${storeSearch}/{id}/sessions`], passes: storeWriters},
  {methods: read, paths: named(storeCustomers), passes: storeReaders},
  {methods: ['GET'], paths: byToken(storeCustomers), passes: storeReaders},
  {
    methods: ['POST'],
    paths: [...named(storeCustomers), ...flows(storeCustomers), '/{projectKey}/in-store/key={storeKey}/login'],
    passes: storeWriters,
  },
  {methods: ['DELETE'], paths: [`${storeCustomers}/{id}`, `${storeCustomers}/key={key}`], passes: storeWriters},
  {methods: ['GET', 'POST', 'DELETE'], paths: [me], passes: owners},
  {methods: ['POST'], paths: [`${me}/password`], passes: owners},
  {methods: ['POST'], paths: sessionFlows(me), passes: sessions},
  {methods: ['POST'], paths: entrances(me), passes: [...sessions, ...unbound]},
  {
    methods: [...read, 'POST'],
    paths: [`${me}/quotes/{id}`, `${me}/quotes/key={key}`],
    passes: [...owners, 'external customer'],
  },
  {methods: read, paths: [`${me}/quotes`], passes: [...owners, 'external customer']},
  {methods: ['GET', 'POST', 'DELETE'], paths: [storeMe], passes: storeOwners},
  {methods: ['POST'], paths: [`${storeMe}/password`], passes: storeOwners},
  {methods: ['POST'], paths: sessionFlows(storeMe), passes: [...sessions, 'customer in S1']},
  {methods: ['POST'], paths: entrances(storeMe), passes: [...sessions, ...unbound, 'customer in S1']},
  {
    methods: [...read, 'POST'],
    paths: [`${storeMe}/quotes/{id}`, `${storeMe}/quotes/key={key}`],
    passes: [...storeOwners, 'external customer'],
  },
  {methods: read, paths: [`${storeMe}/quotes`], passes: [...storeOwners, 'external customer']},
  {methods: read, paths: ['/{projectKey}/messages', '/{projectKey}/messages/{id}'], passes: administration},
  {methods: read, paths: collections, passes: administration},
  {methods: read, paths: named(groups), passes: readers},
  {methods: ['POST'], paths: named(groups), passes: writers},
  {methods: ['DELETE'], paths: named(groups).slice(1), passes: writers},
  {
    methods: read,
    paths: named('/{projectKey}/shipping-methods'),
    passes: [...owners, 'manage project', 'client with my scopes'],
  },
  {methods: ['POST'], paths: writable.flatMap(named), passes: administration},
  {methods: ['DELETE'], paths: writable.flatMap((path) => named(path).slice(1)), passes: administration},
  {
    methods: ['POST'],
    paths: ['/{projectKey}/graphql'],
    passes: [...living, 'introspection only'],
  },
  {methods: read, paths: named(storeCarts), passes: administration},
  {methods: read, paths: [carts, storeCarts].map((path) => `${path}/customer-id={customerId}`), passes: administration},
  {methods: ['POST'], paths: [carts, storeCarts], passes: administration},
  {methods: ['DELETE'], paths: [carts, storeCarts].flatMap((path) => named(path).slice(1)), passes: administration},
  {methods: [...read, 'POST'], paths: [`${me}/carts`], passes: owners},
  {methods: [...read, 'DELETE'], paths: named(`${me}/carts`).slice(1), passes: owners},
  {methods: read, paths: [`${me}/active-cart`], passes: owners},
  {methods: [...read, 'POST'], paths: [`${storeMe}/carts`], passes: storeOwners},
  {methods: [...read, 'DELETE'], paths: named(`${storeMe}/carts`).slice(1), passes: storeOwners},
  {methods: read, paths: [`${storeMe}/active-cart`], passes: storeOwners},
  {methods: [...read, 'POST'], paths: ['/{projectKey}'], passes: administration},
  {methods: [...read, 'POST'], paths: ['/{projectKey}/api-clients'], passes: []},
  {methods: [...read, 'DELETE'], paths: ['/{projectKey}/api-clients/{id}'], passes: []},
]

/** What `expand` shows a kind of token: the route it reads, and the collections whose documents then stand in `obj`. */
export interface Expansion {
  readonly route: string
  /** Documents that belong to the caller, or to nobody. */
  readonly own: readonly string[]
  /** Documents of another customer. */
  readonly others: readonly string[]
}

/** Collections whose documents are somebody's. */
export const owned: readonly string[] = ['customer', 'cart', 'quote', 'quote-request', 'staged-quote', 'business-unit']
const describing = ['type', 'product-type', 'state']
const unowned = [
  ...describing,
  'store',
  'customer-group',
  'associate-role',
  'product',
  'tax-category',
  'zone',
  'shipping-method',
]
const byId = (path: string, name: string) => `${path}/{${name}}`

/** Without a row, a kind reads nothing that could be expanded. */
export const throughExpand: Partial<Record<Living, Expansion>> = {
  view: {route: byId(customers, 'G'), own: ['customer', 'customer-group'], others: ['customer']},
  manage: {route: byId(customers, 'G'), own: ['customer', 'customer-group'], others: ['customer']},
  'manage project': {route: byId(customers, 'G'), own: [...owned, ...unowned], others: owned},
  'view S1': {route: byId(storeCustomers, 'G'), own: ['customer'], others: []},
  'manage S1': {route: byId(storeCustomers, 'G'), own: ['customer'], others: []},
  customer: {route: me, own: [...owned, ...describing, 'shipping-method'], others: []},
  'customer with manage project': {route: me, own: [...owned, ...unowned], others: []},
  'customer in S1': {route: storeMe, own: describing, others: []},
  'external customer': {route: `${me}/quotes/quote-of-G`, own: [...owned, ...describing], others: []},
}
