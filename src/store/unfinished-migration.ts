import {StateError} from '../domain/errors.js'
import {type Document, REALM, type Store} from './store.js'

/** Stands in the target of a migration until everything has been copied and compared. */
export interface MigrationMarker extends Document {
  readonly source: string
  /** The last document that is known to be copied, as are all before it. */
  readonly project?: string
  readonly kind?: string
  readonly last?: string
}

export const markerKind = 'store-migration'
export const markerId = 'unfinished'

export function unfinishedMigration({source}: Pick<MigrationMarker, 'source'>, label: string): StateError {
  const message = `Only a part of the state of ${source} has been copied to ${label}.`
  const end = "Run 'frontdesk server migrate-store' between the two again, or 'frontdesk server reset' to give it up."
  return new StateError('StateCorrupt', message, label, end)
}

export async function refuseUnfinishedMigration(store: Store, label: string): Promise<void> {
  const marker = await store.get<MigrationMarker>(REALM, markerKind, markerId)
  if (marker) throw unfinishedMigration(marker, label)
}
