import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {isSealed, sealed} from './checksum.js'
import {corrupt} from './failures.js'
import {type Files, readAll, writeNew} from './files.js'
import {openPrivate} from './private.js'

const restoring = 'RESTORING.json'

/** A restore on its way: what it found is moved to a snapshot of its own, then copies take its place. */
export interface Restore {
  readonly name: string
  readonly kept: string
  readonly phase: 'moving' | 'copying'
}

export async function writeRestore(files: Files, dir: string, restore: Restore, nonce: string): Promise<void> {
  const next = join(dir, `${restoring}.${nonce}`)
  await writeNew(files, next, `${sealed(JSON.stringify(restore))}\n`)
  await files.rename(next, join(dir, restoring))
  await files.syncDirectory(dir)
}

export async function readRestore(files: Files, dir: string): Promise<Restore | undefined> {
  const path = join(dir, restoring)
  if (!(await files.stat(path))) return undefined
  const {fd, size} = await openPrivate(files, path, 'read')
  try {
    const bytes = readAll(files, fd, 0, size)
    if (!isSealed(bytes.subarray(0, -1))) throw corrupt(`${path} is damaged.`, path)
    return JSON.parse(bytes.toString()) as Restore
  } finally {
    await files.close(fd)
  }
}

export async function endRestore(files: Files, dir: string): Promise<void> {
  await files.syncDirectory(dir)
  await files.unlink(join(dir, restoring))
  await files.syncDirectory(dir)
}

/** A state that is half old and half new is not for use. */
export async function refuseUnfinishedRestore(files: Files, dir: string): Promise<void> {
  const restore = await readRestore(files, dir)
  if (!restore) return
  throw new StateError(
    'StateCorrupt',
    `Restoring the snapshot ${restore.name} of ${dir} was interrupted.`,
    dir,
    `Run 'frontdesk server snapshot restore ${restore.name}' again; what was there before is in the snapshot ${restore.kept}.`,
  )
}
