import {existsSync} from 'node:fs'
import {Worker} from 'node:worker_threads'
import {StateError} from '../../../domain/errors.js'
import type {SegmentFile} from '../file/manifest.js'
import type {IndexJob} from '../table/index-remaking.js'
import type {Column, TextsJob} from '../table/text-column.js'
import type {MergeJob} from './merge.js'

/** What a thread does, and then ends. */
export type ThreadJob = {readonly index: IndexJob} | {readonly texts: TextsJob}

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
function inThread<T>(job: ThreadJob, module: URL, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(module, {workerData: job})
    const end = (): void => void thread.terminate()
    signal?.addEventListener('abort', end)
    thread.once('message', resolve)
    thread.once('error', (error: Failure) => reject(errorOf(error)))
    thread.once('exit', (code) => {
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
 * The thread of the merges of a server, one after the other. It stays for the next merge, since V8 has
 * compiled its code by then, and does not keep the process alive. If it dies, its merges fail and the next one gets a new
 * thread.
 */
export class MergeThread {
  readonly #script: URL
  #thread: Worker | undefined
  #waiting: Waiting[] = []

  constructor(module = script) {
    this.#script = module
  }

  merge(job: MergeJob): Promise<SegmentFile[]> {
    this.#thread ??= this.#started()
    this.#thread.ref()
    this.#thread.postMessage(job)
    return new Promise((resolve, reject) => this.#waiting.push({resolve, reject}))
  }

  async end(): Promise<void> {
    await this.#thread?.terminate()
  }

  #started(): Worker {
    // V8's usual young generation would stay in memory between merges.
    const thread = new Worker(this.#script, {resourceLimits: {maxYoungGenerationSizeMb: 6}})
    thread.on('message', (merged: MergeReply) => {
      const first = this.#waiting.shift()
      if (this.#waiting.length === 0) thread.unref()
      if ('segments' in merged) first?.resolve(merged.segments)
      else first?.reject(errorOf(merged.failure))
    })
    const ended = (error: Error): void => {
      if (this.#thread !== thread) return
      this.#thread = undefined
      for (const {reject} of this.#waiting.splice(0)) reject(error)
    }
    thread.once('error', ended)
    thread.once('exit', (code) => ended(new Error(`the thread of a merge ended with ${code}`)))
    return thread
  }
}

/** Makes the index of a segment in a thread of its own. */
export const indexInThread = (job: IndexJob, module = script): Promise<Uint8Array> => inThread({index: job}, module)

/** Makes the search texts of a segment in a thread of its own; undefined if that dies, as one without memory does. */
export async function textsInThread(job: TextsJob, signal: AbortSignal, module = script): Promise<Column | undefined> {
  try {
    return await inThread<Column | undefined>({texts: job}, module, signal)
  } catch (error) {
    if (error instanceof StateError) throw error
    return undefined
  }
}
