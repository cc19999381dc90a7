import {dirname, join} from 'node:path'
import {asStateError} from '../../../files/file-errors.js'
import {isProjectName} from '../../store.js'
import {corrupt, type Files, hasCode, unlinkQuietly, writeAll} from '../file/files.js'
import {adoptDirectory, readSealed, replaceSealed} from '../file/private.js'
import {numberOf} from './chain.js'
import {Lock, type LockRequest} from './lock.js'

/*
 * The folder of a state: its projects, whether it may be used, and the lock with the reserve of disk space beside it.
 */

/** Names of the directories of projects, complete or not, ascending. */
export async function projectDirectories(files: Files, directory: string): Promise<string[]> {
  const found: string[] = []
  for (const name of await files.list(directory)) {
    if (isProjectName(name) && (await files.stat(join(directory, name)))?.kind === 'directory') found.push(name)
  }
  return found.sort()
}

/** Names of the projects that have or had state, ascending. Some may be damaged or missing. */
export async function projectsIn(files: Files, directory: string, listed?: readonly string[]): Promise<string[]> {
  const found = new Set(listed ?? (await listedProjects(files, directory)))
  for (const name of await projectDirectories(files, directory)) {
    if ((await files.list(join(directory, name))).some(numberOf)) found.add(name)
  }
  return [...found].sort()
}

export const catalogueName = 'PROJECTS.json'

/** The projects of the catalogue, which must exist; undefined if there is none. */
export async function listedProjects(files: Files, directory: string): Promise<readonly string[] | undefined> {
  return (await readSealed<{projects: readonly string[]}>(files, join(directory, catalogueName)))?.projects
}

export const writeCatalogue = (files: Files, directory: string, projects: Iterable<string>): Promise<void> =>
  replaceSealed(files, join(directory, catalogueName), {projects: [...projects].sort()})

/** After an interrupted restore, only restore and erase may use a folder. */
type Use = 'read' | 'write' | 'repair' | 'restore' | 'erase'

/** Throws for a folder that others can access, and for one with an unfinished restore. */
export async function assertUsable(files: Files, directory: string, use: Use): Promise<void> {
  await adoptDirectory(files, directory)
  if (use === 'restore' || use === 'erase') return
  const {name, kept} = (await readRestore(files, directory)) ?? {}
  if (name === undefined) return
  const remedy = `Run 'frontdesk server snapshot restore ${name}' again; what was there before is in the snapshot ${kept}.`
  throw corrupt(`Restoring the snapshot ${name} of ${directory} was interrupted.`, directory, remedy)
}

export const restoreName = 'RESTORING.json'

/** Marker of a restore in progress: it moves the present state to a new snapshot, then puts a copy of the old one in place. */
export interface Restore {
  readonly name: string
  readonly kept: string
  readonly phase: 'moving' | 'placing'
}

export const writeRestore = (files: Files, dir: string, restore: Restore): Promise<void> =>
  replaceSealed(files, join(dir, restoreName), restore)

const whenDamaged = "Restore a snapshot; 'frontdesk server snapshot list' shows their names."

export const readRestore = (files: Files, dir: string): Promise<Restore | undefined> =>
  readSealed(files, join(dir, restoreName), whenDamaged)

export type DirectoryLock = Pick<Lock, 'check' | 'publish' | 'release'>

/** Becomes the only writer of a directory; creates it if missing. Throws StateLocked and other StateErrors. */
export async function lockDirectory(
  directory: string,
  request: LockRequest & {readonly use?: Use | undefined},
): Promise<DirectoryLock> {
  const {files, purpose, use = 'write'} = request
  let lock: Lock | undefined
  const release = async (): Promise<void> => {
    if (lock && purpose === 'server') await keepReserve(files, directory)
    await lock?.release()
  }
  try {
    await adoptDirectory(files, directory)
    await files.makeDirectory(directory)
    // Whoever made it may have ended before this.
    if (!(await files.stat(join(directory, catalogueName)))) await files.syncDirectory(dirname(directory))
    const held = await withReserve(files, directory, () => Lock.acquire(directory, request))
    lock = held
    await assertUsable(files, directory, use)
    // What a server writes at its start finds room on a full disk, and so does a repair.
    const isReleased = purpose === 'server' || use === 'repair' || use === 'erase'
    await (isReleased ? releaseReserve : keepReserve)(files, directory)
    const publish: DirectoryLock['publish'] = async (...addresses) => {
      await withReserve(files, directory, () => held.publish(...addresses))
      await keepReserve(files, directory)
    }
    return {check: held.check, publish, release}
  } catch (error) {
    await release()
    throw asStateError(error, directory)
  }
}

const fullDisk = ['ENOSPC', 'EDQUOT']

export const reserveName = 'BALLAST'
const reserveBytes = 1 << 20
const chunkBytes = 1 << 14

/** Reserves 1 MiB of disk space, or what is left, to be released when the disk is full. */
async function keepReserve(files: Files, directory: string): Promise<void> {
  const path = join(directory, reserveName)
  const size = (await files.stat(path))?.size
  if (size !== undefined && size >= reserveBytes) return
  try {
    const fd = await files.open(path, size === undefined ? 'create' : 'write')
    try {
      for (let position = size ?? 0; position < reserveBytes; position += chunkBytes) {
        await writeAll(files, fd, Buffer.alloc(Math.min(chunkBytes, reserveBytes - position)), position)
      }
      await files.sync(fd)
    } finally {
      await files.close(fd)
    }
  } catch (error) {
    // The disk is full: the space that was reserved so far stays.
    if (!hasCode(error, ...fullDisk)) await unlinkQuietly(files, path)
  }
}

export const releaseReserve = (files: Files, directory: string): Promise<void> =>
  unlinkQuietly(files, join(directory, reserveName))

/** Runs a task that needs little disk space; on a full disk releases the reserve for it, and restores it afterwards. */
async function withReserve<T>(files: Files, directory: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    if (!hasCode(error, ...fullDisk) || !(await files.stat(join(directory, reserveName)))) throw error
  }
  await releaseReserve(files, directory)
  try {
    return await task()
  } finally {
    await keepReserve(files, directory)
  }
}
