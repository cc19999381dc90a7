import type {Change, Requirement} from '../store.js'

export interface SplitCommit {
  readonly changes: readonly Change[]
  readonly required: readonly Requirement[]
}

export function splitCommit(given: readonly (Change | Requirement)[]): SplitCommit {
  const required = given.filter((one): one is Requirement => 'require' in one)
  if (required.length === 0) return {changes: given as readonly Change[], required}
  return {changes: given.filter((one): one is Change => !('require' in one)), required}
}

export const isElsewhere = (one: Requirement): one is Requirement & {readonly project: string} =>
  one.project !== undefined

/** How a conflict over the presence of a document names it, in place of a unique key. */
export const presenceOf = (kind: string, id: string): string => `${kind}:${id}`
