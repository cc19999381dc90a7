import type {SortKey} from '../../src/query/ast.js'
import type {FacetFunctions} from '../../src/query/path-reader.js'
import {compareKeys, readersOf} from '../../src/query/sort.js'
import {naiveText} from './naive.js'

/** The order of documents by the keys in turn, then by ascending id. */
export function comparator<D extends {readonly id: string}>(
  keys: readonly SortKey[],
  given: FacetFunctions<D>,
): (a: D, b: D) => number {
  const readers = readersOf(keys, given)
  return (a, b) => {
    for (const {read, sign} of readers) {
      const order = compareKeys(read(a), read(b))
      if (order !== 0) return order * sign
    }
    return naiveText(a.id, b.id)
  }
}
