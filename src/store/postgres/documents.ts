import {compareText} from '../../query/text-order.js'
import {type Change, type Claim, type Document, type Facets, type Put, type Removal, VersionMoved} from '../store.js'
import {Again} from './again.js'
import {idOf, placeOf} from './claim-changes.js'
import type {Run, Transaction} from './connections.js'
import {
  addToTally,
  insertDocuments,
  lockVersions,
  readVersions,
  removeDocuments,
  type Statement,
  updateDocuments,
} from './statements.js'
import {fromStored, restored, toStored} from './text-form.js'

/** What is stored of the documents that a commit changes. */
export interface Stored {
  readonly version: number
  readonly claims: readonly Claim[]
}

/** Characters of the rows that one statement carries. */
const maxCharacters = 16 << 20

const isPut = (change: Change): change is Put => 'doc' in change
const isRemoval = (change: Change): change is Removal => 'remove' in change

/** The changes in one order for everybody. Throws for a document that is changed twice. */
export function inOrder(changes: readonly Change[]): Change[] {
  const sorted = [...changes].sort((a, b) => compareText(a.kind, b.kind) || compareText(idOf(a), idOf(b)))
  for (const [at, change] of sorted.entries()) {
    const next = sorted[at + 1]
    if (next?.kind === change.kind && idOf(next) === idOf(change)) {
      throw new Error(`a commit changes ${change.kind} ${idOf(change)} twice`)
    }
  }
  return sorted
}

/** Reads versions and claims, by place; `lock` keeps everybody else from changing the documents. */
export async function stored(
  run: Run,
  project: string,
  changes: readonly Change[],
  lock: boolean,
): Promise<Map<string, Stored>> {
  const places = changes.map((change) => ({kind: change.kind, id: idOf(change)}))
  const {rows} = await run(lock ? lockVersions : readVersions, [project, toStored(places)])
  return new Map(
    rows.map(([kind, id, version, claims]) => [
      placeOf(restored(kind ?? ''), restored(id ?? '')),
      {version: Number(version), claims: claims ? (fromStored(claims) as Claim[]) : []},
    ]),
  )
}

/** Throws VersionMoved for the first document that is not at the version its change expects. */
export function checkVersions(changes: readonly Change[], found: ReadonlyMap<string, Stored>): void {
  for (const change of changes) {
    const id = idOf(change)
    const current = found.get(placeOf(change.kind, id))?.version ?? 0
    if (current !== change.expect) throw new VersionMoved(change.kind, id, change.expect, current)
  }
}

export function facetsOf(facets: Facets, kind: string, document: Document): Record<string, string> | undefined {
  const functions = Object.hasOwn(facets, kind) ? facets[kind] : undefined
  if (!functions) return undefined
  const values = Object.entries(functions).flatMap(([name, of]) => {
    const value = of(document)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(values)
}

/** A row as JSON, put together from the JSON of its parts. */
function rowOf(change: Change, facets: Facets): string {
  const head = `{"kind":${toStored(change.kind)},"id":${toStored(idOf(change))},"expect":${change.expect}`
  if (!isPut(change)) return `${head}}`
  const {kind, doc, claims = []} = change
  const derived = facetsOf(facets, kind, doc)
  return (
    `${head},"version":${doc.version},"doc":${toStored(doc)}` +
    `${derived ? `,"facets":${toStored(derived)}` : ''}${claims.length > 0 ? `,"claims":${toStored(claims)}` : ''}}`
  )
}

/** Rows as JSON arrays of a size that a statement can carry. */
function* arraysOf(rows: Iterable<string>): Generator<{readonly json: string; readonly count: number}> {
  let part: string[] = []
  let length = 0
  for (const row of rows) {
    if (part.length > 0 && length + row.length > maxCharacters) {
      yield {json: `[${part.join(',')}]`, count: part.length}
      part = []
      length = 0
    }
    part.push(row)
    length += row.length
  }
  if (part.length > 0) yield {json: `[${part.join(',')}]`, count: part.length}
}

/**
 * Writes documents and counts. Throws Again if one is not as it was read; a document that came into being meanwhile
 * shows as a duplicate.
 */
export async function write(
  {run, connection}: Transaction,
  project: string,
  changes: readonly Change[],
  facets: Facets,
): Promise<void> {
  const send = async (statement: Statement, some: readonly Change[]): Promise<void> => {
    const rows = some.map((change) => rowOf(change, facets))
    const answers = [...arraysOf(rows)].map(async ({json, count}) => {
      const written = await run(statement, [project, json])
      if (written.count !== count) throw new Again()
    })
    await Promise.all(answers)
  }
  const grown = [...growth(changes)].filter(([, by]) => by !== 0).map(([kind, by]) => ({kind, grown: by}))
  await Promise.all([
    send(removeDocuments, changes.filter(isRemoval)),
    send(
      updateDocuments,
      changes.filter((change) => isPut(change) && change.expect > 0),
    ),
    send(
      insertDocuments,
      changes.filter((change) => isPut(change) && change.expect === 0),
    ),
    // Last, since other commits of this connection's part wait for it.
    ...(grown.length > 0 ? [run(addToTally, [project, toStored(grown), connection % tallyParts])] : []),
  ])
}

/** Rows that the count of a kind is spread over. */
const tallyParts = 64

/** How many documents more there will be, by kind. */
function growth(changes: readonly Change[]): Map<string, number> {
  const grown = new Map<string, number>()
  for (const change of changes) {
    const by = isRemoval(change) ? -1 : change.expect === 0 ? 1 : 0
    grown.set(change.kind, (grown.get(change.kind) ?? 0) + by)
  }
  return grown
}
