import type {Deprecation} from '../catalogue/entry.js'
import {catalogue} from '../catalogue/index.js'
import type {Operation} from './graphql.js'
import type {Hit} from './rules.js'
import {covers, type Scope} from './scopes.js'

/** Scopes and operations of one file, for a check across files. */
export interface Evidence {
  readonly path: string
  readonly scopeLists: readonly (readonly Scope[])[]
  readonly operations: readonly Operation[]
}

interface Placed {
  readonly path: string
  readonly hit: Hit
}

interface List {
  readonly path: string
  readonly scopes: readonly Scope[]
}

/** How many folders two paths have in common. */
const nearness = (a: string, b: string): number => {
  const [left, right] = [a.split('/'), b.split('/')]
  const apart = left.findIndex((part, index) => part !== right[index])
  return apart === -1 ? left.length : apart
}

/** The list that holds a scope and stands nearest to a file. */
const nearestHolder = (lists: readonly List[], name: string, path: string): List | undefined =>
  lists
    .filter(({scopes}) => scopes.some((scope) => scope.name === name))
    .reduce<List | undefined>(
      (best, list) => (best && nearness(best.path, path) >= nearness(list.path, path) ? best : list),
      undefined,
    )

const hitOf = (entry: Deprecation, list: List, path: string, {operation, field}: Operation): Placed[] => {
  const held = list.scopes.find(({name}) => name === entry.scope?.previous)
  if (!held) return []
  const found = `scope ${held.name} for ${operation} ${field} in ${path}`
  return [{path: list.path, hit: {entry, offset: held.offset, found}}]
}

/**
 * Finds scopes that opened a GraphQL operation until it asked for another. Neither scope nor operation is wrong by
 * itself, so both must be there; where any list of the run opens the operation, that client is taken to be the one.
 */
export const crossCheck = (evidence: readonly Evidence[]): readonly Placed[] => {
  const lists = evidence.flatMap(({path, scopeLists}) => scopeLists.map((scopes): List => ({path, scopes})))
  if (lists.length === 0) return []
  return catalogue.flatMap((entry) => {
    const {scope} = entry
    if (!scope || lists.some(({scopes}) => covers(scopes, scope.current))) return []
    for (const {path, operations} of evidence) {
      const used = operations.find(({type, operation}) => type === scope.type && operation === scope.operation)
      const list = used && nearestHolder(lists, scope.previous, path)
      if (list) return hitOf(entry, list, path, used)
    }
    return []
  })
}
