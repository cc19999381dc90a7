import {catalogue} from '../catalogue/index.js'
import type {Gathered} from './context.js'
import type {Hit} from './rules.js'
import {covers, type Scope} from './scopes.js'

/** Scopes and operations of one file, for a check across files. */
export interface Evidence extends Omit<Gathered, 'notes'> {
  readonly path: string
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

const nearestHolder = (lists: readonly List[], name: string, path: string) =>
  lists
    .map((list) => ({path: list.path, held: list.scopes.find((scope) => scope.name === name)}))
    .filter(({held}) => held)
    .sort((a, b) => nearness(b.path, path) - nearness(a.path, path))[0]

/**
 * Finds scopes that opened a GraphQL operation until it asked for another. Neither scope nor operation is wrong by
 * itself, so both must be there; where any list of the run opens the operation, that client is taken to be the one.
 */
export const crossCheck = (evidence: readonly Evidence[]): readonly {path: string; hit: Hit}[] => {
  const lists = evidence.flatMap(({path, scopeLists}) => scopeLists.map((scopes): List => ({path, scopes})))
  if (lists.length === 0) return []
  return catalogue.flatMap((entry) => {
    const {scope} = entry
    if (!scope || lists.some(({scopes}) => covers(scopes, scope.current))) return []
    for (const {path, operations} of evidence) {
      const used = operations.find(({type, operation}) => type === scope.type && operation === scope.operation)
      const nearest = used && nearestHolder(lists, scope.previous, path)
      if (!used || !nearest?.held) continue
      const found = `scope ${scope.previous} for ${used.operation} ${used.field} in ${path}`
      return [{path: nearest.path, hit: {entry, offset: nearest.held.offset, found}}]
    }
    return []
  })
}
