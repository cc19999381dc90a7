import {createHash} from 'node:crypto'
import {costOf, looksLikeHash} from '../domain/credentials/password-hash.js'
import {defined} from '../domain/equal.js'
import {ApiError} from '../domain/errors.js'
import {WorkerPool} from './worker-pool.js'

/** Hashes passwords off the main thread: at most one per core, a bounded queue, then 503 (decision 19). */
export interface Passwords {
  /**
   * Throws ApiError for a password that breaks a rule (before any hashing), or when the queue is full. Projects share the
   * workers fairly.
   */
  hash(project: string, password: string, field: string): Promise<string>
  /** The same refusals as `hash`, without hashing. */
  check(password: string, field: string): void
  /**
   * Compares a password with a hash. With a cheaper hash, or none, it adds work up to `cost` or the server's own cost,
   * whichever is higher, so that timing does not reveal which accounts exist or brought a hash along (decision 24).
   */
  verify(project: string, password: string, known: KnownHash | undefined, cost?: number): Promise<boolean>
}

/** A stored hash. An imported one is of the raw password, of which bcrypt reads 72 bytes. */
export interface KnownHash {
  readonly hash: string
  readonly imported?: true | undefined
}

/** Runs bcrypt: the worker threads, or a fake that counts. */
export type PasswordHasher = Pick<WorkerPool, 'run'>

let pool: WorkerPool | undefined

function shared(): WorkerPool {
  pool ??= new WorkerPool()
  return pool
}

/** `cost` is bcrypt's work factor, 4 to 14. The workers are those of the process unless given. */
export function passwordsOf(cost: number, workers: PasswordHasher = shared()): Passwords {
  if (!Number.isInteger(cost) || cost < 4 || cost > 14) throw new RangeError('the password cost goes from 4 to 14')
  return {
    check: (password, field) => {
      newPasswordText(password, field)
    },
    hash: async (project, password, field) =>
      (await workers.run({text: newPasswordText(password, field), cost}, project)).hash ?? '',
    verify: async (project, password, known, highest = 0) => {
      let text: string
      try {
        text = passwordText(password, 'password')
      } catch {
        return false
      }
      const most = Math.max(cost, highest)
      const done = known ? costOf(known.hash) : 0
      const [hash, ...decoys] = [...(known && done > 0 ? [known.hash] : []), ...missingCosts(done, most).map(decoyOf)]
      const task = {text: known?.imported ? password : text, cost, hash, decoys}
      const {matches} = await workers.run(defined(task), project)
      return done > 0 && matches === true
    },
  }
}

/** Costs whose rounds add up to the difference of two: 2^high - 2^low is 2^low + … + 2^(high-1). */
const missingCosts = (low: number, high: number): number[] =>
  low === 0 ? [high] : Array.from({length: Math.max(0, high - low)}, (_, at) => low + at)

/** A hash that no password fits. */
const decoyOf = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`

const maxBytes = 1024
/** bcrypt reads 72 bytes and stops at a NUL. */
const bcryptBytes = 72

/**
 * The input of bcrypt for a password: NFC-normalised and untrimmed. A text that bcrypt would truncate is replaced by a
 * digest with a prefix of ours, so that every byte counts and digests of other systems do not match (decision 19).
 */
function passwordText(password: string, field: string): string {
  if (password === '') throw ApiError.of('InvalidOperation', {message: `'${field}' should not be empty.`})
  if (!password.isWellFormed()) throw invalidField(field, 'It must be well-formed Unicode.')
  if (Buffer.byteLength(password) > maxBytes) throw invalidField(field, `It must not exceed ${maxBytes} bytes.`)
  const text = password.normalize('NFC')
  if (Buffer.byteLength(text) > maxBytes) throw invalidField(field, `It must not exceed ${maxBytes} bytes.`)
  if (Buffer.byteLength(text) <= bcryptBytes && !text.includes('\0')) return text
  return createHash('sha384').update('frontdesk-v1\0').update(text).digest('base64')
}

/** The same for a password that somebody sets. One that is a hash would be what its owner has to type (decision 19). */
function newPasswordText(password: string, field: string): string {
  const text = passwordText(password, field)
  if (!looksLikeHash(password)) return text
  const way = 'for other hashes an import creates reset links (--password-mode reset-links).'
  throw invalidField(field, `It looks like a password hash. A bcrypt hash belongs in passwordHash; ${way}`)
}

const invalidField = (field: string, rule: string): ApiError => ApiError.of('InvalidField', {field, rule})
