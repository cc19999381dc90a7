import {randomBytes} from 'node:crypto'
import {constants} from 'node:fs'
import {mkdir, open, rename, unlink} from 'node:fs/promises'
import {dirname} from 'node:path'
import {StateError} from '../domain/errors.js'
import {asStateError} from '../store/lowdb/failures.js'

/** Files with secrets: readable by their owner only, whatever the umask, never through a link. */

/** Creates the folder with 0700 if it is not there. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, {recursive: true, mode: 0o700})
}

/**
 * Writes beside the file and renames over it, so that a reader sees the old text or the new one. Throws StateError, as for
 * a disk that is full.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  try {
    await replace(path, text)
  } catch (error) {
    throw asStateError(error, path)
  }
}

async function replace(path: string, text: string): Promise<void> {
  await privateFolder(dirname(path))
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  )
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    await unlink(temporary)
    throw error
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}

/** The text of a file with secrets, or nothing if it does not exist. Throws StatePermissions if others may read it. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new StateError('StatePermissions', `${path} cannot be read.`, path, 'Remove it, or make it a file of yours', {
      cause: error,
    })
  }
  try {
    const {mode, uid} = await file.stat()
    const mine = process.getuid === undefined || uid === process.getuid()
    if ((mode & 0o077) !== 0 || !mine) {
      throw new StateError('StatePermissions', `${path} can be read by others.`, path, `Run: chmod 600 '${path}'`)
    }
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
