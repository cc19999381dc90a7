import {ApiError} from '../domain/errors.js'
import {limits} from '../work/limits.js'

/**
 * Scope algebra. A scope is `name:project` or `name:project:store`, matched by whole segments: a project's scope covers
 * its stores, a store's scope covers that store only, `manage_x` implies `view_x`, `manage_project` implies every scope
 * of its project but those of API clients (decision 26). What a scope implies it opens; a token request names what its
 * client holds by name (decision 63). Bindings (`customer_id:…`) are no scopes: they come from a flow and cannot be
 * requested.
 */

const pairs = [
  ...['api_clients', 'approval_flows', 'approval_rules', 'associate_roles', 'attribute_groups', 'business_units'],
  ...['cart_discounts', 'categories', 'channels', 'customer_groups', 'customers', 'discount_codes'],
  ...['key_value_documents', 'mcp_servers', 'orders', 'order_edits', 'payment_methods', 'payments'],
  ...['product_discounts', 'products', 'product_selections', 'product_types', 'project_settings', 'quote_requests'],
  ...['quotes', 'recurring_orders', 'recurrence_policies', 'shipping_methods', 'shopping_lists', 'staged_quotes'],
  ...['standalone_prices', 'states', 'stores', 'tax_categories', 'types', 'zones'],
]

const singles = [
  'manage_project',
  'manage_extensions',
  'manage_subscriptions',
  'manage_locked_carts',
  'manage_my_business_units',
  'manage_my_profile',
  'manage_my_orders',
  'manage_my_payments',
  'manage_my_quote_requests',
  'manage_my_quotes',
  'manage_my_shopping_lists',
  'manage_import_containers',
  'view_import_containers',
  'view_audit_log',
  'view_messages',
  'view_published_products',
  'create_anonymous_token',
  'introspect_oauth_tokens',
]

export const scopeNames: ReadonlySet<string> = new Set([
  ...pairs.flatMap((name) => [`view_${name}`, `manage_${name}`]),
  ...singles,
])

/** Names that may carry a store as their third segment. */
export const storeScopeNames: ReadonlySet<string> = new Set([
  ...[
    'business_units',
    'cart_discounts',
    'customers',
    'orders',
    'quote_requests',
    'quotes',
    'shopping_lists',
    'staged_quotes',
  ].flatMap((name) => [`view_${name}`, `manage_${name}`]),
  'manage_my_profile',
  'manage_my_orders',
  'manage_my_shopping_lists',
])

/** Collections whose scopes have other names than their paths, or more than one. Source: API › Scopes. */
const scopesOfCollections: ReadonlyMap<string, readonly string[]> = new Map([
  ['active_cart', ['orders']],
  ['carts', ['orders']],
  ['categories', ['categories', 'products']],
  ['channels', ['channels', 'products']],
  ['custom_objects', ['key_value_documents']],
  ['inventory', ['products']],
  ['product_projections', ['products', 'published_products']],
  ['products', ['products', 'published_products']],
  ['reviews', ['products']],
])

/** What opens a path that the API does not have. */
const unknown: readonly string[] = ['manage_project']

/**
 * The scopes any one of which opens a collection, named by the segment of its path, for a method that reads or writes,
 * or below `/me`. A path that the API does not have is open to `manage_project` alone.
 */
export function scopesOfCollection(segment: string, access: 'view' | 'manage' | 'manage_my'): readonly string[] {
  const name = segment.replaceAll('-', '_')
  const names = (scopesOfCollections.get(name) ?? [name]).map((one) => `${access}_${one}`)
  // Extensions and subscriptions have one scope for both.
  const known = [...names, ...(access === 'view' ? [`manage_${name}`] : [])].filter((one) => scopeNames.has(one))
  return known.length > 0 ? known : unknown
}

export interface Scope {
  readonly name: string
  readonly projectKey: string
  readonly storeKey?: string
}

const segment = /^[A-Za-z0-9_-]+$/

/** Reads `name:project[:store]`; undefined for anything else, bindings included. */
export function parseScope(text: string): Scope | undefined {
  const [name, projectKey, storeKey, ...rest] = text.split(':')
  if (name === undefined || projectKey === undefined || rest.length > 0) return undefined
  if (!scopeNames.has(name) || !segment.test(projectKey)) return undefined
  if (storeKey === undefined) return {name, projectKey}
  return storeScopeNames.has(name) && segment.test(storeKey) ? {name, projectKey, storeKey} : undefined
}

