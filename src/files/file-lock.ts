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
import {StateError} from '../domain/errors.js'
import {hasCode} from './file-errors.js'
import {acquiring, runAtOnce} from './lock-protocol.js'
import {createPrivate, notAFile} from './private-file.js'
import {type Liveness, liveness, type ProcessIdentity, parsedIdentity, thisProcess} from './process-identity.js'

/** A lock between processes that is taken at once: a file in a private folder. */

export interface LockContent {
  /** The holder; undefined if the file has no format of ours. */
  readonly holder: ProcessIdentity | undefined
  /** Distinguishes this file from earlier ones of the same name. */
  readonly nonce: string
  readonly ageMs: number
}

/** The file operations of the lock, each atomic; tests interleave others between them. */
export interface LockDisk {
  /** A new file; throws if the name is taken. */
  create(path: string, text: string): void
  /** Links a file to a second name; false if the name exists. */
  link(from: string, to: string): boolean
  rename(from: string, to: string): void
  /** Removes a file; a missing one is no error. */
  remove(path: string): void
  read(path: string): LockContent | undefined
  list(folder: string): readonly string[]
}

export interface LockOptions {
  readonly disk?: LockDisk
  /** Whether a lock is stale; `isAbandoned` if absent. */
  readonly isStale?: (found: LockContent) => boolean
}

export interface FileLock {
  /** Releases the lock, unless another process has taken it over. */
  release(): void
}

const {O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0} = constants

/** The file operations of the real disk. */
export const lockDisk: LockDisk = {
  // A lock need not survive a power cut, so it is not synced.
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

function readLock(path: string): LockContent | undefined {
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
    // A file of the future is one from before the clock went back: nobody knows its age, and waits for no such one.
    const ageMs = Math.abs(Date.now() - stats.mtimeMs)
    return {ageMs, ...parsedLock(readFileSync(file, 'utf8'), `${stats.ino}-${Math.trunc(stats.mtimeMs)}`)}
  } finally {
    closeSync(file)
  }
}

/** By the clock of the system that counts from its start and never jumps, which all processes share. */
const sinceBootMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)

/** Parses a lock file. One that is not of our format has no holder, and its file id as the nonce. */
function parsedLock(text: string, fileId: string): Pick<LockContent, 'holder' | 'nonce'> & Partial<LockContent> {
  try {
    const value = JSON.parse(text) as {readonly nonce?: unknown; readonly upMs?: unknown} | null
    const holder = parsedIdentity(value)
    // The nonce becomes part of a file name.
    if (holder && typeof value?.nonce === 'string' && /^[\w-]{1,64}$/.test(value.nonce)) {
      const {bootId} = thisProcess()
      const isOfBoot = bootId !== '' && bootId === holder.bootId && typeof value.upMs === 'number'
      const {nonce, upMs} = value as {readonly nonce: string; readonly upMs: number}
      return {holder, nonce, ...(isOfBoot ? {ageMs: Math.max(0, sinceBootMs() - upMs)} : {})}
    }
  } catch {
    // Not JSON: not of our format.
  }
  return {holder: undefined, nonce: fileId}
}

/**
 * A task under a lock takes milliseconds, so a lock of this age was left behind by a holder that is not known to run.
 */
const unseenMs = 30_000

/** Whether no process can be at work under the lock. */
export function isAbandoned(found: LockContent): boolean {
  const state = livenessOf(found)
  return state === 'dead' || (state === 'unknown' && found.ageMs > unseenMs)
}

/** Whether the holder of a lock runs; `unknown` for a file that is not of our format. */
export const livenessOf = ({holder}: Pick<LockContent, 'holder'>): Liveness => (holder ? liveness(holder) : 'unknown')

/** Tries once to acquire the lock; returns the lock or its present holder. The folder must exist. */
export function tryLock(
  path: string,
  {disk = lockDisk, isStale = isAbandoned}: LockOptions = {},
): FileLock | LockContent {
  const nonce = randomBytes(9).toString('base64url')
  const files = {
    ...disk,
    create: (at: string) => disk.create(at, JSON.stringify({...thisProcess(), nonce, upMs: sinceBootMs()})),
    isDead: isStale,
    isLeft: (at: string) => {
      const found = readable(disk, at)
      return found !== undefined && livenessOf(found) === 'dead'
    },
  }
  const outcome = runAtOnce(acquiring(files, path, nonce))
  if (outcome !== 'acquired') return outcome.other ?? {holder: undefined, nonce: '', ageMs: 0}
  return {
    release: () => {
      if (disk.read(path)?.nonce === nonce) disk.remove(path)
    },
  }
}

/** The content of a lock file; undefined for anything but a regular file, which is never removed. */
function readable(disk: LockDisk, path: string): LockContent | undefined {
  try {
    return disk.read(path)
  } catch {
    return undefined
  }
}

export interface Waiting extends LockOptions {
  /** How long to wait for the lock. */
  readonly timeoutMs?: number
  /** Blocks for some milliseconds. */
  readonly pause?: (ms: number) => void
}

const pauseMs = 10

/** Runs a short task under the lock. Blocks while another process holds it; throws StateLocked after the timeout. */
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

function locked(path: string, {holder}: LockContent): StateError {
  const by = holder === undefined ? 'another process' : `the process ${holder.pid} on ${holder.host}`
  return new StateError('StateLocked', `${path} is held by ${by}.`, path, 'Try again when it has ended.')
}
