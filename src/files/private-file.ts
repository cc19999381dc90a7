import {randomBytes} from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {StateError} from '../domain/errors.js'
import {asStateError, hasCode, quoted} from './file-errors.js'
import {makeFolders} from './folders.js'

/**
 * Files that only their owner can access: created with mode 0600 in folders of 0700, whatever the umask, and never
 * opened through a symbolic link. All calls are synchronous, since the files are small. Errors are StateErrors:
 * StatePermissions for files that others can access, StateUnusable for anything but a regular file and for a full disk.
 * `openPrivate` and `createPrivate`, which also take paths from the user, pass other system errors unchanged.
 */

// Undefined on Windows, which has neither these flags nor numeric owners.
const {
  O_APPEND,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_RDWR,
  O_WRONLY,
  O_NOFOLLOW = 0,
  O_NONBLOCK = 0,
  O_DIRECTORY = 0,
} = constants

export interface Ownership {
  readonly mode: number
  readonly uid: number
  readonly kind: 'file' | 'directory' | 'other'
}

export const ownershipOf = (stats: Stats): Ownership => ({
  mode: stats.mode,
  uid: stats.uid,
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other',
})

/** Throws StatePermissions if another user owns, can read or can change it. Checks nothing on Windows. */
export function assertPrivate({mode, uid, kind}: Ownership, path: string): void {
  const me = process.getuid?.()
  if (me === undefined) return
  const [what, wanted] = kind === 'directory' ? ['folder', '700'] : ['file', '600']
  if (uid !== me) {
    const message = `The ${what} ${path} belongs to another user.`
    throw new StateError('StatePermissions', message, path, `Run: chown ${me} ${quoted(path)}`)
  }
  if ((mode & 0o077) === 0) return
  const can = (mode & 0o022) === 0 ? 'read' : 'read or changed'
  const message = `The ${what} ${path} can be ${can} by others (${octal(mode)}).`
  throw new StateError('StatePermissions', message, path, `Run: chmod ${wanted} ${quoted(path)}`)
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

export const notAFile = (path: string, cause?: unknown): StateError =>
  new StateError(
    'StateUnusable',
    `${path} is not a regular file.`,
    path,
    'Move it away, or choose another directory.',
    {cause},
  )

/** How a private file is opened. `append` creates a missing file, and allows reading as well. */
export interface OpenOptions {
  readonly access?: 'read' | 'append'
  /** For paths from the user: follows symbolic links, since secrets are often mounted as links. */
  readonly followLinks?: boolean
  /** For paths from the user: also accepts a pipe or a device, which is private to its creator. */
  readonly allowPipes?: boolean
}

/** Opens a file and checks who can access it. The caller closes it. */
export function openPrivate(path: string, {access = 'read', followLinks, allowPipes}: OpenOptions = {}): number {
  const way = access === 'read' ? O_RDONLY : O_RDWR | O_APPEND | O_CREAT
  // Without O_NONBLOCK a fifo at the path would block the process forever.
  const flags = way | (followLinks ? 0 : O_NOFOLLOW) | (allowPipes ? 0 : O_NONBLOCK)
  let file: number
  try {
    file = openSync(path, flags, 0o600)
  } catch (error) {
    // FreeBSD reports EMLINK instead of ELOOP.
    throw hasCode(error, 'ELOOP', 'EMLINK', 'ENXIO', 'EISDIR') ? notAFile(path, error) : error
  }
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory() || (!stats.isFile() && !allowPipes)) throw notAFile(path)
    // Empty and owned by us: this call may have created it under a umask that removes the owner's own permissions.
    if (access === 'append' && stats.isFile() && stats.size === 0 && stats.uid === process.getuid?.())
      fchmodSync(file, 0o600)
    else if (stats.isFile()) assertPrivate(ownershipOf(stats), path)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** The text of a private file; undefined if there is none, as below a home that is /dev/null. */
export function readPrivate(path: string, opening: Omit<OpenOptions, 'access'> = {}): string | undefined {
  let file: number
  try {
    file = openPrivate(path, opening)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw asStateError(error, path)
  }
  try {
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Creates a file; throws if the path exists, even as a link. Unless `durable` is false, the file is synced to disk. */
export function createPrivate(path: string, text: string, {durable = true}: {readonly durable?: boolean} = {}): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    fchmodSync(file, 0o600)
    writeWhole(file, text, path)
    if (durable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writes the whole text at the position of the file, or at its end if it was opened to append. An error names the path. */
export function writeWhole(file: number, text: string, path: string): void {
  const bytes = Buffer.from(text)
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
  } catch (error) {
    throw Object.assign(error as Error, {path})
  }
}

/** A unique name in the same folder; `temporaryForm` tells such names from others. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(6).toString('hex')}.part`
export const temporaryForm = /\.[0-9a-f]{12}\.part$/

/**
 * Replaces a file atomically: readers see the old or the new text, also after a crash. Creates missing folders, and
 * does not check the permissions of existing ones: `privateFolder` does. What can be had again need not be `durable`: a power
 * cut may then leave a damaged file.
 */
export function replacePrivate(path: string, text: string, {durable = true}: {readonly durable?: boolean} = {}): void {
  const temporary = temporaryName(path)
  try {
    makeFolder(dirname(path))
    createPrivate(temporary, text, {durable})
    renameSync(temporary, path)
    if (durable) syncFolder(dirname(path))
  } catch (error) {
    removeQuietly(temporary)
    throw asStateError(error, path)
  }
}

export function removeQuietly(path: string): void {
  try {
    rmSync(path, {force: true})
  } catch {
    // The file stays, or did not exist.
  }
}

function makeFolder(path: string): void {
  if (makeFolders(path, 0o700) !== undefined) chmodSync(path, 0o700)
}

/** Syncs a folder, so that the names in it are durable. Windows cannot open folders. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, O_RDONLY | O_DIRECTORY)
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * Creates a folder that only its owner can enter, or checks an existing one. An empty folder of this user is made
 * private, since `mkdir` creates folders that others can list; one with content is left for the user to change.
 */
export function privateFolder(path: string): string {
  try {
    makeFolder(path)
  } catch (error) {
    throw asStateError(error, path)
  }
  const stats = lstatSync(path)
  if (!stats.isDirectory()) {
    throw new StateError('StateUnusable', `${path} is not a directory.`, path, 'Move it away, or choose another one.')
  }
  assertParent(dirname(path))
  closeEmpty(path)
  assertPrivate(ownershipOf(lstatSync(path)), path)
  return path
}

/** What is in a folder; nothing where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Makes a folder of this user private, if there is one and nothing is in it. */
export function closeEmpty(path: string): void {
  const stats = lstatSync(path, {throwIfNoEntry: false})
  const isLoose = stats?.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o077) !== 0
  if (isLoose && readdirSync(path).length === 0) chmodSync(path, 0o700)
}

/**
 * Refuses a parent folder that others can write: they could replace this folder, unless its sticky bit is set (`/tmp`).
 */
function assertParent(path: string): void {
  if (process.getuid === undefined) return
  const {mode} = statSync(path)
  if ((mode & 0o002) === 0 || (mode & 0o1000) !== 0) return
  const message = `Everybody can change what is in the folder ${path} (${octal(mode)}).`
  throw new StateError('StatePermissions', message, path, `Run: chmod o-w ${quoted(path)}`)
}
