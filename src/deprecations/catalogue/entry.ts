import type {Pattern} from './pattern.js'

export type Kind = 'rest' | 'graphql' | 'scope'

/**
 * What the interface says happened, under its own word for it, as ISO days. A word that it does not use is absent,
 * and an entry that it does not date at all has no member here.
 */
export interface Dates {
  readonly announced?: string
  readonly deprecated?: string
  readonly removed?: string
  readonly replaced?: string
  readonly migrated?: string
  readonly performed?: string
  readonly effective?: string
}

/** One operation of one GraphQL type that asks for another scope than before. Scopes without their project key. */
export interface ScopeChange {
  readonly type: string
  readonly operation: 'query' | 'mutation'
  readonly previous: string
  readonly current: string
}

/** One deprecated or removed thing of the API. `item` and `alternative` keep the words of API › Versioning. */
export interface Deprecation {
  readonly id: string
  readonly area: string
  readonly item: string
  readonly kind: Kind
  readonly alternative: string
  readonly dates: Dates
  /** Removed on a day that the interface does not publish. */
  readonly isRemoved?: true
  readonly source: string
  readonly note?: string
  readonly scope?: ScopeChange
  /** How a use shows in a payload, a URL, a document or a scope list. Absent: it does not show statically. */
  readonly detect?: readonly Pattern[]
}
