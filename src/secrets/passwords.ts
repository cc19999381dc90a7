import {isBcryptHash, passwordText} from './password-text.js'
import {WorkerPool} from './worker-pool.js'

/** Hashes passwords off the main thread: at most one per core, a bounded queue, then 503 (decision 19). */
export interface Passwords {
  /** Throws ApiError for a password that breaks a rule (before any hashing), or when the queue is full. */
  hash(password: string, field: string): Promise<string>
  /** The same refusals as `hash`, without hashing. */
  check(password: string, field: string): void
  /** Whether a text is a bcrypt hash of a bounded cost. */
  isHash(text: string): boolean
  /** Without a hash the same work is done against a made-up one, so that unknown accounts cost the same. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

let pool: WorkerPool | undefined

function shared(): WorkerPool {
  pool ??= new WorkerPool()
  return pool
}

/** `cost` is bcrypt's work factor, 4 to 14. The workers are those of the process unless given. */
export function passwordsOf(cost: number, workers: WorkerPool = shared()): Passwords {
  if (!Number.isInteger(cost) || cost < 4 || cost > 14) throw new RangeError('the password cost goes from 4 to 14')
  let decoy: Promise<string> | undefined
  /** A hash that could not be made is tried again by the next who needs it. */
  const decoyHash = (): Promise<string> => {
    decoy ??= hashOf('the hash of nobody').catch((error: unknown) => {
      decoy = undefined
      throw error
    })
    return decoy
  }
  const hashOf = async (text: string): Promise<string> => (await workers.run({text, cost})).hash ?? ''
  return {
    check: (password, field) => {
      passwordText(password, field)
    },
    isHash: isBcryptHash,
    hash: async (password, field) => hashOf(passwordText(password, field)),
    verify: async (password, hash) => {
      let text: string
      try {
        text = passwordText(password, 'password')
      } catch {
        return false
      }
      // Made in every case, so that the first unknown account takes no longer than the first known one.
      const instead = await decoyHash()
      const {matches} = await workers.run({text, cost, hash: hash ?? instead})
      return hash !== undefined && matches === true
    },
  }
}
