import {randomBytes} from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
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

/**
 * Files that only their owner can reach: 0600 in folders of 0700 from the moment they exist, whatever the umask, and
 * never through a symbolic link. All calls block, since the files are small. Errors are StateErrors: StatePermissions for
 * what others can reach, StateUnusable for what is no regular file or a disk that is full. `openPrivate` and
 * `createPrivate`, which also take paths that the user named, pass other errors of the operating system unchanged.
 */

// Windows has neither links of this kind nor owners by number.
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

/** What is asked of a file or folder to tell who can reach it. */
export interface Ownership {
  readonly mode: number
  readonly uid: number
  readonly kind: 'file' | 'directory' | 'other'
}

const ownershipOf = (stats: Stats): Ownership => ({
  mode: stats.mode,
  uid: stats.uid,
  kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other',
})

/** Throws StatePermissions for what another user owns, can read or can change. Where users have no numbers it checks nothing. */
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
    {
      cause,
    },
  )

/** How a private file is opened. `append` makes it if need be; it is then readable too. */
export interface Opening {
  readonly access?: 'read' | 'append'
  /** For a path that the user named: a link is followed, since secrets are often mounted as links. */
  readonly followLinks?: boolean
  /** For a path that the user named: a pipe or a device is taken too; it is private to whoever made it. */
  readonly allowPipes?: boolean
}

/** Opens a file after looking who can reach it. The caller closes it. */
export function openPrivate(path: string, {access = 'read', followLinks, allowPipes}: Opening = {}): number {
  const way = access === 'read' ? O_RDONLY : O_RDWR | O_APPEND | O_CREAT
  // Without O_NONBLOCK a fifo in the place of a file would block the process for good.
  const flags = way | (followLinks ? 0 : O_NOFOLLOW) | (allowPipes ? 0 : O_NONBLOCK)
  let file: number
  try {
    file = openSync(path, flags, 0o600)
  } catch (error) {
    // FreeBSD says EMLINK where others say ELOOP.
    throw hasCode(error, 'ELOOP', 'EMLINK', 'ENXIO', 'EISDIR') ? notAFile(path, error) : error
  }
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory() || (!stats.isFile() && !allowPipes)) throw notAFile(path)
    // Empty and ours: this call may have made it, under a umask that took the owner's own rights.
    if (access === 'append' && stats.size === 0 && stats.uid === process.getuid?.()) fchmodSync(file, 0o600)
    else if (stats.isFile()) assertPrivate(ownershipOf(stats), path)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** The text of a private file; undefined if there is none. */
export function readPrivate(path: string, opening: Omit<Opening, 'access'> = {}): string | undefined {
  let file: number
  try {
    file = openPrivate(path, opening)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw asStateError(error, path)
  }
  try {
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Writes a file that must not exist yet, not even as a link. Unless told otherwise, it is on the disk when this returns. */
export function createPrivate(path: string, text: string, {durable = true}: {readonly durable?: boolean} = {}): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    fchmodSync(file, 0o600)
    writeWhole(file, text)
    if (durable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writes the whole text at the position of the file, or at its end if it was opened to append. */
export function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
}

/** A name beside the path that nobody else uses. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(6).toString('hex')}.part`

/**
 * Replaces a file as a whole: a reader sees the old text or the new one, also after a crash. Missing folders are made,
 * those that are there are not judged: `privateFolder` does that.
 */
export function replacePrivate(path: string, text: string): void {
  const temporary = temporaryName(path)
  try {
    makeFolder(dirname(path))
    createPrivate(temporary, text)
    renameSync(temporary, path)
    syncFolder(dirname(path))
  } catch (error) {
    removeQuietly(temporary)
    throw asStateError(error, path)
  }
}

/** Removes a file where a failure would be of no interest. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, {force: true})
  } catch {
    // It stays, or was never there.
  }
}

function makeFolder(path: string): void {
  if (mkdirSync(path, {recursive: true, mode: 0o700}) !== undefined) chmodSync(path, 0o700)
}

/** Makes the names in a folder durable. Windows cannot open a folder. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, O_RDONLY | O_DIRECTORY)
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * Makes a folder that only its owner can enter, or checks the one that is there. An empty one of this user's becomes
 * private here, since `mkdir` makes folders that others can list; one with content is the user's to change.
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
  const isLoose = stats.uid === process.getuid?.() && (stats.mode & 0o077) !== 0
  if (isLoose && readdirSync(path).length === 0) chmodSync(path, 0o700)
  else assertPrivate(ownershipOf(stats), path)
  return path
}

/** Whoever may rename in the folder above could put another folder in this place. The sticky bit forbids it (`/tmp`). */
function assertParent(path: string): void {
  if (process.getuid === undefined) return
  const {mode} = statSync(path)
  if ((mode & 0o002) === 0 || (mode & 0o1000) !== 0) return
  const message = `Everybody can change what is in the folder ${path} (${octal(mode)}).`
  throw new StateError('StatePermissions', message, path, `Run: chmod o-w ${quoted(path)}`)
}
