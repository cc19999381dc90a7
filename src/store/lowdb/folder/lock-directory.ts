import {dirname, join} from 'node:path'
import {asStateError} from '../../../files/file-errors.js'
import type {ServerOrigins} from '../../opened-store.js'
import {type Files, hasCode, writeAll} from '../file/files.js'
import {adoptDirectory} from '../file/private.js'
import {assertUsable, catalogueName, type Use} from './catalogue.js'
import {Lock, type LockRequest} from './lock.js'

export interface DirectoryLock {
  /** The fence: throws StateLocked once another process has taken over the lock. */
  readonly check: () => void
  publish(...addresses: ServerOrigins): Promise<void>
  release(): Promise<void>
}

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
    const isReserved = purpose !== 'server' && use !== 'repair' && use !== 'erase'
    await (isReserved ? keepReserve : releaseReserve)(files, directory)
    const publish = async (...addresses: ServerOrigins): Promise<void> => {
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
    if (!hasCode(error, ...fullDisk)) await files.unlink(path)
  }
}

export async function releaseReserve(files: Files, directory: string): Promise<void> {
  await files.unlink(join(directory, reserveName))
}

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
