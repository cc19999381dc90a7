import type {Facets, Found, Page} from '../store.js'
import type {Run} from './connection/connections.js'
import {getDocuments} from './schema/statements.js'
import {restored, storable} from './schema/text-form.js'
import {Selection} from './select.js'

/** Matches that a search looks at; none counts further. */
const maxMatches = 10_000

/**
 * A page of a search, ascending by id: the ids come from the narrow table of search texts, which the database reads
 * whole, the documents by their ids.
 */
export async function searchPage<D>(
  run: Run,
  facets: Facets,
  [project, kind]: readonly [string, string],
  {words = [], where, limit, offset, sort, count}: Page,
  read: (column: string) => D,
): Promise<Found<D>> {
  const values: unknown[] = [storable(project), storable(kind)]
  const holder = (value: unknown): string => `$${values.push(value)}`
  const terms = words.map(({spellings, idStart}) => {
    const found = spellings.map((spelling) => `strpos(words, ${holder(storable(spelling))}::text) > 0`)
    const start = idStart === undefined ? [] : [`left(id, ${[...idStart].length}) = ${holder(storable(idStart))}::text`]
    return `(${[...found, ...start].join(' OR ')})`
  })
  const condition = ['project = $1', 'kind = $2', ...terms].join(' AND ')
  const text = `SELECT id FROM frontdesk.search WHERE ${condition} ORDER BY id LIMIT ${maxMatches}`
  const ids = (await run({text}, values)).rows.map(([id]) => id ?? '')
  if (where || sort) {
    const field = {path: ['id'], type: 'string'} as const
    const isFound = {op: 'in', field, negated: false, values: ids.map(restored)} as const
    const both = where ? ({op: 'and', terms: [isFound, where]} as const) : isFound
    const page = {where: both, limit, offset, ...(sort ? {sort} : {}), ...(count ? {count} : {})}
    if (ids.length === 0) return {results: [], ...(count ? {total: 0} : {})}
    return new Selection(facets, [project, kind], page, read).read(run)
  }
  const shown = ids.slice(offset, offset + limit)
  const places = [shown.map(() => storable(project)), shown.map(() => storable(kind)), shown]
  const results = (await run(getDocuments, places)).rows.flatMap(([doc]) =>
    typeof doc === 'string' ? [read(doc)] : [],
  )
  return {results, ...(count ? {total: Math.min(ids.length, count.cap)} : {})}
}
