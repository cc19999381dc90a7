/**
 * How a use shows, as plain data. A *place* is a method and a path below project and store, with `{}` for any segment
 * and `{uuid}` for an id: `POST /customers`, `POST /me/signup`; `*` for any method, `GET *` for any path. A GraphQL
 * mutation is a place too, its arguments the body: `MUTATION updateProduct`.
 */
export type Pattern = ActionPattern | BodyPattern | UrlPattern | ScopePattern | NamePattern

interface Advice {
  /** What to use in the place of just this, where the entry's alternative covers more. */
  readonly instead?: string
}

/** Update actions by name. With neither `on` nor `beside` the name alone is proof enough. */
export interface ActionPattern extends Advice {
  readonly in: 'action'
  readonly actions: readonly string[]
  /** Collections (first segment of the place) whose action this is; `me` for the customer's own endpoints. */
  readonly on?: readonly string[]
  /** Members that give the resource away where the place is unknown. */
  readonly beside?: readonly string[]
  /** Only an action with at least one of these members is meant. */
  readonly with?: readonly string[]
  /** Only an action without these members is meant. */
  readonly lacks?: readonly string[]
  /** Actions that give the resource away when they stand in the same list. */
  readonly among?: readonly string[]
}

/** Members of a JSON body, by the ends of their paths: `associates[].roles`. */
export interface BodyPattern extends Advice {
  readonly in: 'body'
  readonly at: readonly string[]
  /** Only these values. */
  readonly values?: readonly string[]
  /** Only a text that matches this expression. */
  readonly matches?: string
  /** Only where the object has none of these members. */
  readonly lacks?: readonly string[]
  /** Only where a member of the object, or of the one `up` objects further out, has one of these values. */
  readonly when?: {readonly up?: number; readonly member: string; readonly is: readonly string[]}
  /** Places whose body this is, `at` counted from its root. */
  readonly on?: readonly string[]
  /** Members, or dotted paths, any of which gives the shape away where the place is unknown. */
  readonly beside?: readonly string[]
}

export interface UrlPattern extends Advice {
  readonly in: 'url'
  readonly places: readonly string[]
  /** A query parameter that must be there. */
  readonly query?: string
  /** An expression that the parameter's value, or one of its values, must match. */
  readonly value?: string
  /** A second parameter that must be there, with a value that matches: some changes of channels have the names of states'. */
  readonly beside?: {readonly query: string; readonly value: string}
}

/** A scope in a list that lacks the scope it was split into. Both without their project key. */
export interface ScopePattern extends Advice {
  readonly in: 'scope'
  readonly scope: string
  readonly lacks: string
}

/**
 * A name that is enough by itself: a host; a field of a GraphQL type, `Cart.customFields`; an argument of a field,
 * `products.sort`; a GraphQL type in a type condition or variable.
 */
export interface NamePattern extends Advice {
  readonly in: 'host' | 'field' | 'argument' | 'type'
  readonly names: readonly string[]
}
