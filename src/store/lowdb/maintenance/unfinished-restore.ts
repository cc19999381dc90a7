import {join} from 'node:path'
import {type Files, readAll, writeNew} from '../format/files.js'
import {openPrivate} from '../format/private.js'
import {parsedWithChecksum, withChecksum} from '../format/record.js'

export const restoreName = 'RESTORING.json'

/** Marker of a restore in progress: it moves the present state to a new snapshot, then copies the old one in. */
export interface Restore {
  readonly name: string
  readonly kept: string
  readonly phase: 'moving' | 'copying'
}

export async function writeRestore(files: Files, dir: string, restore: Restore, nonce: string): Promise<void> {
  const next = join(dir, `${restoreName}.${nonce}`)
  await writeNew(files, next, `${withChecksum(JSON.stringify(restore))}\n`)
  await files.rename(next, join(dir, restoreName))
  await files.syncDirectory(dir)
}

export async function readRestore(files: Files, dir: string): Promise<Restore | undefined> {
  const path = join(dir, restoreName)
  if (!(await files.stat(path))) return undefined
  const {fd, size} = await openPrivate(files, path, 'read')
  try {
    return parsedWithChecksum(readAll(files, fd, 0, size), path) as Restore
  } finally {
    await files.close(fd)
  }
}

export async function endRestore(files: Files, dir: string): Promise<void> {
  await files.syncDirectory(dir)
  await files.unlink(join(dir, restoreName))
  await files.syncDirectory(dir)
}
