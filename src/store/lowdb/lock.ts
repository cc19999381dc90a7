import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {type Files, hasCode, readAll, writeNew} from './files.js'
import {type Holder, parsedHolder} from './holder.js'
import {openPrivate} from './private.js'

export const lockName = 'LOCK'

/** What the lock asks of the world; a test gives its own to play every order of events. */
export interface LockWorld {
  readonly files: Files
  readonly liveness: (holder: Holder) => 'alive' | 'dead' | 'unknown'
}

/** The holder that a lock file names; nothing if there is no such file. */
export async function readHolder(files: Files, path: string): Promise<Holder | undefined> {
  let opened: {fd: number; size: number}
  try {
    opened = await openPrivate(files, path, 'read')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    const holder = parsedHolder(readAll(files, opened.fd, 0, opened.size).toString())
    if (holder) return holder
    throw new StateError('StateUnusable', `${path} is not a lock file.`, path, `Remove '${path}' if nothing uses it.`)
  } finally {
    await files.close(opened.fd)
  }
}

const claimName = (holder: Holder): string => `${lockName}.${holder.nonce}`

async function linked(files: Files, from: string, to: string): Promise<boolean> {
  try {
    await files.link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Tries once to become the holder; returns who is in the way, or nothing on success.
 *
 * A free lock is taken by linking a complete file to its name, which one of many succeeds in. A dead holder's lock is
 * never removed first, since a slower taker would then remove the lock of a faster one: the right to replace it is
 * itself such a link, named after the dead holder, and whoever has it looks again before replacing. A taker that died
 * on the way is followed in the same manner.
 */
export async function tryLock(world: LockWorld, directory: string, me: Holder): Promise<Holder | undefined> {
  const {files, liveness} = world
  const path = join(directory, lockName)
  const mine = join(directory, `${lockName}-${me.nonce}`)
  const first = await readHolder(files, path)
  if (first && liveness(first) !== 'dead') return first
  await writeNew(files, mine, JSON.stringify(me))
  try {
    if (first) return await replaceDead(world, directory, mine, first)
    if (await linked(files, mine, path)) return undefined
    // Whoever was faster may be gone already; then the caller simply tries again.
    return (await readHolder(files, path)) ?? me
  } finally {
    await files.unlink(mine)
  }
}

async function replaceDead(
  {files, liveness}: LockWorld,
  directory: string,
  mine: string,
  dead: Holder,
): Promise<Holder | undefined> {
  const passed = [{path: join(directory, lockName), holder: dead}]
  let claim = join(directory, claimName(dead))
  while (!(await linked(files, mine, claim))) {
    const other = await readHolder(files, claim)
    if (!other || liveness(other) !== 'dead') return other ?? dead
    passed.push({path: claim, holder: other})
    claim = join(directory, claimName(other))
  }
  // As long as the claim is ours nobody else replaces what it names; before it was, somebody may have.
  for (const {path, holder} of passed) {
    const now = await readHolder(files, path)
    if (now?.nonce === holder.nonce) continue
    await files.unlink(claim)
    return now ?? dead
  }
  await files.rename(mine, join(directory, lockName))
  for (const {path} of passed.slice(1)) await files.unlink(path)
  await files.unlink(claim)
  return undefined
}

/** The right to write below a directory, from `acquire` to `release`. */
export class Lock {
  readonly #files: Files
  readonly #directory: string
  #holder: Holder
  /** The file that is ours; two while its content is being replaced. */
  #inodes: readonly (number | undefined)[]

  private constructor(files: Files, directory: string, holder: Holder) {
    this.#files = files
    this.#directory = directory
    this.#holder = holder
    this.#inodes = [files.inode(join(directory, lockName))]
  }

  /** Waits its turn behind one-shot commands; a server is not waited for. Throws StateLocked. */
  static async acquire(world: LockWorld, directory: string, me: Holder, clock: Waiting): Promise<Lock> {
    const end = clock.now() + clock.timeoutMs
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 80)) {
      const other = await tryLock(world, directory, me)
      if (!other) {
        await removeRemains(world, directory)
        return new Lock(world.files, directory, me)
      }
      const hopeless = other.purpose === 'server' || world.liveness(other) === 'unknown'
      if (hopeless || clock.now() >= end) throw locked(world, directory, other)
      await clock.pause(pauseMs * (0.5 + Math.random()))
    }
  }

  /** Throws when the lock is no longer ours; what was written since cannot be acknowledged. */
  readonly check = (): void => {
    const path = join(this.#directory, lockName)
    const inode = this.#files.inode(path)
    if (inode !== undefined && this.#inodes.includes(inode)) return
    throw new StateError('StateLocked', `${path} was taken from this process.`, path, 'Start it again.')
  }

  /** Says in the lock where the server listens. */
  async publish(origin: string): Promise<void> {
    const next = join(this.#directory, `${lockName}-${this.#holder.nonce}`)
    this.#holder = {...this.#holder, origin}
    await writeNew(this.#files, next, JSON.stringify(this.#holder))
    const inode = this.#files.inode(next)
    this.#inodes = [...this.#inodes, inode]
    await this.#files.rename(next, join(this.#directory, lockName))
    this.#inodes = [inode]
  }

  async release(): Promise<void> {
    const path = join(this.#directory, lockName)
    if (this.#inodes.includes(this.#files.inode(path))) await this.#files.unlink(path)
  }
}

export interface Waiting {
  readonly timeoutMs: number
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
}

/** What takers left that died on their way; those alive look again before they act, so theirs may stay. */
async function removeRemains({files, liveness}: LockWorld, directory: string): Promise<void> {
  for (const name of await files.list(directory)) {
    if (!name.startsWith(`${lockName}.`) && !name.startsWith(`${lockName}-`)) continue
    const path = join(directory, name)
    const holder = await readHolder(files, path).catch(() => undefined)
    if (holder && liveness(holder) === 'dead') await files.unlink(path)
  }
}

function locked({liveness}: LockWorld, directory: string, holder: Holder): StateError {
  const {pid, purpose, origin, host} = holder
  const path = join(directory, lockName)
  const who = purpose === 'server' ? `the server with process id ${pid}` : `the command with process id ${pid}`
  const where = origin ? ` at ${origin}` : ''
  const wayBack =
    liveness(holder) === 'unknown'
      ? `It runs on another machine or in another container (${host}). If it is gone, remove '${path}'.`
      : 'Try again when it has ended.'
  return new StateError('StateLocked', `The state in ${directory} is in use by ${who}${where}.`, path, wayBack)
}
