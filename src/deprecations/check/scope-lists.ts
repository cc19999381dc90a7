import type {FileContext} from './context.js'
import {checkScopes, type Scope, scopesIn} from './scopes.js'
import type {Node, TextNode} from './tree.js'

/** Whether the name of a member or variable says that its value is scopes. */
export const saysScope = (name: string): boolean => /scope/i.test(name)

/** Takes the scopes of one client: checks them, and keeps them for the check against GraphQL operations. */
export const noteScopes = (scopes: readonly Scope[], {emit, gathered}: FileContext): void => {
  if (scopes.length === 0) return
  gathered.scopeLists.push(scopes)
  checkScopes(scopes, emit)
}

/** Finds the lists of scopes in a tree; the texts of one array are one client's. `listed` takes where they begin. */
export const checkScopeLists = (node: Node, name: string, context: FileContext, listed?: Set<number>): void => {
  if (node.kind === 'object') {
    // What a name says of scopes holds for all below it: `oAuthScopes: {view: […]}`.
    const below = (member: string) => (saysScope(name) ? name : member)
    for (const member of node.members) checkScopeLists(member.value, below(member.name), context, listed)
  }
  if (node.kind !== 'array') return
  const texts = node.items.filter((item): item is TextNode => item.kind === 'text')
  noteScopes(
    texts.flatMap((item) => {
      const scopes = scopesIn(item, saysScope(name))
      if (scopes.length > 0) listed?.add(item.start)
      return scopes
    }),
    context,
  )
  for (const item of node.items) checkScopeLists(item, name, context, listed)
}
