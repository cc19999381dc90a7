import {dirname} from 'node:path'
import {setTimeout as after} from 'node:timers/promises'
import {type FileLock, type Found, isAbandoned, tryLock} from '../../files/file-lock.js'
import {privateFolder} from '../../files/private-file.js'

const lookAgainMs = 25
/** Whoever works for longer than this has trouble that others need not share. */
const patienceMs = 10_000

const isGivenUp = (found: Found): boolean => found.ageMs > patienceMs || isAbandoned(found)

/**
 * Lets one process at a time do some work whose result the others can use: each looks whether it is `found`, and only
 * who has the turn works for it. Where no file can be written everybody works, and so do those whose patience ends; a
 * turn orders requests and protects nothing.
 */
export async function singleFlight<T>(
  path: string,
  found: () => Promise<T | undefined>,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const present = await found()
    if (present !== undefined) return present
    const turn = taken(path)
    if (turn === 'others') await after(lookAgainMs)
    else if (turn === 'none') return work()
    else {
      try {
        return (await found()) ?? (await work())
      } finally {
        turn.release()
      }
    }
  }
}

function taken(path: string): FileLock | 'others' | 'none' {
  try {
    privateFolder(dirname(path))
    const turn = tryLock(path, {isStale: isGivenUp})
    return 'release' in turn ? turn : 'others'
  } catch {
    return 'none'
  }
}
