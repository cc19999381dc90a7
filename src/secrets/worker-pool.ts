import {availableParallelism} from 'node:os'
import {type ResourceLimits, Worker} from 'node:worker_threads'
import {overCapacity} from '../domain/errors.js'
import {limits} from '../work/limits.js'

export interface PasswordTask {
  readonly id: number
  readonly text: string
  readonly cost: number
  /** The hash to compare with. Absent: create one. */
  readonly hash?: string
  /** Hashes to compare with after it, which only takes time. */
  readonly decoys?: readonly string[]
}

export interface PasswordAnswer {
  readonly id: number
  readonly hash?: string
  readonly matches?: boolean
}

interface Job {
  readonly task: PasswordTask
  readonly project: string
  readonly resolve: (answer: PasswordAnswer) => void
  readonly reject: (error: Error) => void
}

interface WorkerPoolOptions {
  readonly threads?: number
  readonly heapMb?: number
}

function jobsByProject(jobs: Iterable<Job>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const {project} of jobs) counts.set(project, (counts.get(project) ?? 0) + 1)
  return counts
}

/**
 * At most one worker thread per core, and a bounded queue that projects share fairly: the one with the fewest running
 * jobs is next, and a full queue drops the last job of the project with the most. A worker that ends fails only the job
 * that it was running; the next job starts a new worker. Idle workers do not keep the process alive.
 */
export class WorkerPool {
  readonly #script: URL
  readonly #threads: number
  readonly #limits: ResourceLimits
  readonly #idle: Worker[] = []
  readonly #busy = new Map<Worker, Job>()
  #queue: readonly Job[] = []
  #lastId = 0

  constructor(
    script = new URL('./password-worker.mjs', import.meta.url),
    {threads = availableParallelism(), heapMb}: WorkerPoolOptions = {},
  ) {
    this.#script = script
    this.#threads = threads
    this.#limits = heapMb === undefined ? {} : {maxOldGenerationSizeMb: heapMb}
  }

  /** Throws OverCapacity if the queue is full or the worker ends before it answers. */
  run(task: Omit<PasswordTask, 'id'>, project: string): Promise<PasswordAnswer> {
    return new Promise((resolve, reject) => {
      this.#lastId += 1
      this.#queue = [...this.#queue, {task: {...task, id: this.#lastId}, project, resolve, reject}]
      if (this.#queue.length > limits.waitingPasswords) this.#drop()
      this.#next()
    })
  }

  /** Refuses the last job of the project with the most waiting ones. */
  #drop(): void {
    const waiting = jobsByProject(this.#queue)
    const most = Math.max(...waiting.values())
    const dropped = this.#queue.findLast(({project}) => waiting.get(project) === most)
    this.#queue = this.#queue.filter((job) => job !== dropped)
    dropped?.reject(overCapacity('Too many passwords wait to be hashed.'))
  }

  /** The oldest job of the project with the fewest running ones. */
  #first(): Job | undefined {
    const running = jobsByProject(this.#busy.values())
    const countOf = ({project}: Job): number => running.get(project) ?? 0
    const least = Math.min(...this.#queue.map(countOf))
    return this.#queue.find((job) => countOf(job) === least)
  }

  #next(): void {
    const isFree = this.#idle.length > 0 || this.#busy.size < this.#threads
    const job = isFree ? this.#first() : undefined
    if (!job) return
    this.#queue = this.#queue.filter((one) => one !== job)
    try {
      const worker = this.#idle.pop() ?? this.#start()
      this.#busy.set(worker, job)
      worker.ref()
      worker.postMessage(job.task)
    } catch (error) {
      job.reject(overCapacity('The password could not be hashed.', error))
    }
    this.#next()
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {resourceLimits: this.#limits})
    worker.on('message', (answer: PasswordAnswer) => {
      const job = this.#busy.get(worker)
      if (job?.task.id !== answer.id) return
      this.#busy.delete(worker)
      worker.unref()
      this.#idle.push(worker)
      job.resolve(answer)
      this.#next()
    })
    // A worker that throws emits `error` and then `exit`; one that is killed only `exit`.
    let thrown: unknown
    worker.on('error', (error) => {
      thrown = error
    })
    worker.on('exit', (code) => this.#ended(worker, thrown ?? new Error(`a password worker ended with ${code}`)))
    return worker
  }

  #ended(worker: Worker, cause: unknown): void {
    const at = this.#idle.indexOf(worker)
    if (at >= 0) this.#idle.splice(at, 1)
    const job = this.#busy.get(worker)
    this.#busy.delete(worker)
    job?.reject(overCapacity('The password could not be hashed.', cause))
    this.#next()
  }
}
