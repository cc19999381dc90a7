import {mkdirSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {StateError} from '../../domain/errors.js'
import {type FileLock, type Found, livenessOf, lockDisk, tryLock, withLock} from '../../files/file-lock.js'
import {parsedShard, type Shard, shardsMeet, shardText} from '../check/shard.js'

/**
 * Which rows are being written, so that two runs over one file know of each other. A run holds a lock file beside its
 * journal, whose name says which rows of which target it writes, and whose content names its process.
 */

/** What a run writes: a digest of the files and the target, and its part of the rows. */
export interface Claim {
  readonly digest: string
  readonly shard: Shard | undefined
}

const whole: Shard = {index: 1, count: 1}
const nameForm = /^rows-([0-9a-f]{32})-(\d+)of(\d+)\.lock$/

const nameOf = ({digest, shard: {index, count} = whole}: Claim): string =>
  `rows-${digest.slice(0, 32)}-${index}of${count}.lock`

// Unknown counts as ended, or a container that was killed would block its file for good.
const isStale = (found: Found): boolean => livenessOf(found) !== 'alive'

/** Claims rows until the lock is released. Throws StateError while another run of this machine writes any of them. */
export function claimRows(dir: string, claim: Claim): FileLock {
  mkdirSync(dir, {recursive: true, mode: 0o700})
  return withLock(join(dir, 'rows.lock'), () => {
    for (const name of readdirSync(dir)) {
      const [, digest, index, count] = nameForm.exec(name) ?? []
      if (digest !== claim.digest.slice(0, 32)) continue
      const other = parsedShard(`${index}/${count}`) ?? whole
      const path = join(dir, name)
      const found = lockDisk.read(path)
      if (found && !isStale(found) && shardsMeet(other, claim.shard ?? whole)) throw inUse(path, found, other)
      if (found && isStale(found)) lockDisk.remove(path)
    }
    const path = join(dir, nameOf(claim))
    const lock = tryLock(path, {isStale})
    if ('release' in lock) return lock
    throw inUse(path, lock, claim.shard ?? whole)
  })
}

function inUse(path: string, {holder}: Found, shard: Shard): StateError {
  const part = shard.count === 1 ? '' : `, shard ${shardText(shard)}`
  const by = holder ? `the process ${holder.pid}` : 'another process'
  return new StateError(
    'StateLocked',
    `The same rows are being written to the same target by ${by}${part}; nothing was sent.`,
    path,
    "Wait for it to end ('frontdesk jobs list' shows it), or divide the rows between processes with --shard.",
  )
}
