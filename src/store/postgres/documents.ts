import {compareText} from '../../query/text-order.js'
import {excludesRequirements, idOf, recordKey} from '../adapter/changes.js'
import type {StoreOptions} from '../opened-store.js'
import {type Change, type Document, type Put, type Requirement, type UniqueKey, VersionConflict} from '../store.js'
import type {Run, Statement, Transaction} from './connection/connections.js'
import {RetryCommit} from './repeated.js'
import * as sql from './schema/statements.js'
import {fromStored, storable, toStored} from './schema/text-form.js'

/** The stored version and unique keys of a document that a commit changes. */
export interface Stored {
  readonly version: number
  readonly uniqueKeys: readonly UniqueKey[]
  /** The unique keys as they came from the database. */
  readonly uniqueKeysColumn: string | null
}

/** What is stored beside documents, computed from them. */
export type DerivedValues = Required<Pick<StoreOptions, 'facets' | 'searchTexts'>>

/** A document that has to be at a version, to be changed or only to be there. */
export type Versioned = Change | (Requirement & {readonly version: number})

const isPut = (change: Versioned): change is Put => 'doc' in change

/** The unique keys of a document from their column. */
export const uniqueKeysOf = (column: string | null | undefined): readonly UniqueKey[] =>
  column ? (fromStored(column) as UniqueKey[]) : []

/** Sorted, so that concurrent commits cannot deadlock. */
const sorted = <V extends Versioned>(changes: readonly V[]): V[] =>
  [...changes].sort((a, b) => compareText(a.kind, b.kind) || compareText(idOf(a), idOf(b)))

/** Reads versions and unique keys of documents; `lock` locks their rows. Those that are only required are always locked. */
export async function stored(
  run: Run,
  project: string,
  changes: readonly Versioned[],
  lock: boolean,
): Promise<Map<string, Stored>> {
  const found = new Map<string, Stored>()
  await Promise.all(
    sorted(changes).map(async (change) => {
      const {rows} = await run(statementFor(change, lock), placeColumns(project, change))
      const [version, uniqueKeysColumn = null] = rows[0] ?? []
      if (version === undefined) return
      const uniqueKeys = uniqueKeysOf(uniqueKeysColumn)
      found.set(placeOf(change), {version: Number(version), uniqueKeys, uniqueKeysColumn})
    }),
  )
  return found
}

function statementFor(change: Versioned, lock: boolean): Statement {
  if ('require' in change) return sql.lockForRequiring
  if (!lock) return sql.readVersion
  return excludesRequirements(change) ? sql.lockForRemoving : sql.lockForReplacing
}

/** The document among those that were found: as recordKey, unless it is one of another project. */
const placeOf = (one: Versioned): string =>
  recordKey('require' in one && one.project !== undefined ? recordKey(one.project, one.kind) : one.kind, idOf(one))

/** The columns that name a document; of a requirement, perhaps one of another project. */
export const placeColumns = (project: string, one: Change | Requirement): string[] =>
  [('require' in one ? one.project : undefined) ?? project, one.kind, idOf(one)].map(storable)

/** Throws VersionConflict for the first document that is not at the version that is expected or required. */
export function checkVersions(changes: readonly Versioned[], found: ReadonlyMap<string, Stored>): void {
  for (const change of changes) {
    const id = idOf(change)
    const current = found.get(placeOf(change))?.version ?? 0
    const expected = 'require' in change ? change.version : change.expect
    if (current !== expected) throw new VersionConflict(change.kind, id, expected, current)
  }
}

/** The member of a table by kind, whatever a kind is called. */
export const ofKind = <T>(table: Readonly<Record<string, T>>, kind: string): T | undefined =>
  Object.hasOwn(table, kind) ? table[kind] : undefined

/** The facets of a document as a column; null for a kind without. */
export function facetsColumn({facets}: DerivedValues, kind: string, document: Document): string | null {
  const functions = ofKind(facets, kind)
  if (!functions) return null
  // JSON carries no member that is undefined.
  return toStored(Object.fromEntries(Object.entries(functions).map(([name, of]) => [name, of(document)])))
}

/**
 * Writes documents and counts. Throws RetryCommit if one has changed since it was `found`; one that was created meanwhile
 * fails as a duplicate. What a document derives may throw: then at once, before its caller commits.
 */
export function write(
  transaction: Transaction,
  project: string,
  given: readonly Change[],
  found: ReadonlyMap<string, Stored>,
  derived: DerivedValues,
): Promise<unknown> {
  const changes = sorted(given)
  const {run, insert} = transaction
  const once = async (statement: Statement, values: readonly unknown[]): Promise<void> => {
    if ((await run(statement, values)).count !== 1) throw new RetryCommit()
  }
  const writing: Promise<unknown>[] = []
  const created: (string | null)[][] = []
  /** The change of the number of documents, by kind. */
  const growth = new Map<string, number>()
  for (const change of changes) {
    const {kind, expect} = change
    const place = placeColumns(project, change)
    const asRead = [...place, expect, found.get(recordKey(kind, idOf(change)))?.uniqueKeysColumn ?? null]
    if (!isPut(change)) writing.push(once(sql.removeDocument, asRead))
    else {
      const {doc, json, uniqueKeys = []} = change
      const keys = uniqueKeys.length > 0 ? toStored(uniqueKeys) : null
      const content = [String(doc.version), toStored(doc, json), facetsColumn(derived, kind, doc), keys]
      if (expect === 0) created.push([...place.slice(1), ...content])
      else writing.push(once(sql.updateDocument, [...asRead, ...content]))
    }
    const by = !isPut(change) ? -1 : expect === 0 ? 1 : 0
    growth.set(kind, (growth.get(kind) ?? 0) + by)
  }
  const part = String(Math.floor(Math.random() * tallyParts))
  const grown = [...growth].flatMap(([kind, by]) => (by === 0 ? [] : [[storable(kind), part, String(by)]]))
  writing.push(
    insert(sql.insertDocuments, storable(project), created),
    ...searchTextsOf(transaction, project, changes, derived),
    // Last, since it blocks other commits that count in the same row.
    insert(sql.addToTally, storable(project), grown),
  )
  return Promise.all(writing)
}

/** Writes the search texts of documents, of kinds that have them. */
export function searchTextsOf(
  {run, insert}: Transaction,
  project: string,
  changes: readonly Change[],
  {searchTexts}: DerivedValues,
): Promise<unknown>[] {
  const rows: string[][] = []
  const writing: Promise<unknown>[] = []
  for (const change of changes) {
    const searchText = ofKind(searchTexts, change.kind)
    if (!searchText) continue
    if (isPut(change)) rows.push([change.kind, change.doc.id, searchText.textOf(change.doc)].map(storable))
    else writing.push(run(sql.removeSearchText, placeColumns(project, change)))
  }
  return [...writing, insert(sql.putSearchTexts, storable(project), rows)]
}

/** Number of rows that hold the count of a kind, so that commits rarely wait for each other. */
const tallyParts = 64
