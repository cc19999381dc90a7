import {existsSync} from 'node:fs'
import {Worker} from 'node:worker_threads'
import {StateError} from '../../../domain/errors.js'
import type {SegmentFile} from '../file/manifest.js'
import type {IndexJob} from '../table/index-remaking.js'
import type {Column, TextsJob} from '../table/text-column.js'
import type {MergeJob} from './merge.js'

/** What a thread does, and then ends. */
export type Job = {readonly index: IndexJob} | {readonly texts: TextsJob}

/** The answer of the thread to a merge. */
export type MergeReply = {readonly segments: SegmentFile[]} | {readonly failure: Failure}

/** The error of a thread, which comes without its class. */
type Failure = Error & Partial<Pick<StateError, 'code' | 'path' | 'remedy'>>

const errorOf = (error: Failure): Error =>
  error.code !== undefined && error.path !== undefined && error.remedy !== undefined
    ? new StateError(error.code, error.message, error.path, error.remedy)
    : error

/**
 * Compiled, beside this module or its bundle. Absent when run from the sources: then the calling thread does the work.
 */
const script = new URL('./merge-thread.mjs', import.meta.url)

export const hasThread = (): boolean => existsSync(script)

/** A thread that dies ends its work, and not the process. */
function inThread<T>(job: Job, thread: URL, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(thread, {workerData: job})
    const end = (): void => void worker.terminate()
    signal?.addEventListener('abort', end)
    worker.once('message', resolve)
    worker.once('error', (error: Failure) => reject(errorOf(error)))
    worker.once('exit', (code) => {
      signal?.removeEventListener('abort', end)
      reject(new Error(`the thread ended with ${code}`))
    })
  })
}

interface Waiting {
  readonly resolve: (segments: SegmentFile[]) => void
  readonly reject: (error: Error) => void
}

/**
 * The thread of the merges of a server, one after the other. It stays for the next one, whose code V8 has compiled then,
 * and does not keep the process. If it dies, so do its merges, and the next one has another.
 */
export class MergeThread {
  readonly #script: URL
  #worker: Worker | undefined
  #waiting: Waiting[] = []

  constructor(thread = script) {
    this.#script = thread
  }

  merge(job: MergeJob): Promise<SegmentFile[]> {
    this.#worker ??= this.#started()
    this.#worker.ref()
    this.#worker.postMessage(job)
    return new Promise((resolve, reject) => this.#waiting.push({resolve, reject}))
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #started(): Worker {
    // Between merges it keeps little: with V8's usual young generation, 60 MB more.
    const worker = new Worker(this.#script, {resourceLimits: {maxYoungGenerationSizeMb: 6}})
    worker.on('message', (merged: MergeReply) => {
      const first = this.#waiting.shift()
      if (this.#waiting.length === 0) worker.unref()
      if ('segments' in merged) first?.resolve(merged.segments)
      else first?.reject(errorOf(merged.failure))
    })
    const ended = (error: Error): void => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      for (const {reject} of this.#waiting.splice(0)) reject(error)
    }
    worker.once('error', ended)
    worker.once('exit', (code) => ended(new Error(`the thread of a merge ended with ${code}`)))
    return worker
  }
}

/** Makes the index of a segment in a thread of its own. */
export const indexInThread = (job: IndexJob, thread = script): Promise<Uint8Array> => inThread({index: job}, thread)

/** Makes the search texts of a segment in a thread of its own; undefined if that dies, as one without memory does. */
export async function textsInThread(job: TextsJob, signal: AbortSignal, thread = script): Promise<Column | undefined> {
  try {
    return await inThread<Column | undefined>({texts: job}, thread, signal)
  } catch (error) {
    if (error instanceof StateError) throw error
    return undefined
  }
}
