import {StateError} from '../../../domain/errors.js'
import type {Document} from '../../store.js'
import {type Connections, lockTimeout, pagesOf, type Row, type Run} from '../connection/connections.js'
import {inState, isDuplicate, isRepeatable} from '../connection/faults.js'
import {type DerivedValues, facetsColumn, searchTextsOf} from '../documents.js'
import {facetMarks, firstStatements, indexesOf, type Migration, migrations, tables} from './schema.js'
import {lockDocument, setFacets} from './statements.js'
import {fromStored, storable} from './text-form.js'

/** How long to wait for another server that is migrating, which may build indexes over many documents. */
const migrationWaitMs = 15 * 60_000
const maxTries = 20
/** A schema, table or object that is there already, or whose row in the catalogue another one changed. */
const isCatalogueRace = inState(/^(42P06|42P07|42710|XX000)/)

/**
 * Brings the tables to what this release needs; several servers may start at once. Throws StateVersion for tables of
 * a newer release, and for older ones if it may not write, StateUnusable for tables that cannot hold a state.
 */
export async function migrate(connections: Connections, derived: DerivedValues, mayWrite: boolean): Promise<void> {
  const needed = [...migrations, ...indexesOf(derived.facets)]
  const present = await applied(connections.read)
  checkRelease(present, connections.label)
  if (!mayWrite) return checkComplete(needed, present, connections.label)
  for (const text of present.size === 0 ? firstStatements : []) await againAfterRaces(() => connections.read({text}))
  const missing = needed.filter(({name}) => !present.has(name))
  for (const migration of missing) await againAfterRaces(() => apply(connections, migration))
  await checkTables(connections.read, connections.label)
  await derive(connections, derived, present)
}

/** Names of the migrations that were applied; none if there are no tables yet. */
async function applied(run: Run): Promise<ReadonlySet<string>> {
  try {
    const {rows} = await run({text: 'SELECT name FROM frontdesk.migration'})
    return new Set(rows.map(([name]) => name ?? ''))
  } catch (error) {
    // Undefined table, invalid schema name.
    if (inState(/^(42P01|3F000)/)(error)) return new Set()
    throw error
  }
}

function checkRelease(present: ReadonlySet<string>, label: string): void {
  const known = new Set(['0000 lock', ...migrations.map(({name}) => name)])
  const newer = [...present].find((name) => /^\d/.test(name) && !known.has(name))
  if (newer === undefined) return
  const message = `The tables of ${label} are of a newer release ('${newer}').`
  throw new StateError('StateVersion', message, label, 'Run that release, or a newer one.')
}

function checkComplete(needed: readonly Migration[], present: ReadonlySet<string>, label: string): void {
  if (needed.every(({name}) => present.has(name))) return
  const message = `The tables of ${label} are missing or of an older release.`
  throw new StateError('StateVersion', message, label, 'Start a server on it once; it makes them.')
}

/** Several servers may migrate at once: their creations clash in the system catalogue despite IF NOT EXISTS. */
async function againAfterRaces(work: () => Promise<unknown>): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      await work()
      return
    } catch (error) {
      const isRace = isDuplicate(error) || isRepeatable(error) || isCatalogueRace(error)
      if (!isRace || count === maxTries) throw error
    }
  }
}

const apply = (connections: Connections, {name, statements}: Migration): Promise<void> =>
  connections.transaction(false, async ({run}) => {
    await run(lockTimeout(migrationWaitMs))
    await run({text: 'SET LOCAL statement_timeout = 0'})
    await run({text: "SELECT name FROM frontdesk.migration WHERE name = '0000 lock' FOR UPDATE"})
    const {rows} = await run({text: 'SELECT name FROM frontdesk.migration WHERE name = $1'}, [name])
    if (rows.length > 0) return
    for (const text of statements) await run({text})
    await run({text: 'INSERT INTO frontdesk.migration (name) VALUES ($1)'}, [name])
  })

/** The columns of the tables, and whether the primary key has each. */
const columns = `SELECT c.table_name, c.column_name, k.column_name FROM information_schema.columns c
  LEFT JOIN (information_schema.table_constraints t JOIN information_schema.key_column_usage k
    USING (constraint_schema, constraint_name)) ON t.constraint_type = 'PRIMARY KEY'
    AND constraint_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name
  WHERE c.table_schema = 'frontdesk'`

/** Throws StateUnusable for tables that lack a column or the primary key that ensures uniqueness. */
async function checkTables(run: Run, label: string): Promise<void> {
  const {rows} = await run({text: columns})
  for (const {name, columns: wanted, key} of tables) {
    const present = rows.filter(([table]) => table === name)
    const names = wanted.map((column) => column.split(' ')[0])
    const missing = names.filter((column) => !present.some(([, has]) => has === column))
    if (missing.length > 0) throw unfit(label, `frontdesk.${name} has no column ${missing.join(', ')}`)
    const found = present.flatMap(([, , inKey]) => inKey ?? [])
    if (found.length !== key.length || key.some((column) => !found.includes(column))) {
      const what = `frontdesk.${name} has not the primary key (${key.join(', ')}), so that nothing would be unique`
      throw unfit(label, what)
    }
  }
}

function unfit(label: string, what: string): StateError {
  const remedy = 'Make the tables with the statements of: frontdesk server store-schema'
  return new StateError('StateUnusable', `The tables of ${label} are not those of a state: ${what}.`, label, remedy)
}

const projectsWith = 'SELECT DISTINCT project FROM frontdesk.tally WHERE kind = $1'
const idsOf = 'SELECT id FROM frontdesk.document WHERE project = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4'
const noteMarks = 'INSERT INTO frontdesk.migration (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING'

/** Computes what documents lack that were stored by a release which did not derive it, or derived something else. */
async function derive(connections: Connections, derived: DerivedValues, present: ReadonlySet<string>): Promise<void> {
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
  [project, kind]: readonly [project: string, kind: string],
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
