import {isDeepStrictEqual} from 'node:util'
import {idOf} from '../adapter/changes.js'
import type {Change, Document} from '../store.js'
import type {Run} from './connection/connections.js'
import {lockDocument, readUniqueKey} from './schema/statements.js'
import {fromStored, storable} from './schema/text-form.js'
import {type UniqueKeyRow, uniqueKeyChanges} from './unique-key-changes.js'

/** The outcome of a commit whose COMMIT got no reply. */
export type Outcome = 'stored' | 'not stored' | 'unknown'

/**
 * Reads the outcome of a commit. Locks its documents: the database then waits for the commit in question to end and makes
 * it durable, on the standby too, before the transaction of `run`.
 *
 * Documents that the commit created are the evidence, and unique keys that they hold, since no other commit makes them.
 * Where a commit reaches several nodes, its rows appear one node after the other: any of them tells. Without any, a version
 * that another commit has replaced since is inconclusive.
 */
export async function outcomeOf(run: Run, project: string, changes: readonly Change[]): Promise<Outcome> {
  const replaced = changes.filter(({expect}) => expect > 0)
  const inserted = changes.filter(({expect}) => expect === 0)
  const look = async (change: Change): Promise<Outcome> => {
    const {rows} = await run(lockDocument, [project, change.kind, idOf(change)].map(storable))
    const [version, doc] = rows[0] ?? []
    return traceOf(change, version ? {version: Number(version), doc: fromStored(doc ?? '') as Document} : undefined)
  }
  const holds = async ({kind, key, holder}: UniqueKeyRow): Promise<Outcome> => {
    const {rows} = await run(readUniqueKey, [project, kind, key].map(storable))
    return rows[0]?.[2] === storable(holder) ? 'stored' : 'unknown'
  }
  // Sent in this order, so that those which were made are looked for when nobody writes the others any more.
  const [ofReplaced, ofInserted, ofKeys] = await Promise.all([
    Promise.all(replaced.map(look)),
    Promise.all(inserted.map(look)),
    Promise.all(uniqueKeyChanges(changes, inserted).take.map(holds)),
  ])
  if ([...ofInserted, ...ofKeys].includes('stored')) return 'stored'
  if (ofReplaced.includes('stored')) return inserted.length === 0 ? 'stored' : 'unknown'
  return [...ofInserted, ...ofReplaced].find((outcome) => outcome !== 'unknown') ?? 'unknown'
}

/** The evidence of one document. */
function traceOf(change: Change, found: {readonly version: number; readonly doc: Document} | undefined): Outcome {
  if (!('doc' in change)) return found ? 'not stored' : 'unknown'
  if (!found) return change.expect === 0 ? 'not stored' : 'unknown'
  if (found.version > change.doc.version) return change.expect === 0 ? 'stored' : 'unknown'
  // As JSON, without what it does not carry.
  const sent: unknown = JSON.parse(JSON.stringify(change.doc))
  return found.version === change.doc.version && isDeepStrictEqual(found.doc, sent) ? 'stored' : 'not stored'
}
