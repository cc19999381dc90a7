import {availableParallelism} from 'node:os'
import {Worker} from 'node:worker_threads'
import {ApiError} from '../domain/errors.js'
import {isBcryptHash, passwordText} from './password-text.js'

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

export interface PasswordTask {
  readonly id: number
  readonly text: string
  readonly cost: number
  /** Present: compare with it. Absent: make one. */
  readonly hash?: string
}

export interface PasswordAnswer {
  readonly id: number
  readonly hash?: string
  readonly matches?: boolean
}

interface Job {
  readonly task: PasswordTask
  readonly resolve: (answer: PasswordAnswer) => void
  readonly reject: (error: Error) => void
}

const maxQueued = 64

/** Workers are shared by the whole process and never keep it alive. */
class WorkerPool {
  readonly #size = availableParallelism()
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Worker, Job>()
  readonly #queue: Job[] = []
  #lastId = 0

  run(task: Omit<PasswordTask, 'id'>): Promise<PasswordAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length >= maxQueued) {
        reject(ApiError.of('OverCapacity', {message: 'Too many passwords wait to be hashed.', retryAfterSeconds: 2}))
        return
      }
      this.#lastId += 1
      this.#queue.push({task: {...task, id: this.#lastId}, resolve, reject})
      this.#next()
    })
  }

  #next(): void {
    if (this.#queue.length === 0) return
    const worker = this.#idle.pop() ?? (this.#busy.size < this.#size ? this.#start() : undefined)
    if (!worker) return
    const job = this.#queue.shift()
    if (!job) return
    this.#busy.set(worker, job)
    worker.ref()
    worker.postMessage(job.task)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./password-worker.mjs', import.meta.url))
    worker.on('message', (answer: PasswordAnswer) => {
      const job = this.#busy.get(worker)
      this.#busy.delete(worker)
      worker.unref()
      this.#idle.push(worker)
      job?.resolve(answer)
      this.#next()
    })
    worker.on('error', (error) => {
      const job = this.#busy.get(worker)
      this.#busy.delete(worker)
      job?.reject(error)
      this.#next()
    })
    return worker
  }
}

let pool: WorkerPool | undefined

/** `cost` is bcrypt's work factor, 4 to 14. */
export function passwordsOf(cost: number): Passwords {
  if (!Number.isInteger(cost) || cost < 4 || cost > 14) throw new RangeError('the password cost goes from 4 to 14')
  pool ??= new WorkerPool()
  const workers = pool
  let decoy: Promise<string> | undefined
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
      decoy ??= hashOf('the hash of nobody')
      const {matches} = await workers.run({text, cost, hash: hash ?? (await decoy)})
      return hash !== undefined && matches === true
    },
  }
}
