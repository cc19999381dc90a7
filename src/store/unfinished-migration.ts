import {StateError} from '../domain/errors.js'
import {type Document, REALM, type Store} from './store.js'

/** Stands in the target of a migration until everything has been copied and compared. */
export interface MigrationMark extends Document {
  readonly source: string
  /** The last document that was certainly copied, and those of the projects before. */
  readonly project?: string
  readonly kind?: string
  readonly last?: string
}

export const markKind = 'store-migration'
export const markId = 'unfinished'

/** What is said of a state of which only a part has been copied. */
export const unfinishedMigration = ({source}: Pick<MigrationMark, 'source'>, label: string): StateError =>
  new StateError(
    'StateCorrupt',
    `Only a part of the state of ${source} has been copied to ${label}.`,
    label,
    `Run 'frontdesk server migrate-store' between the two again, or 'frontdesk server reset' to give it up.`,
  )

/** Refuses a state that is the target of a migration which was not finished. */
export async function refuseUnfinishedMigration(store: Store, label: string): Promise<void> {
  const mark = await store.get<MigrationMark>(REALM, markKind, markId)
  if (mark) throw unfinishedMigration(mark, label)
}
