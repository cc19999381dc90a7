/** One way to break a defence: whoever removes it must hear of it from a test. */
export interface Mutation {
  /** What an attacker could do then. */
  readonly meaning: string
  /** Below the root of the project. */
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
}

export interface MutationGroup {
  /** Where the tests lie that may notice; those of the API and of security unless told. */
  readonly folders?: readonly string[]
  /** Test files that are asked first; the others only if these notice nothing. */
  readonly tests: readonly string[]
  readonly mutations: readonly Mutation[]
}

/** Declares the mutations of one file. */
export const of =
  (file: string) =>
  (meaning: string, find: string, replace = ''): Mutation => ({meaning, file, find, replace})
