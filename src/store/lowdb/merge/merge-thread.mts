import {parentPort, workerData} from 'node:worker_threads'
import {blockingFiles} from '../file/files.js'
import {plainError} from './in-thread.js'
import {type MergeJob, merge} from './merge.js'

/** The thread of one merge. */
try {
  parentPort?.postMessage({segments: merge(blockingFiles, workerData as MergeJob)})
} catch (error) {
  parentPort?.postMessage({error: plainError(error as Error)})
}
