import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {crc32} from 'node:zlib'
import {defined} from '../../../domain/equal.js'
import {StateError} from '../../../domain/errors.js'
import {acquiring, type LockFiles, runSteps} from '../../../files/lock-protocol.js'
import {
  type Liveness,
  liveness,
  type ProcessIdentity,
  parsedIdentity,
  thisProcess as thisIdentity,
} from '../../../files/process-identity.js'
import type {ServerOrigins} from '../../opened-store.js'
import {type Files, hasCode, lockLost, readAll, writeAll} from '../file/files.js'
import {ifThere, newNonce, withFile} from '../file/private.js'

export const lockName = 'LOCK'

export interface Holder extends ProcessIdentity {
  readonly nonce: string
  readonly purpose: 'server' | 'one-shot'
  /** The origin where a server listens. */
  readonly origin?: string
  /** The origin that clients use, if it differs. */
  readonly publicOrigin?: string
  /** The inode of the lock file, which no copy of a folder has. */
  readonly inode?: string | undefined
}

export const thisProcess = (nonce: string, purpose: Holder['purpose']): Holder => ({
  ...thisIdentity(),
  nonce,
  purpose,
})

/** Parses the holder in a lock file. A file that names nobody has a holder that matches no process. */
export function holderIn(content: Buffer): Holder {
  try {
    const holder = JSON.parse(content.toString()) as Partial<Holder> | null
    if (parsedIdentity(holder) && typeof holder?.nonce === 'string') return holder as Holder
  } catch {
    // Not JSON: not of our format.
  }
  const nobody = {pid: 0, startTime: '', bootId: '', host: '', namespace: ''}
  return {...nobody, nonce: `unreadable-${crc32(content).toString(16)}`, purpose: 'one-shot'}
}

/** Whether the lock file of a holder named nobody. */
export const isUnreadable = ({pid}: Holder): boolean => pid === 0

/** The holder that a lock file names; undefined if there is no lock file. In a copy of the folder it holds nothing. */
export const readHolder = (files: Files, path: string): Promise<Holder | undefined> =>
  ifThere(
    withFile(files, path, (fd, size) => {
      const holder = holderIn(readAll(files, fd, 0, size))
      return [undefined, inodeOf(files, fd)].includes(holder.inode) ? holder : {...holder, bootId: ''}
    }),
  )

const inodeOf = (files: Files, fd: number): string | undefined => files.identity(fd)?.split(':').at(-1)

export interface LockRequest {
  readonly files: Files
  readonly purpose: Holder['purpose']
  /** How long to wait for another command. */
  readonly timeoutMs: number
  /** A part of file names that is unique to this process; a random one unless told. */
  readonly nonce?: string
  readonly liveness?: ((holder: Holder) => Liveness) | undefined
  /** Takes over the lock of a process in another container or on another machine, which may still run. */
  readonly force?: boolean | undefined
  /** Called once with the holder, if it has to be waited for. */
  readonly onWait?: ((holder: string) => void) | undefined
}

/** A lock file that this process holds. It is kept open, so that no other file can get its identity. */
interface Held {
  readonly fd: number
  readonly identity: string | undefined
}

/** The right to write below a directory, from `acquire` to `release`. */
export class Lock {
  readonly #files: Files
  readonly #directory: string
  readonly #path: string
  #holder: Holder
  /** The lock file; two while its content is being replaced. */
  #held: readonly Held[] = []

  private constructor({files, nonce = newNonce(), purpose}: LockRequest, directory: string) {
    this.#files = files
    this.#directory = directory
    this.#path = join(directory, lockName)
    this.#holder = thisProcess(nonce, purpose)
  }

