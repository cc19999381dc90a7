import type {Change, Requirement} from '../store.js'

/** What a commit was given, apart: what it changes, and what has to be there. */
export interface Parted {
  readonly changes: readonly Change[]
  readonly required: readonly Requirement[]
}

export const parted = (given: readonly (Change | Requirement)[]): Parted => ({
  changes: given.filter((one): one is Change => !('require' in one)),
  required: given.filter((one): one is Requirement => 'require' in one),
})

/** How a conflict over the presence of a document names it, in place of a unique key. */
export const presenceOf = (kind: string, id: string): string => `${kind}:${id}`
