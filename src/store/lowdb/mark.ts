import {join} from 'node:path'
import {isSealed, sealed} from './checksum.js'
import {type Files, hasCode, readAll, writeAll} from './files.js'
import {openPrivate} from './private.js'

const markName = 'durable.json'

/** How much of a journal was durable at some moment: if less of it can be read later, commits were lost. */
export interface Mark {
  readonly file: string
  readonly bytes: number
}

/** A mark that did not get to the disk proves nothing, and a missing one is no damage. */
export async function writeMark(files: Files, directory: string, {file, bytes}: Mark): Promise<void> {
  const path = join(directory, markName)
  const content = Buffer.from(`${sealed(JSON.stringify({file, bytes}))}\n`)
  const fd = await files.open(path, (await files.stat(path)) ? 'write' : 'create')
  try {
    await writeAll(files, fd, content, 0)
    await files.truncate(fd, content.length)
  } finally {
    await files.close(fd)
  }
}

export async function readMark(files: Files, directory: string): Promise<Mark | undefined> {
  try {
    const {fd, size} = await openPrivate(files, join(directory, markName), 'read')
    try {
      const content = readAll(files, fd, 0, size)
      return isSealed(content.subarray(0, -1)) ? (JSON.parse(content.toString()) as Mark) : undefined
    } finally {
      await files.close(fd)
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
