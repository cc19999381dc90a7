import type {FileContext} from './context.js'
import {checkScopes, type Scope, scopesIn} from './scopes.js'
import {type Node, nodesOf} from './tree.js'

/** Whether the name of a member or setting says that its value is scopes. */
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
