import type {HashCheck, HashWork} from '../domain/credentials/hash-check.js'

/** Comparisons that no password passes and that only take time, so that every sign-in does the same work (decision 24). */

const salt = 'AAAAAAAAAAAAAAAAAAAAAA'
const digest = 'A'.repeat(43)

const bcrypt = (cost: number): HashCheck => ({
  kind: 'bcrypt',
  hash: `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`,
})

/** Costs whose rounds add up to the difference of two costs: 2^high - 2^low is 2^low + … + 2^(high-1). */
const bcryptDecoys = (low: number, high: number): HashCheck[] =>
  low === 0 ? [bcrypt(high)] : Array.from({length: Math.max(0, high - low)}, (_, at) => bcrypt(low + at))

/** As much memory as the usual hash takes, and what is left in one pass more. */
function argon2Decoys(work: number): HashCheck[] {
  const memoryKib = Math.min(work, 65_536)
  const passes = Math.floor(work / memoryKib)
  return [
    {memoryKib, passes},
    {memoryKib: work - memoryKib * passes, passes: 1},
  ]
    .filter((one) => one.memoryKib >= 8)
    .map((one) => ({kind: 'argon2', variant: 'id', lanes: 1, length: 32, salt, digest, ...one}))
}

/** A power of two for every bit; less than the smallest N is nothing. */
function scryptDecoys(work: number): HashCheck[] {
  const found: HashCheck[] = []
  for (let costLog2 = 17, left = Math.floor(work / 8); costLog2 >= 4; costLog2 -= 1) {
    const lanes = Math.floor(left / 2 ** costLog2)
    left -= lanes * 2 ** costLog2
    if (lanes > 0) found.push({kind: 'scrypt', costLog2, blockSize: 8, lanes, salt, digest})
  }
  return found
}

/** Comparisons that take what is missing from one work to another. With none done, the first is one of bcrypt. */
export function decoysBetween(done: HashWork, most: HashWork): HashCheck[] {
  const [argon2, scrypt, digests] = [most.argon2 - done.argon2, most.scrypt - done.scrypt, most.digests - done.digests]
  return [
    ...bcryptDecoys(done.cost, most.cost),
    ...(argon2 > 0 ? argon2Decoys(argon2) : []),
    ...(scrypt > 0 ? scryptDecoys(scrypt) : []),
    ...(digests > 0 ? [{kind: 'phpass', algorithm: 'md5', rounds: digests, salt, digest} as const] : []),
  ]
}
