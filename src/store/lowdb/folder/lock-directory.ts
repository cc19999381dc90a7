import {randomBytes} from 'node:crypto'
import {dirname} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {asStateError} from '../../../files/file-errors.js'
import type {Liveness} from '../../../files/process-identity.js'
import type {Published} from '../../opened-store.js'
import type {Awaitable, Files} from '../file/files.js'
import {adoptDirectory} from '../file/private.js'
import {assertUsable, type Use} from './access.js'
import {type Holder, liveness, thisProcess} from './holder.js'
import {Lock} from './lock.js'
import {announcePresence, needsPresence, type Presence} from './presence.js'
import {keepReserve, releaseReserve, withReserve} from './reserve.js'

export interface LockRequest {
  readonly files: Files
  readonly purpose: Holder['purpose']
  /** The use of the state; `write` if absent. */
  readonly use?: Use | undefined
  readonly timeoutMs: number
  /** A part of file names that is unique to this process. */
  readonly nonce: string
  readonly liveness?: ((holder: Holder, directory: string) => Awaitable<Liveness>) | undefined
  /** Called once if another process has to be waited for. */
  readonly onWait?: ((holder: Holder) => void) | undefined
}

export const newNonce = (): string => randomBytes(9).toString('base64url')

/** The lock of a directory, and the socket that shows that its holder lives. */
export interface DirectoryLock {
  /** The fence: throws StateLocked once another process has taken over the lock. */
  readonly check: () => void
  publish(...addresses: Published): Promise<void>
  release(): Promise<void>
}

/** Becomes the only writer of a directory; creates it if missing. Throws StateLocked and other StateErrors. */
export async function lockDirectory(directory: string, request: LockRequest): Promise<DirectoryLock> {
  const {files, purpose, use = 'write', timeoutMs, nonce, onWait} = request
  let presence: Presence | undefined
  let lock: Lock | undefined
  let isReserved = true
  const reserve = async (): Promise<void> => {
    if (!isReserved) await keepReserve(files, directory)
    isReserved = true
  }
  const release = async (): Promise<void> => {
    if (purpose === 'server') await reserve()
    await lock?.release()
    presence?.end()
  }
  try {
    if ((await adoptDirectory(files, directory)) === 'absent') {
      await files.makeDirectory(directory)
      await files.syncDirectory(dirname(directory))
    }
    if (needsPresence()) presence = await announcePresence(directory, nonce)
    const waiting = {timeoutMs, now: () => performance.now(), pause: (ms: number) => pause(ms), onWait}
    const world = {files, liveness: request.liveness ?? liveness}
    const me = thisProcess(nonce, purpose, presence?.name)
    const held = await withReserve(files, directory, () => Lock.acquire(world, directory, me, waiting))
    lock = held
    await assertUsable(files, directory, use)
    // What a server writes at its start finds room on a full disk, and so does a repair.
    isReserved = purpose !== 'server' && use !== 'repair' && use !== 'erase'
    await (isReserved ? keepReserve(files, directory) : releaseReserve(files, directory))
    const publish = async (...addresses: Published): Promise<void> => {
      await withReserve(files, directory, () => held.publish(...addresses))
      await reserve()
    }
    return {check: held.check, publish, release}
  } catch (error) {
    await release()
    throw asStateError(error, directory)
  }
}
