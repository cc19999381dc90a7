import type {Claim, Document} from '../store.js'

/** A stored document beside what the indexes hold of it. */
export interface Entry {
  readonly id: string
  readonly claims: readonly Claim[]
  /** Values of the kind's facets, in their order. */
  readonly facets: readonly (string | undefined)[]
  readonly doc: Document
}

/** Freezes a tree of plain values and returns it. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