  /** Waits for one-shot commands, but not for a server. Throws StateLocked. */
  static async acquire(directory: string, request: LockRequest): Promise<Lock> {
    const lock = new Lock(request, directory)
    const end = performance.now() + request.timeoutMs
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 80)) {
      const other = await lock.#take(request)
      if (!other) return lock
      const state = (request.liveness ?? liveness)(other)
      if (other.purpose === 'server' || state === 'unknown' || performance.now() >= end)
        throw lockedError(directory, other, state)
      if (pauseMs === 5) request.onWait?.(holderText(other))
      await pause(pauseMs * (0.5 + Math.random()))
    }
  }

  /** Tries once; undefined if that succeeds, else the present holder: this process if that one has ended meanwhile. */
  async #take({liveness: livenessOf = liveness, force}: LockRequest): Promise<Holder | undefined> {
    const files = this.#files
    const lockFiles: LockFiles<Holder> = {
      create: async (path) => {
        this.#held = [await this.#newFile(path)]
      },
      read: (path) => readHolder(files, path),
      link: async (from, to) => {
        try {
          await files.link(from, to)
          return true
        } catch (error) {
          if (hasCode(error, 'EEXIST')) return false
          throw error
        }
      },
      rename: (from, to) => files.rename(from, to),
      remove: (path) => files.unlink(path),
      list: (folder) => files.list(folder),
      isDead: (holder) => {
        const state = livenessOf(holder)
        return state === 'dead' || (force === true && state === 'unknown')
      },
      isLeft: async (path) => {
        const holder = await readHolder(files, path).catch(() => undefined)
        // A file that names nobody is left alone: a taker may be about to write it, and would find it gone.
        return holder !== undefined && !isUnreadable(holder) && livenessOf(holder) === 'dead'
      },
    }
    let isHeld = false
    try {
      const outcome = await runSteps(acquiring(lockFiles, this.#path, this.#holder.nonce))
      isHeld = outcome === 'acquired'
      return outcome === 'acquired' ? undefined : (outcome.other ?? this.#holder)
    } finally {
      if (!isHeld) await this.#letGo()
    }
  }

  /** Creates a file that names this holder, not yet in effect. */
  async #newFile(path: string): Promise<Held> {
    const files = this.#files
    const fd = await files.open(path, 'create')
    try {
      await writeAll(files, fd, Buffer.from(JSON.stringify({...this.#holder, inode: inodeOf(files, fd)})), 0)
      await files.sync(fd)
      return {fd, identity: files.identity(fd)}
    } catch (error) {
      await files.close(fd)
      await files.unlink(path)
      throw error
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
    const next = `${this.#path}-${this.#holder.nonce}`
    this.#holder = {...this.#holder, origin, ...defined({publicOrigin})}
    const before = this.#held
    const published = await this.#newFile(next)
    this.#held = [...before, published]
    await this.#files.rename(next, this.#path)
    this.#held = [published]
    for (const {fd} of before) await this.#files.close(fd)
  }

  async release(): Promise<void> {
    if (this.#isOurs) await this.#files.unlink(this.#path)
    await this.#letGo()
  }

  async #letGo(): Promise<void> {
    for (const {fd} of this.#held) await this.#files.close(fd)
    this.#held = []
  }
}

function holderText(holder: Holder, state: Liveness = 'alive'): string {
  if (isUnreadable(holder)) return 'a process whose lock cannot be read'
  const {pid, purpose, origin, host} = holder
  if (pid === process.pid && state === 'alive') return 'another copy of the library in this process'
  const who = `${purpose === 'server' ? 'the server' : 'the command'} with process id ${pid}`
  if (state === 'unknown') return `${who} on ${host}, in another container or on another machine`
  return origin === undefined ? who : `${who} at ${origin}`
}

function lockedError(directory: string, holder: Holder, state: Liveness): StateError {
  const remedy =
    state === 'unknown'
      ? "This machine cannot see whether it still runs. If it has ended, run 'frontdesk server doctor --force', or start the server with --force."
      : 'Try again when it has ended.'
  const message = `The state in ${directory} is in use by ${holderText(holder, state)}.`
  return new StateError('StateLocked', message, join(directory, lockName), remedy)
}
