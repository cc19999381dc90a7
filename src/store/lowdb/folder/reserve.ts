import {join} from 'node:path'
import {type Files, hasCode, writeAll} from '../file/files.js'

const fullDisk = ['ENOSPC', 'EDQUOT']

export const reserveName = 'BALLAST'
const reserveBytes = 1 << 20
const chunkBytes = 1 << 14

/** Reserves 1 MiB of disk space, or what is left, to be released when the disk is full. */
export async function keepReserve(files: Files, directory: string): Promise<void> {
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
export async function withReserve<T>(files: Files, directory: string, task: () => Promise<T>): Promise<T> {
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
