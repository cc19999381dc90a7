import {join} from 'node:path'
import type {Files} from '../file/files.js'
import {readSealed, replaceSealed} from '../file/sealed-file.js'

export const restoreName = 'RESTORING.json'

/** Marker of a restore in progress: it moves the present state to a new snapshot, then copies the old one in. */
export interface Restore {
  readonly name: string
  readonly kept: string
  readonly phase: 'moving' | 'copying'
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
