import type {Operation} from './graphql.js'
import type {Emit} from './rules.js'
import {checkScopes, type Scope, scopesIn} from './scopes.js'
import {type Node, nodesOf} from './tree.js'

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

const signs = /commercetools|sphere\.io|project_?key|\bCTP_|apiRoot|\/in-store\/key=/i

export const speaksOfPlatform = (text: string): boolean => signs.test(text)

export const saysScope = (name: string): boolean => /scope/i.test(name)

/** Takes the scopes of one client: checks them, and keeps them for the check against GraphQL operations. */
export const noteScopes = (scopes: readonly Scope[], {emit, gathered}: FileContext): void => {
  if (scopes.length === 0) return
  gathered.scopeLists.push(scopes)
  checkScopes(scopes, emit)
}

/** Finds the lists of scopes in a tree; the texts of one array are one client's. */
export const checkScopeLists = (root: Node, context: FileContext): void => {
  for (const {node, labels} of nodesOf(root)) {
    if (node.kind !== 'array') continue
    // What a name says of scopes holds for all below it: `oAuthScopes: {view: […]}`.
    const isSaid = labels.some(saysScope)
    const scopes = node.items.flatMap((item) => (item.kind === 'text' ? scopesIn(item, isSaid) : []))
    noteScopes(scopes, context)
  }
}
