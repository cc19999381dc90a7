import {parentPort, workerData} from 'node:worker_threads'
import type {Facets} from '../../store.js'
import {blockingFiles} from '../file/files.js'
import {plainError} from './in-thread.js'
import {type MergeJob, merge} from './merge.js'

/** Runs one merge in this thread. */
export function answerMerge(facets: Facets): void {
  try {
    parentPort?.postMessage({segments: merge(blockingFiles, workerData as MergeJob, facets)})
  } catch (error) {
    parentPort?.postMessage({error: plainError(error as Error)})
  }
}
