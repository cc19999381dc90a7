/**
 * A method and a path below project and store. `*` is an unknown method; the arguments of a GraphQL mutation are at
 * `MUTATION` and its field.
 */
export interface Place {
  readonly method: string
  readonly segments: readonly string[]
}

/** What stands directly below a project: where a path begins with anything else, that is the project. */
const collections = new Set(
  (
    'api-clients approval-flows approval-rules associate-roles attribute-groups business-units cart-discounts carts ' +
    'categories channels custom-objects customer-groups customers discount-codes discount-groups extensions graphql ' +
    'in-store as-associate import-containers import-operations import-sinks inventories inventory login me messages ' +
    'order-edits order-patches orders payment-methods payments prices product-discounts product-drafts ' +
    'product-projections product-selections product-tailoring product-types product-variant-patches product-variants ' +
    'products quote-requests quotes recurrence-policies recurring-orders reviews shipping-methods shopping-lists ' +
    'staged-quotes standalone-prices state states stores subscriptions tax-categories types zones'
  ).split(' '),
)

/** First segments that other services' paths begin with, and that are hardly ever a project. */
const ordinary =
  /^(api|apis|rest|v\d+|shop|store|storefront|admin|public|internal|backend|bff|app|www|service|services|proxy|ecommerce|commerce|checkout|account|[a-z]{2}(-[a-z]{2})?)$/i

/** A store or an associate as the path names it before the resource itself. */
const prefixes: readonly (readonly RegExp[])[] = [
  [/^in-store$/, /^key=/],
  [/^as-associate$/, /^.+$/, /^in-business-unit$/, /^key=/],
]

const withoutPrefix = (segments: readonly string[]): readonly string[] => {
  const prefix = prefixes.find((pattern) => pattern.every((part, index) => part.test(segments[index] ?? '')))
  return prefix ? segments.slice(prefix.length) : segments
}

/** How sure it is that a path is one of the platform's: told so, by the file around it, or by its shape alone. */
export type Trust = 'explicit' | 'byFile' | 'byShape'

/**
 * The path below project and store, or nothing where it does not look like the platform's. Only by its shape alone must
 * it name a project and a collection; only when told so may the project be called as other services' paths begin.
 */
export const pathBelowProject = (segments: readonly string[], trust: Trust): readonly string[] | undefined => {
  const [first, second] = segments
  if (trust !== 'byShape' && (first === undefined || collections.has(first))) return withoutPrefix(segments)
  if (first === undefined || (trust !== 'explicit' && ordinary.test(first))) return undefined
  if (trust === 'byShape' && (collections.has(first) || second === undefined || !collections.has(second)))
    return undefined
  return withoutPrefix(segments.slice(1))
}

const uuid = '[\\da-fA-F]{8}-(?:[\\da-fA-F]{4}-){3}[\\da-fA-F]{12}'

const segmentPattern = (segment: string): RegExp =>
  new RegExp(`^${segment.replaceAll('{uuid}', uuid).replaceAll('{}', '.+')}$`)

/** A place with holes, ready to be compared: `GET /carts/{}`; `*` for any method, `GET *` for any path. */
export interface PlacePattern {
  readonly method: string
  readonly segments: readonly RegExp[] | 'any'
}

export const placePattern = (text: string): PlacePattern => {
  const [method = '*', path = '*'] = text.split(' ')
  if (path === '*') return {method, segments: 'any'}
  return {method, segments: segmentsOf(path).map(segmentPattern)}
}

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '')

/** HEAD matches patterns of GET; an unknown method matches all. */
const sameMethod = (pattern: string, method: string): boolean =>
  pattern === '*' || method === '*' || pattern === method || (pattern === 'GET' && method === 'HEAD')

export const isAt = (pattern: PlacePattern, place: Place): boolean =>
  sameMethod(pattern.method, place.method) &&
  (pattern.segments === 'any' ||
    (pattern.segments.length === place.segments.length &&
      pattern.segments.every((segment, index) => segment.test(place.segments[index] ?? ''))))

/** The place that a person names: `POST /carts`, `/my-project/carts`, `GET https://host/my-project/carts`. */
export const placeOf = (text: string): Place | undefined => {
  const found = /^\s*(?:([A-Za-z]+)\s+)?((?:https?:\/\/[^/\s]+)?\/[^\s?#]*)\S*\s*$/.exec(text)
  if (!found?.[2]) return undefined
  const path = found[2].replace(/^https?:\/\/[^/]+/, '')
  const segments = pathBelowProject(segmentsOf(path), 'explicit')
  return segments && {method: (found[1] ?? '*').toUpperCase(), segments}
}
