import {StateError} from '../../../domain/errors.js'
import type {Files} from '../file/files.js'
import {adoptDirectory} from '../file/private.js'
import {readRestore} from './unfinished-restore.js'

/**
 * The use of a folder of state. After an interrupted restore, only restore, repair and erase may use it.
 */
export type Use = 'read' | 'write' | 'repair' | 'restore' | 'erase'

/** Throws for a folder that others can access, and for one with an unfinished restore. */
export async function assertUsable(files: Files, directory: string, use: Use): Promise<void> {
  await adoptDirectory(files, directory)
  if (use === 'restore' || use === 'erase') return
  const restore = await readRestore(files, directory)
  if (!restore) return
  throw new StateError(
    'StateCorrupt',
    `Restoring the snapshot ${restore.name} of ${directory} was interrupted.`,
    directory,
    `Run 'frontdesk server snapshot restore ${restore.name}' again; what was there before is in the snapshot ${restore.kept}.`,
  )
}
