import {catalogue} from '../catalogue/index.js'
import {type Emit, hitOf, scopeRules} from './rules.js'
import {offsetAt, type Text} from './tree.js'

/** A scope as it stands in a file, without its project key. */
export interface Scope {
  readonly name: string
  readonly offset: number
}

/** Every first half of a scope that the catalogue speaks of, on either side of a change. */
const known = new Set([
  ...catalogue.flatMap(({scope}) => (scope ? [scope.previous, scope.current] : [])),
  ...scopeRules.flatMap(({pattern}) => [pattern.scope, pattern.lacks]),
  'manage_recurrence_policies',
  'manage_project',
])

const token = /(?<![\w-])((?:view|manage)_[a-z_]+)(?![\w-])(:(?=[\w{$<]))?/g

/**
 * The scopes in a text. Without a project key behind it a name counts only where the place says that scopes stand there;
 * else it may be anybody's permission.
 */
export const scopesIn = (text: Text, saysScope: boolean): readonly Scope[] => {
  if (!text.value.includes('_')) return []
  const found: Scope[] = []
  for (const match of text.value.matchAll(token)) {
    const [, name = '', suffix] = match
    if (suffix !== undefined || (saysScope && known.has(name))) found.push({name, offset: offsetAt(text, match.index)})
  }
  return found
}

/** Whether a list of scopes opens what a scope opens: a manage scope also views, and manage_project does everything. */
export const covers = (scopes: readonly Scope[], wanted: string): boolean => {
  const opening = [wanted, wanted.replace(/^view_/, 'manage_'), 'manage_project']
  return scopes.some(({name}) => opening.includes(name))
}

/** Finds scopes in one client's list that no longer open what they did. */
export const checkScopes = (scopes: readonly Scope[], emit: Emit): void => {
  for (const rule of scopeRules) {
    const {scope, lacks} = rule.pattern
    const held = scopes.find(({name}) => name === scope)
    if (held && !covers(scopes, lacks)) emit(hitOf(rule, held.offset, `scope ${scope}`))
  }
}
