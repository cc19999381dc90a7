import type {Document} from '../../store.js'
import type {Connections, Row} from '../connection/connections.js'
import {type DerivedValues, facetsColumn, searchTextsOf} from '../documents.js'
import {pagesOf} from '../keyset.js'
import {facetMarks} from './schema.js'
import {lockDocument, setFacets} from './statements.js'
import {fromStored, storable} from './text-form.js'

const projectsWith = 'SELECT DISTINCT project FROM frontdesk.tally WHERE kind = $1'
const idsOf = 'SELECT id FROM frontdesk.document WHERE project = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4'
const noteMarks = 'INSERT INTO frontdesk.migration (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING'

type Place = readonly [project: string, kind: string]

/** Computes what documents lack that were stored by a release which did not derive it, or derived something else. */
export async function derive(
  connections: Connections,
  derived: DerivedValues,
  present: ReadonlySet<string>,
): Promise<void> {
  const {read} = connections
  const {facets, searchTexts} = derived
  for (const kind of new Set([...Object.keys(facets), ...Object.keys(searchTexts)])) {
    const text = searchTexts[kind]
    const marks = [...facetMarks(kind, facets[kind]), ...(text ? [`search ${kind} ${text.version}`] : [])]
    const fresh = marks.filter((mark) => !present.has(mark))
    if (fresh.length === 0) continue
    for (const [project] of (await read({text: projectsWith}, [kind])).rows) {
      const place = [project ?? '', kind] as const
      for await (const rows of pagesOf(read, {text: idsOf}, place, ['']))
        await deriveFor(connections, derived, place, rows)
    }
    await read({text: noteMarks}, [fresh])
  }
}

/** The rows are locked, so that none changes between being read and being written. */
function deriveFor(
  connections: Connections,
  derived: DerivedValues,
  [project, kind]: Place,
  ids: readonly Row[],
): Promise<void> {
  return connections.transaction(false, async (transaction) => {
    const {run} = transaction
    const locked = await Promise.all(ids.map(([id]) => run(lockDocument, [project, kind, id])))
    const changes = locked.flatMap(({rows}) =>
      rows.map(([version, doc]) => ({kind, expect: Number(version), doc: fromStored(doc ?? '') as Document})),
    )
    await Promise.all([
      ...changes.map(({doc}) => run(setFacets, [project, kind, storable(doc.id), facetsColumn(derived, kind, doc)])),
      ...searchTextsOf(transaction, project, changes, derived),
    ])
  })
}
