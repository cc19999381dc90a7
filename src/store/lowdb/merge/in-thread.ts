import {existsSync} from 'node:fs'
import {Worker} from 'node:worker_threads'
import {StateError} from '../../../domain/errors.js'
import type {SegmentFile} from '../file/manifest.js'
import type {MergeJob} from './merge.js'

/** An error as plain data, with what the members of a StateError or of an error of the system say. */
interface PlainError {
  readonly message: string
  readonly code?: StateError['code']
  readonly path?: string
  readonly remedy?: string
}

export const plainError = (error: Error): PlainError => ({...error, message: error.message})

const errorOf = ({message, code, path, remedy}: PlainError): Error =>
  code !== undefined && path !== undefined && remedy !== undefined
    ? new StateError(code, message, path, remedy)
    : Object.assign(new Error(message), {code})

/** Compiled, beside this module or its bundle. From the sources there is none, and merges run in the thread that asks. */
const script = new URL('./merge-thread.mjs', import.meta.url)

export const hasThread = (): boolean => existsSync(script)

/** Merges in a thread of its own. A thread that dies ends the merge, and not the process. */
export function mergeInThread(job: MergeJob, thread = script): Promise<SegmentFile[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(thread, {workerData: job})
    worker.once('message', ({segments, error}: {segments?: SegmentFile[]; error?: PlainError}) => {
      if (segments) resolve(segments)
      else reject(errorOf(error ?? {message: 'a merge ended without a result'}))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the thread of a merge ended with ${code}`)))
  })
}
