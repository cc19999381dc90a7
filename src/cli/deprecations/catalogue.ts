import {detailsOf, getDeprecation, listing, scopeRows} from '../../deprecations/list.js'
import {Failure} from '../process/failure.js'

export {listing}

/** All details of one deprecation. Throws DeprecationNotFound with similar ids. */
export function deprecationNamed(id: string) {
  const {entry, candidates = []} = getDeprecation(id)
  if (entry) return detailsOf(entry)
  const hint =
    candidates.length > 0 ? `Did you mean ${candidates.join(', ')}?` : '`frontdesk deprecations list` names all.'
  throw new Failure('notFound', 'DeprecationNotFound', `There is no deprecation '${id}'.`, {hints: [hint]})
}

export const scopeListing = () => {
  const results = scopeRows()
  return {count: results.length, results}
}
