import {parentPort, workerData} from 'node:worker_threads'
import type {Facets} from '../../store.js'
import {blockingFiles} from '../file/files.js'
import {type MergeJob, merge} from './merge.js'

/** Runs one merge in this thread, whose error is that of the merge. */
export const answerMerge = (facets: Facets): void =>
  parentPort?.postMessage(merge(blockingFiles, workerData as MergeJob, facets))
