import {join} from 'node:path'
import {StateError} from '../../../domain/errors.js'
import type {Files} from '../file/files.js'
import {adoptDirectory} from '../file/private.js'
import {readSealed, replaceSealed} from '../file/sealed-file.js'

/** After an interrupted restore, only restore, repair and erase may use a folder. */
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

export const restoreName = 'RESTORING.json'

/** Marker of a restore in progress: it moves the present state to a new snapshot, then puts a copy of the old one in place. */
export interface Restore {
  readonly name: string
  readonly kept: string
  readonly phase: 'moving' | 'placing'
}

export const writeRestore = (files: Files, dir: string, restore: Restore, nonce: string): Promise<void> =>
  replaceSealed(files, join(dir, restoreName), restore, nonce)

export const readRestore = async (files: Files, dir: string): Promise<Restore | undefined> =>
  (await readSealed(files, join(dir, restoreName))) as Restore | undefined

export async function endRestore(files: Files, dir: string): Promise<void> {
  await files.syncDirectory(dir)
  await files.unlink(join(dir, restoreName))
  await files.syncDirectory(dir)
}
