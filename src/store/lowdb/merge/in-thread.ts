import {existsSync} from 'node:fs'
import {Worker} from 'node:worker_threads'
import {StateError} from '../../../domain/errors.js'
import type {SegmentFile} from '../file/manifest.js'
import type {IndexJob} from '../table/index-remaking.js'
import type {Column, TextsJob} from '../table/text-column.js'
import type {MergeJob} from './merge.js'

/** What a thread does, and then ends. */
export type Job = {readonly merge: MergeJob} | {readonly index: IndexJob} | {readonly texts: TextsJob}

/** The error of a thread, which comes without its class. */
const errorOf = (error: Partial<StateError>): Error =>
  error.code !== undefined && error.path !== undefined && error.remedy !== undefined
    ? new StateError(error.code, error.message ?? '', error.path, error.remedy)
    : (error as Error)

/** Compiled, beside this module or its bundle. From the sources there is none, and the thread that asks does the work. */
const script = new URL('./merge-thread.mjs', import.meta.url)

export const hasThread = (): boolean => existsSync(script)

/** A thread that dies ends its work, and not the process. */
function inThread<T>(job: Job, thread: URL, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(thread, {workerData: job})
    const end = (): void => void worker.terminate()
    signal?.addEventListener('abort', end)
    worker.once('message', resolve)
    worker.once('error', (error: Partial<StateError>) => reject(errorOf(error)))
    worker.once('exit', (code) => {
      signal?.removeEventListener('abort', end)
      reject(new Error(`the thread of a merge ended with ${code}`))
    })
  })
}

/** Merges in a thread of its own. */
export const mergeInThread = (job: MergeJob, thread = script): Promise<SegmentFile[]> => inThread({merge: job}, thread)

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
