import {join} from 'node:path'
import {defined} from '../../../domain/equal.js'
import {StateError} from '../../../domain/errors.js'
import {acquiring, type LockFiles, type LockOutcome, runSteps} from '../../../files/lock-protocol.js'
import {
  type Liveness,
  type ProcessIdentity,
  parsedIdentity,
  thisProcess as thisIdentity,
} from '../../../files/process-identity.js'
import type {ServerOrigins} from '../../opened-store.js'
import {lockLost} from '../file/failures.js'
import {type Files, hasCode, readAll, writeAll} from '../file/files.js'
import {ifThere, withFile} from '../file/private.js'
import {checksumOf} from '../file/sealed-file.js'

export const lockName = 'LOCK'

/** The environment of the lock; a test replaces it to run every order of events. */
export interface LockWorld {
  readonly files: Files
  readonly liveness: (holder: Holder) => Liveness
  /** Takes over the lock of a process in another container or on another machine, which may still run. */
  readonly force?: boolean
}

/** The holder that a lock file names; undefined if there is no lock file. */
export const readHolder = (files: Files, path: string): Promise<Holder | undefined> =>
  ifThere(withFile(files, path, (fd, size) => holderIn(readAll(files, fd, 0, size))))

/** A lock file that this process holds. It is kept open, so that no other file can get its identity. */
interface Held {
  readonly fd: number
  readonly identity: string | undefined
}

