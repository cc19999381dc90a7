import {createHash} from 'node:crypto'
import {greaterWork, type HashWork, memoryKibOf, noWork, workOf} from '../domain/credentials/hash-check.js'
import {readHash} from '../domain/credentials/hash-forms.js'
import {defined} from '../domain/equal.js'
import {ApiError} from '../domain/errors.js'
import {decoysBetween} from './decoys.js'
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
   * Compares a password with a hash. With a cheaper hash, or none, it adds work up to `most` or the server's own cost,
   * whichever is higher, so that timing does not reveal which accounts exist or were imported (decision 24).
   */
  verify(project: string, password: string, known: KnownHash | undefined, most?: HashWork): Promise<boolean>
}

/** A stored hash. An imported one is of the raw password, and of any accepted form; bcrypt reads 72 bytes of it. */
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
      passwordText(password, field)
    },
    hash: async (project, password, field) =>
      (await workers.run({text: passwordText(password, field), cost}, project)).hash ?? '',
    verify: async (project, password, known, highest = noWork) => {
      let text: string
      try {
        text = passwordText(password, 'password')
      } catch {
        return false
      }
      const most = greaterWork({...noWork, cost}, highest)
      const read = known && readHash(known.hash)
      const check = read && 'check' in read ? read.check : undefined
      const missing = decoysBetween(check ? workOf(check) : noWork, most)
      const [first, ...decoys] = check ? [check, ...missing] : missing
      const memoryKib = Math.max(0, ...[first, ...decoys].map((one) => (one ? memoryKibOf(one) : 0)))
      const task = {text: known?.imported ? password : text, cost, check: first, decoys, memoryKib}
      const {matches} = await workers.run(defined(task), project)
      return check !== undefined && matches === true
    },
  }
}

const maxBytes = 1024
/** bcrypt reads 72 bytes and stops at a NUL. */
const bcryptBytes = 72

/**
 * The input of bcrypt for a password: NFC-normalised and untrimmed. A text that bcrypt would truncate is replaced by a
 * digest with a prefix of ours, so that every byte counts and digests of other systems do not match (decision 19).
 */
function passwordText(password: string, field: string): string {
  if (password === '') throw invalidField(field, 'It must not be empty.')
  if (!password.isWellFormed()) throw invalidField(field, 'It must be well-formed Unicode.')
  if (Buffer.byteLength(password) > maxBytes) throw invalidField(field, `It must not exceed ${maxBytes} bytes.`)
  const text = password.normalize('NFC')
  if (Buffer.byteLength(text) > maxBytes) throw invalidField(field, `It must not exceed ${maxBytes} bytes.`)
  if (Buffer.byteLength(text) <= bcryptBytes && !text.includes('\0')) return text
  return createHash('sha384').update('frontdesk-v1\0').update(text).digest('base64')
}

const invalidField = (field: string, rule: string): ApiError => ApiError.of('InvalidField', {field, rule})
