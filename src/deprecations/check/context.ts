import type {Emit} from './rules.js'
import {checkScopes, type Scope} from './scopes.js'

/** A resource type that a document queries or mutates at its root, for which some scope is needed. */
export interface Operation {
  readonly type: string
  readonly operation: 'query' | 'mutation'
  readonly field: string
  readonly offset: number
}

/** What checking one file gathers besides hits. */
export interface Gathered {
  /** The scopes of one client, for each list of scopes in the file. */
  readonly scopeLists: (readonly Scope[])[]
  readonly operations: Operation[]
  /** What a person should know of the check itself. */
  readonly notes: {readonly message: string; readonly offset: number; readonly isUnread?: true}[]
}

export interface FileContext {
  readonly emit: Emit
  readonly gathered: Gathered
  /** Whether the file surely talks to the platform, so that ordinary names in it mean what they mean there. */
  readonly isKnown: boolean
}

export const saysScope = (name: string): boolean => /scope/i.test(name)

/** Takes the scopes of one client: checks them, and keeps them for the check against GraphQL operations. */
export const noteScopes = (scopes: readonly Scope[], {emit, gathered}: FileContext): void => {
  if (scopes.length === 0) return
  gathered.scopeLists.push(scopes)
  checkScopes(scopes, emit)
}
