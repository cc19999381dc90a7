import {existsSync} from 'node:fs'
import {Worker} from 'node:worker_threads'
import {StateError} from '../../../domain/errors.js'
import type {SegmentFile} from '../file/manifest.js'
import type {MergeJob} from './merge.js'

/** The error of a thread, which comes without its class. */
const errorOf = (error: Partial<StateError>): Error =>
  error.code !== undefined && error.path !== undefined && error.remedy !== undefined
    ? new StateError(error.code, error.message ?? '', error.path, error.remedy)
    : (error as Error)

/** Compiled, beside this module or its bundle. From the sources there is none, and merges run in the thread that asks. */
const script = new URL('./merge-thread.mjs', import.meta.url)

export const hasThread = (): boolean => existsSync(script)

/** Merges in a thread of its own. A thread that dies ends the merge, and not the process. */
export function mergeInThread(job: MergeJob, thread = script): Promise<SegmentFile[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(thread, {workerData: job})
    worker.once('message', resolve)
    worker.once('error', (error: Partial<StateError>) => reject(errorOf(error)))
    worker.once('exit', (code) => reject(new Error(`the thread of a merge ended with ${code}`)))
  })
}
