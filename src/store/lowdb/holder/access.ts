import {StateError} from '../../../domain/errors.js'
import type {Files} from '../format/files.js'
import {adoptDirectory} from '../format/private.js'
import {readRestore} from '../maintenance/unfinished-restore.js'

/**
 * What a folder of state is to be used for. A restore or a repair may take what an interrupted restore left, and so may
 * erasing; reading and writing may not.
 */
export type Use = 'read' | 'write' | 'repair' | 'restore' | 'erase'

/** Refuses a folder that others can reach, and one whose state is half of one thing and half of another. */
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
