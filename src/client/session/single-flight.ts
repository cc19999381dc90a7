import {dirname} from 'node:path'
import {setTimeout as after} from 'node:timers/promises'
import {type FileLock, isAbandoned, type LockContent, tryLock} from '../../files/file-lock.js'
import {privateFolder} from '../../files/private-file.js'

const pollMs = 25
/** A process that holds the lock for longer counts as stuck, and the others stop waiting for it. */
const maxHeldMs = 10_000

const isStuck = (found: LockContent): boolean => found.ageMs > maxHeldMs || isAbandoned(found)

interface Flight<T> {
  readonly found: () => Promise<T | undefined>
  readonly work: () => Promise<T>
  /** Asked whenever another process is at work. */
  readonly mayWait: () => boolean
  /** Ends the waiting. */
  readonly signal: AbortSignal
}

/**
 * Single flight across processes: one does the `work`, the others poll until its result is `found`. A process that can
 * write no lock file, that has waited too long, or for which the other one may be waiting, does the work itself: the lock saves requests, and protects nothing.
 */
export async function singleFlight<T>(path: string, {found, work, mayWait, signal}: Flight<T>): Promise<T> {
  for (;;) {
    const present = await found()
    if (present !== undefined) return present
    const lock = acquired(path)
    if (lock === 'unavailable' || (lock === 'held' && !mayWait())) return work()
    if (lock === 'held') await after(pollMs, undefined, {signal})
    else {
      try {
        return (await found()) ?? (await work())
      } finally {
        lock.release()
      }
    }
  }
}

function acquired(path: string): FileLock | 'held' | 'unavailable' {
  try {
    privateFolder(dirname(path))
    const lock = tryLock(path, {isStale: isStuck})
    return 'release' in lock ? lock : 'held'
  } catch {
    return 'unavailable'
  }
}