/** Every scope of a project by name, as its first client holds them. */
export const allScopes = (projectKey: string): readonly string[] =>
  ['manage_project', ...[...scopeNames].filter((name) => name !== 'manage_project')].map(
    (name) => `${name}:${projectKey}`,
  )

/** The names that imply a name: `manage_project` implies every name but those of API clients, `manage_x` implies `view_x`. */
const impliers: ReadonlyMap<string, readonly string[]> = new Map(
  [...scopeNames].map((name) => {
    const products = name === 'view_published_products' ? ['view_products', 'manage_products'] : []
    const managing = name.startsWith('view_') ? [`manage_${name.slice('view_'.length)}`] : []
    const project = name.endsWith('_api_clients') ? name : 'manage_project'
    return [name, [name, project, ...managing, ...products]]
  }),
)

/** Parsed scopes by list: the list of a token or client is checked repeatedly. */
const readScopes = new WeakMap<readonly string[], ReadonlyMap<string, Scope>>()

function scopesIn(held: readonly string[]): ReadonlyMap<string, Scope> {
  const known = readScopes.get(held)
  if (known) return known
  const scopes = new Map<string, Scope>()
  for (const text of held) {
    const scope = parseScope(text)
    if (scope) scopes.set(text, scope)
  }
  readScopes.set(held, scopes)
  return scopes
}

/**
 * Whether any of the held scopes implies the wanted one. Texts that are not scopes are ignored.
 *
 *     grants(['manage_customers:shop'], {name: 'view_customers', projectKey: 'shop', storeKey: 'berlin'})
 *     // true
 */
export function grants(held: readonly string[], wanted: Scope): boolean {
  for (const scope of scopesIn(held).values()) if (implies(scope, wanted)) return true
  return false
}

function implies(held: Scope, wanted: Scope): boolean {
  const names = impliers.get(wanted.name) ?? unknown
  if (held.projectKey !== wanted.projectKey || !names.includes(held.name)) return false
  return held.storeKey === undefined || held.storeKey === wanted.storeKey
}

/** Splits a scope text at single spaces. Throws invalid_scope for any other form (RFC 6749 §3.3). */
export function splitScopes(text: string): string[] {
  const parts = text.split(' ')
  if (parts.some((part) => part === '') || !/^[\x21\x23-\x5b\x5d-\x7e ]+$/.test(text)) {
    throw ApiError.of('invalid_scope', {})
  }
  return [...new Set(parts)]
}

/**
 * The scopes of a token: the requested ones, or all held ones if none are requested (decision 23); all of them are the list
 * itself. Throws if a requested scope is not held by name (decision 63). Held texts that are not scopes, or of another
 * project, are ignored.
 */
export function grantedScopes(
  held: readonly string[],
  requested: string | undefined,
  projectKey: string,
): readonly string[] {
  const known = scopesIn(held)
  const isUsable = (text: string): boolean => known.get(text)?.projectKey === projectKey
  const usable = held.length === known.size && held.every(isUsable) ? held : [...new Set(held)].filter(isUsable)
  if (requested === undefined || requested === '') {
    if (usable.length === 0) throw ApiError.of('invalid_scope', {})
    return usable
  }
  if (requested.length > limits.scopeCharacters) throw ApiError.of('invalid_scope', {})
  const parts = splitScopes(requested)
  if (parts.length > limits.scopes) throw ApiError.of('invalid_scope', {})
  if (parts.some((part) => !parseScope(part))) throw ApiError.of('invalid_scope', {})
  if (parts.some((part) => !usable.includes(part))) throw ApiError.of('invalid_scope', {held: usable})
  return parts.length === usable.length ? usable : parts
}

/** The scopes of a grant that the client still holds: refreshing does not restore a scope that was removed. */
export const stillHeld = (granted: readonly string[], held: readonly string[]): readonly string[] =>
  granted === held
    ? granted
    : granted.filter((text) => {
        const scope = parseScope(text)
        return scope !== undefined && grants(held, scope)
      })