async function linked(files: Files, from: string, to: string): Promise<boolean> {
  try {
    await files.link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Tries once to become the holder; returns the lock file, or the present holder: this process if that has ended. */
async function tryLock({files, liveness, force}: LockWorld, directory: string, me: Holder): Promise<Held | Holder> {
  let held: Held | undefined
  const lockFiles: LockFiles<Holder> = {
    create: async (path) => {
      held = await newLockFile(files, path, me)
    },
    read: (path) => readHolder(files, path),
    link: (from, to) => linked(files, from, to),
    rename: (from, to) => files.rename(from, to),
    remove: (path) => files.unlink(path),
    list: (folder) => files.list(folder),
    isDead: (holder) => {
      const state = liveness(holder)
      return state === 'dead' || (force === true && state === 'unknown')
    },
    isLeft: async (path) => {
      const holder = await readHolder(files, path).catch(() => undefined)
      // A file that names nobody is left alone: a taker may be about to write it, and would find it gone.
      return holder !== undefined && !isUnreadable(holder) && liveness(holder) === 'dead'
    },
  }
  let outcome: LockOutcome<Holder> = {other: undefined}
  try {
    outcome = await runSteps(acquiring(lockFiles, join(directory, lockName), me.nonce))
  } finally {
    if (held && outcome !== 'acquired') await files.close(held.fd)
  }
  if (outcome !== 'acquired') return outcome.other ?? me
  return held ?? me
}

/** Creates a lock file under a unique name, not yet in effect. */
async function newLockFile(files: Files, path: string, holder: Holder): Promise<Held> {
  const fd = await files.open(path, 'create')
  try {
    await writeAll(files, fd, Buffer.from(JSON.stringify(holder)), 0)
    await files.sync(fd)
    return {fd, identity: files.identity(fd)}
  } catch (error) {
    await files.close(fd)
    await files.unlink(path)
    throw error
  }
}

/** The right to write below a directory, from `acquire` to `release`. */
export class Lock {
  readonly #files: Files
  readonly #directory: string
  readonly #path: string
  #holder: Holder
  /** The lock file; two while its content is being replaced. */
  #held: readonly Held[]

  private constructor(files: Files, directory: string, holder: Holder, held: Held) {
    this.#files = files
    this.#directory = directory
    this.#path = join(directory, lockName)
    this.#holder = holder
    this.#held = [held]
  }

  /** Waits for one-shot commands, but not for a server. Throws StateLocked. */
  static async acquire(world: LockWorld, directory: string, me: Holder, clock: Waiting): Promise<Lock> {
    const end = clock.now() + clock.timeoutMs
    let told = false
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 80)) {
      const other = await tryLock(world, directory, me)
      if ('fd' in other) {
        return new Lock(world.files, directory, me, other)
      }
      const state = world.liveness(other)
      const hopeless = other.purpose === 'server' || state === 'unknown'
      if (hopeless || clock.now() >= end) throw lockedError(directory, other, state)
      if (!told) clock.onWait?.(other)
      told = true
      await clock.pause(pauseMs * (0.5 + Math.random()))
    }
  }

  /** The fence: throws once the lock is lost, so that writes since then are not acknowledged. */
  readonly check = (): void => {
    if (!this.#isOurs) throw lockLost(this.#directory)
  }

  get #isOurs(): boolean {
    const identity = this.#files.identity(this.#path)
    return identity !== undefined && this.#held.some((held) => held.identity === identity)
  }

  /** Publishes in the lock the origin of the server, and the public one if it differs. */
  async publish(...[origin, publicOrigin]: ServerOrigins): Promise<void> {
    const next = join(this.#directory, `${lockName}-${this.#holder.nonce}`)
    this.#holder = {...this.#holder, origin, ...defined({publicOrigin})}
    const before = this.#held
    const published = await newLockFile(this.#files, next, this.#holder)
    this.#held = [...before, published]
    await this.#files.rename(next, this.#path)
    this.#held = [published]
    for (const {fd} of before) await this.#files.close(fd)
  }

  async release(): Promise<void> {
    if (this.#isOurs) await this.#files.unlink(this.#path)
    for (const {fd} of this.#held) await this.#files.close(fd)
    this.#held = []
  }
}

export interface Waiting {
  readonly timeoutMs: number
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Called once if another process has to be waited for. */
  readonly onWait?: ((holder: Holder) => void) | undefined
}

/** A holder of a state, in words. */
export function holderText(holder: Holder, state: Liveness = 'alive'): string {
  if (isUnreadable(holder)) return 'a process whose lock cannot be read'
  const {pid, purpose, origin, host} = holder
  if (pid === process.pid && state === 'alive') return 'another copy of the library in this process'
  const who = `${purpose === 'server' ? 'the server' : 'the command'} with process id ${pid}`
  if (state === 'unknown') return `${who} on ${host}, in another container or on another machine`
  return origin === undefined ? who : `${who} at ${origin}`
}

/** The error for a state that another process holds. */
export function lockedError(directory: string, holder: Holder, state: Liveness): StateError {
  const remedy =
    state === 'unknown'
      ? "This machine cannot see whether it still runs. If it has ended, run 'frontdesk server doctor --force', or start the server with --force."
      : 'Try again when it has ended.'
  const message = `The state in ${directory} is in use by ${holderText(holder, state)}.`
  return new StateError('StateLocked', message, join(directory, lockName), remedy)
}

/** Who holds the lock of a store. */
export interface Holder extends ProcessIdentity {
  readonly nonce: string
  readonly purpose: 'server' | 'one-shot'
  /** The origin where a server listens. */
  readonly origin?: string
  /** The origin that clients use, if it differs. */
  readonly publicOrigin?: string
}

export const thisProcess = (nonce: string, purpose: Holder['purpose']): Holder => ({
  ...thisIdentity(),
  nonce,
  purpose,
})

/** Parses the holder in a lock file. An unreadable file has a holder that matches no process. */
export function holderIn(content: Buffer): Holder {
  return parsedHolder(content.toString()) ?? unknownHolder(content)
}

function parsedHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null
    return parsedIdentity(holder) && typeof holder?.nonce === 'string' ? (holder as Holder) : undefined
  } catch {
    return undefined
  }
}

const unknownHolder = (content: Buffer): Holder => ({
  pid: 0,
  startTime: '',
  bootId: '',
  host: '',
  namespace: '',
  nonce: `unreadable-${checksumOf(content).toString(16)}`,
  purpose: 'one-shot',
})

/** Whether the lock file of a holder named nobody. */
export const isUnreadable = ({pid}: Holder): boolean => pid === 0
