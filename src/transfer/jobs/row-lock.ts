import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {type FileLock, type LockContent, livenessOf, tryLock} from '../../files/file-lock.js'

/**
 * Which rows are being written, so that two runs over one file know of each other. A run holds a lock file beside its
 * journal, whose name is a digest of the rows and their target, and whose content names its process.
 */

// Unknown counts as ended, or a container that was killed would block its file for good.
const isStale = (found: LockContent): boolean => livenessOf(found) !== 'alive'

/** Claims rows until the lock is released. Throws StateError while another run of this machine writes them. */
export function claimRows(dir: string, digest: string): FileLock {
  mkdirSync(dir, {recursive: true, mode: 0o700})
  const path = join(dir, `rows-${digest.slice(0, 32)}.lock`)
  const lock = tryLock(path, {isStale})
  if ('release' in lock) return lock
  const by = lock.holder ? `the process ${lock.holder.pid}` : 'another process'
  throw new StateError(
    'StateLocked',
    `The same rows are being written to the same target by ${by}; nothing was sent.`,
    path,
    "Wait for it to end: 'frontdesk jobs list' shows it.",
  )
}
