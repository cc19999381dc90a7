import {randomBytes} from 'node:crypto'
import {dirname} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {asStateError} from '../../files/file-errors.js'
import {liveness} from '../../files/process-identity.js'
import {takeBallast} from './ballast.js'
import type {Files} from './files.js'
import {type Holder, thisProcess} from './holder.js'
import {Lock} from './lock.js'
import {adoptDirectory} from './private.js'

export interface LockRequest {
  readonly files: Files
  readonly purpose: Holder['purpose']
  readonly timeoutMs: number
  /** A file name part that no other process uses. */
  readonly nonce: string
  readonly liveness?: typeof liveness | undefined
}

export const newNonce = (): string => randomBytes(9).toString('base64url')

/** Becomes the one writer of a directory, which is made if need be. Throws StateLocked and other StateErrors. */
export async function lockDirectory(directory: string, request: LockRequest): Promise<Lock> {
  const {files, purpose, timeoutMs, nonce} = request
  try {
    if ((await adoptDirectory(files, directory)) === 'absent') {
      await files.makeDirectory(directory)
      await files.syncDirectory(dirname(directory))
    }
    const waiting = {timeoutMs, now: () => performance.now(), pause: (ms: number) => pause(ms)}
    const world = {files, liveness: request.liveness ?? liveness}
    const lock = await Lock.acquire(world, directory, thisProcess(nonce, purpose), waiting)
    await takeBallast(files, directory)
    return lock
  } catch (error) {
    throw asStateError(error, directory)
  }
}
