import {StateError} from '../../../domain/errors.js'
import type {Document, Facets, SearchTexts} from '../../store.js'
import {type Connections, lockTimeout, type Run} from '../connection/connections.js'
import {isDuplicate, isRepeatable, sqlState} from '../connection/faults.js'
import {facetsOf} from '../documents.js'
import {checkTables} from './check-tables.js'
import {facetIndex, firstStatements, type Migration, migrations} from './schema.js'
import {deriveSearchTexts} from './search-texts.js'
import {fromStored, restored, toStored} from './text-form.js'

const plainName = /^[A-Za-z][A-Za-z0-9_]{0,40}$/
/** How long to wait for another server that is migrating, which may build indexes over many documents. */
const migrationWaitMs = 15 * 60_000
const backfillRows = 500
const maxTries = 20

/**
 * Brings the tables to what this release needs; several servers may start at once. Throws StateVersion for tables of
 * a newer release, and for older ones if it may not write, StateUnusable for tables that cannot hold a state.
 */
export async function migrate(
  connections: Connections,
  facets: Facets,
  mayWrite: boolean,
  searchTexts: SearchTexts = {},
): Promise<void> {
  const names = [...new Set(Object.values(facets).flatMap((of) => Object.keys(of)))].sort()
  const unfit = names.find((name) => !plainName.test(name))
  if (unfit !== undefined) throw new Error(`${unfit} is not a name for a facet`)
  const needed = [...migrations, ...names.map((name) => facetIndex(name))]
  const present = await applied(connections.read)
  checkRelease(present, connections.label)
  if (!mayWrite) return checkComplete(needed, present, connections.label)
  if (present.size === 0) await firstTables(connections)
  for (const migration of needed) if (!present.has(migration.name)) await apply(connections, migration)
  await checkTables(connections.read, connections.label)
  for (const [kind, of] of Object.entries(facets)) {
    const steps = Object.keys(of).map((name) => `facet ${kind}.${name}`)
    const fresh = steps.filter((step) => !present.has(step))
    if (fresh.length > 0) await derive(connections, facets, kind, fresh)
  }
  await deriveSearchTexts(connections, searchTexts, present)
}

/** Names of the migrations that were applied; none if there are no tables yet. */
async function applied(run: Run): Promise<ReadonlySet<string>> {
  try {
    const {rows} = await run({text: 'SELECT name FROM frontdesk.migration'})
    return new Set(rows.map(([name]) => name ?? ''))
  } catch (error) {
    // Undefined table, invalid schema name.
    if (['42P01', '3F000'].includes(sqlState(error) ?? '')) return new Set()
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

/**
 * Creates the first tables. Concurrent creations clash in the system catalogue despite IF NOT EXISTS, so it retries.
 */
async function firstTables({read}: Connections): Promise<void> {
  for (const text of firstStatements) {
    for (let count = 1; ; count += 1) {
      try {
        await read({text})
        break
      } catch (error) {
        const isRace =
          isDuplicate(error) ||
          isRepeatable(error) ||
          ['42P06', '42P07', '42710', 'XX000'].includes(sqlState(error) ?? '')
        if (!isRace || count === maxTries) throw error
      }
    }
  }
}

async function apply(connections: Connections, {name, statements}: Migration): Promise<void> {
  for (let count = 1; ; count += 1) {
    try {
      return await connections.transaction(false, async ({run}) => {
        await run(lockTimeout(migrationWaitMs))
        await run({text: 'SET LOCAL statement_timeout = 0'})
        await run({text: "SELECT name FROM frontdesk.migration WHERE name = '0000 lock' FOR UPDATE"})
        const {rows} = await run({text: 'SELECT name FROM frontdesk.migration WHERE name = $1'}, [name])
        if (rows.length > 0) return
        for (const text of statements) await run({text})
        await run({text: 'INSERT INTO frontdesk.migration (name) VALUES ($1)'}, [name])
      })
    } catch (error) {
      if (!isRepeatable(error) || count === maxTries) throw error
    }
  }
}

/** Computes the facets of documents that were stored by a release which did not know them all. */
async function derive(connections: Connections, facets: Facets, kind: string, steps: readonly string[]): Promise<void> {
  const {read} = connections
  const {rows} = await read({text: 'SELECT DISTINCT project FROM frontdesk.tally WHERE kind = $1'}, [kind])
  for (const [project] of rows) await deriveIn(read, facets, project ?? '', kind)
  await read({text: 'INSERT INTO frontdesk.migration (name) SELECT unnest($1::text[]) ON CONFLICT (name) DO NOTHING'}, [
    steps,
  ])
}

async function deriveIn(run: Run, facets: Facets, project: string, kind: string): Promise<void> {
  const part =
    'SELECT id, version, doc FROM frontdesk.document WHERE project = $1 AND kind = $2 AND id > $3 ORDER BY id LIMIT $4'
  for (let after = ''; ; ) {
    const {rows} = await run({text: part}, [project, kind, after, backfillRows])
    if (rows.length === 0) return
    const derived = rows.map(([id, version, doc]) => ({
      id: restored(id ?? ''),
      version: Number(version),
      facets: facetsOf(facets, kind, fromStored(doc ?? '') as Document),
    }))
    // A document that changes meanwhile is written with its new facets.
    await run(
      {
        text: `UPDATE frontdesk.document d SET facets = r.facets
          FROM jsonb_to_recordset($3::jsonb) AS r(id text, version bigint, facets jsonb)
          WHERE d.project = $1 AND d.kind = $2 AND d.id = r.id AND d.version = r.version`,
      },
      [project, kind, toStored(derived)],
    )
    after = rows.at(-1)?.[0] ?? ''
  }
}
