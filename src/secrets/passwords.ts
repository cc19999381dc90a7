import {costOf, isBcryptHash, passwordText} from './password-text.js'
import {WorkerPool} from './worker-pool.js'

/** Hashes passwords off the main thread: at most one per core, a bounded queue, then 503 (decision 19). */
export interface Passwords {
  /** Throws ApiError for a password that breaks a rule (before any hashing), or when the queue is full. */
  hash(password: string, field: string): Promise<string>
  /** The same refusals as `hash`, without hashing. */
  check(password: string, field: string): void
  /** Whether a text is a bcrypt hash of a bounded cost. */
  isHash(text: string): boolean
  /** The cost of a hash. */
  costOf(hash: string): number
  /**
   * Compares a password with a hash. With a cheaper hash, or none, it adds work up to `cost` or the server's own cost,
   * whichever is higher, so that timing does not reveal which accounts exist or were imported (decision 24).
   */
  verify(password: string, known: KnownHash | undefined, cost?: number): Promise<boolean>
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

/** A hash of this cost that no password matches; comparing with it only takes time. */
const decoyOf = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`

/** Costs whose work adds up to the difference of two costs: 2^high - 2^low is 2^low + … + 2^(high-1). */
const costsBetween = (low: number, high: number): number[] =>
  Array.from({length: Math.max(0, high - low)}, (_, at) => low + at)

/** `cost` is bcrypt's work factor, 4 to 14. The workers are those of the process unless given. */
export function passwordsOf(cost: number, workers: PasswordHasher = shared()): Passwords {
  if (!Number.isInteger(cost) || cost < 4 || cost > 14) throw new RangeError('the password cost goes from 4 to 14')
  return {
    check: (password, field) => {
      passwordText(password, field)
    },
    isHash: isBcryptHash,
    costOf,
    hash: async (password, field) => (await workers.run({text: passwordText(password, field), cost})).hash ?? '',
    verify: async (password, known, highest = cost) => {
      let text: string
      try {
        text = passwordText(password, 'password')
      } catch {
        return false
      }
      const most = Math.max(cost, highest)
      const hash = known?.hash ?? decoyOf(most)
      const decoys = costsBetween(costOf(hash), most).map(decoyOf)
      const {matches} = await workers.run({text: known?.imported ? password : text, cost, hash, decoys})
      return known !== undefined && matches === true
    },
  }
}
