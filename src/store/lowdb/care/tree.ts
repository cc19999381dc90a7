import {join} from 'node:path'
import {type Files, hasCode, readAll, writeAll} from '../file/files.js'
import {openPrivate} from '../file/private.js'

const chunkBytes = 1 << 20

/** Links an immutable file, or copies it if the file system has no hard links. */
export async function share(files: Files, from: string, to: string): Promise<void> {
  try {
    await files.link(from, to)
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP')) throw error
    await copy(files, from, to)
  }
}

async function copy(files: Files, from: string, to: string): Promise<void> {
  const source = await openPrivate(files, from, 'read')
  try {
    const target = await files.open(to, 'create')
    try {
      for (let position = 0; position < source.size; position += chunkBytes) {
        await writeAll(files, target, readAll(files, source.fd, position, chunkBytes), position)
      }
      await files.sync(target)
    } finally {
      await files.close(target)
    }
  } finally {
    await files.close(source.fd)
  }
}

/** Removes a directory tree. */
export async function removeTree(files: Files, path: string): Promise<void> {
  for (const name of await files.list(path)) {
    const inside = join(path, name)
    if ((await files.stat(inside))?.kind === 'directory') await removeTree(files, inside)
    else await files.unlink(inside)
  }
  await files.removeDirectory(path)
}
