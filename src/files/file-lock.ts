import {randomBytes} from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {StateError} from '../domain/errors.js'
import {hasCode} from './file-errors.js'
import {createPrivate, notAFile} from './private-file.js'
import {type Liveness, liveness, type ProcessIdentity, parsedIdentity, thisProcess} from './process-identity.js'

/**
 * A lock between processes: a file that names its holder. It stands in a private folder.
 *
 * A free lock is taken by linking a complete file to its name, which one of many succeeds in. A stale lock is never
 * removed first, since a slower taker would then remove the lock of a faster one: the right to replace it is itself such
 * a link, named after the stale holder, and whoever has it looks again before replacing. A taker that died on the way is
 * followed in the same manner.
 */

/** What a lock file says. */
export interface Found {
  /** Who holds it; undefined if no release of ours wrote the file as it is. */
  readonly holder: ProcessIdentity | undefined
  /** Tells this file from others that stood under the same name. */
  readonly nonce: string
  readonly ageMs: number
}

/** The calls that the lock makes, each of them atomic; a test makes others happen between them. */
export interface LockDisk {
  /** A new file; throws if the name is taken. */
  create(path: string, text: string): void
  /** A second name. False: it is taken. */
  link(from: string, to: string): boolean
  rename(from: string, to: string): void
  /** A file that is gone is no error. */
  remove(path: string): void
  read(path: string): Found | undefined
  list(folder: string): readonly string[]
}

export interface LockOptions {
  readonly disk?: LockDisk
  /** Whether a lock may be taken from whoever it names. By default: if that process does not run. */
  readonly isStale?: (found: Found) => boolean
}

export interface FileLock {
  /** Gives the lock back, unless somebody else has taken it. */
  release(): void
}

const {O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0} = constants

/** The disk of this machine. */
export const lockDisk: LockDisk = {
  // A lock outlives no power cut, so nothing waits for the disk.
  create: (path, text) => createPrivate(path, text, {durable: false}),
  link(from, to) {
    try {
      linkSync(from, to)
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false
      throw error
    }
  },
  rename: renameSync,
  remove: (path) => rmSync(path, {force: true}),
  read: readLock,
  list: readdirSync,
}

function readLock(path: string): Found | undefined {
  let file: number
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw hasCode(error, 'ELOOP', 'EMLINK', 'ENXIO') ? notAFile(path, error) : error
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw notAFile(path)
    return {
      ...parsedLock(readFileSync(file, 'utf8'), `${stats.ino}-${Math.trunc(stats.mtimeMs)}`),
      ageMs: Date.now() - stats.mtimeMs,
    }
  } finally {
    closeSync(file)
  }
}

/** A text that is not ours counts as held by nobody; it is told apart by the file that it stands in. */
function parsedLock(text: string, fileId: string): Pick<Found, 'holder' | 'nonce'> {
  try {
    const value = JSON.parse(text) as {readonly nonce?: unknown} | null
    const holder = parsedIdentity(value)
    // The nonce becomes part of a file name.
    if (holder && typeof value?.nonce === 'string' && /^[\w-]{1,64}$/.test(value.nonce))
      return {holder, nonce: value.nonce}
  } catch {
    // Falls through: no release of ours wrote it.
  }
  return {holder: undefined, nonce: fileId}
}

/** Whether nobody who could be seen from here holds the lock. */
export const isAbandoned = ({holder}: Found): boolean => holder === undefined || livenessOf({holder}) === 'dead'

/** Whether the holder of a lock runs; nobody holds a file that no release of ours wrote. */
export const livenessOf = ({holder}: Pick<Found, 'holder'>): Liveness => (holder ? liveness(holder) : 'dead')

/** Tries once to take the lock: the lock, or who is in the way. Its folder exists. */
export function tryLock(path: string, {disk = lockDisk, isStale = isAbandoned}: LockOptions = {}): FileLock | Found {
  const first = disk.read(path)
  if (first && !isStale(first)) return first
  const nonce = randomBytes(9).toString('base64url')
  const candidate = `${path}-${nonce}`
  disk.create(candidate, JSON.stringify({...thisProcess(), nonce}))
  try {
    const other = first
      ? takeOver({disk, isStale}, path, candidate, first)
      : disk.link(candidate, path)
        ? undefined
        : (disk.read(path) ?? {holder: undefined, nonce: '', ageMs: 0})
    if (other) return other
  } finally {
    disk.remove(candidate)
  }
  removeRemains(disk, path)
  return {
    release: () => {
      if (disk.read(path)?.nonce === nonce) disk.remove(path)
    },
  }
}

/** Replaces a stale lock by the candidate; returns who was faster, if somebody was. */
function takeOver(
  {disk, isStale}: Required<LockOptions>,
  path: string,
  candidate: string,
  stale: Found,
): Found | undefined {
  const passed = [{at: path, nonce: stale.nonce}]
  let claim = `${path}.${stale.nonce}`
  while (!disk.link(candidate, claim)) {
    const other = disk.read(claim)
    if (!other || !isStale(other)) return other ?? stale
    passed.push({at: claim, nonce: other.nonce})
    claim = `${path}.${other.nonce}`
  }
  // As long as the claim is ours nobody else replaces what it names; before it was, somebody may have.
  for (const {at, nonce} of passed) {
    const now = disk.read(at)
    if (now?.nonce === nonce) continue
    disk.remove(claim)
    return now ?? stale
  }
  disk.rename(candidate, path)
  for (const {at} of passed.slice(1)) disk.remove(at)
  disk.remove(claim)
  return undefined
}

/** Removes what takers left that died on their way. Those alive look again before they act, so theirs may stay. */
function removeRemains(disk: LockDisk, path: string): void {
  const folder = dirname(path)
  const name = basename(path)
  for (const entry of disk.list(folder)) {
    if (!entry.startsWith(`${name}.`) && !entry.startsWith(`${name}-`)) continue
    const found = readable(disk, join(folder, entry))
    if (found?.holder && livenessOf(found) === 'dead') disk.remove(join(folder, entry))
  }
}

/** What a file says, or nothing where it is none: it is not ours to remove then. */
function readable(disk: LockDisk, path: string): Found | undefined {
  try {
    return disk.read(path)
  } catch {
    return undefined
  }
}

export interface Waiting extends LockOptions {
  /** How long to wait for others. */
  readonly timeoutMs?: number
  /** Blocks for so long. */
  readonly pause?: (ms: number) => void
}

const pauseMs = 10

/** Runs a short task while no other process runs one under the same lock. Blocks; throws StateLocked after the time. */
export function withLock<T>(
  path: string,
  task: () => T,
  {timeoutMs = 2000, pause = block, ...options}: Waiting = {},
): T {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const lock = tryLock(path, options)
    if ('release' in lock) {
      try {
        return task()
      } finally {
        lock.release()
      }
    }
    if (waitedMs >= timeoutMs) throw locked(path, lock)
    pause(pauseMs)
  }
}

const block = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function locked(path: string, {holder}: Found): StateError {
  const by = holder === undefined ? 'another process' : `the process ${holder.pid} on ${holder.host}`
  return new StateError('StateLocked', `${path} is held by ${by}.`, path, 'Try again when it has ended.')
}
