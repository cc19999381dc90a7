import {randomBytes} from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import {dirname} from 'node:path'
import {Failure} from './failure.js'

/** Files that only their owner may read: 0600 from the moment they exist, whatever the umask says. */

const {O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY, O_RDONLY, O_NONBLOCK} = constants

/** The permissions as `chmod` writes them. */
const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

/** Reads a file that may hold secrets. Absent: undefined. Readable by others or owned by another user: refused. */
export function readPrivate(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const {mode, uid} = fstatSync(file)
    if ((mode & 0o170000) !== 0o100000) throw unsafe(path, 'is not a regular file', `Replace ${path} by a file.`)
    if ((mode & 0o077) !== 0) throw unsafe(path, `can be read by others (${octal(mode)})`, `Run: chmod 600 ${path}`)
    if (process.getuid !== undefined && uid !== process.getuid() && process.getuid() !== 0) {
      throw unsafe(path, 'belongs to another user', `Use a file of your own instead of ${path}.`)
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

const unsafe = (path: string, what: string, hint: string): Failure =>
  new Failure('localState', 'UnsafePermissions', `The file ${path} ${what}.`, {hints: [hint]})

/** Creates a folder that only its owner may enter. */
export function privateFolder(path: string): string {
  mkdirSync(path, {recursive: true, mode: 0o700})
  return path
}

/** Replaces a file as a whole: a reader sees the old text or the new one, also after a crash. */
export function writePrivate(path: string, text: string): void {
  privateFolder(dirname(path))
  const temporary = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    writeNew(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, {force: true})
    throw error
  }
}

/** Writes a file that must not exist yet; a link in its place is refused too. */
export function writeNew(path: string, text: string): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    fchmodSync(file, 0o600)
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
