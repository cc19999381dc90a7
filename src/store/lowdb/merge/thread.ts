import {parentPort, workerData} from 'node:worker_threads'
import {StateError} from '../../../domain/errors.js'
import type {SearchTexts} from '../../searchable.js'
import type {Facets} from '../../store.js'
import {blockingFiles} from '../file/files.js'
import {indexOf} from '../table/index-writer.js'
import {columnOf} from '../table/text-column.js'
import type {MergeReply, ThreadJob} from './in-thread.js'
import {type MergeJob, merge} from './merge.js'

interface Derived {
  readonly facets: Facets
  readonly searchTexts: SearchTexts
}

/**
 * Does one job in this thread, whose error is that of the job; without one, does the merges that it receives until it
 * is ended.
 */
export async function answerJob({facets, searchTexts}: Derived): Promise<void> {
  const job = workerData as ThreadJob | null
  if (!job) return void parentPort?.on('message', (one: MergeJob) => parentPort?.postMessage(merged(one, facets)))
  if ('index' in job) return parentPort?.postMessage(indexOf(blockingFiles, job.index))
  const searchText = searchTexts[job.texts.file.kind]
  const column = searchText && (await columnOf(blockingFiles, job.texts, searchText))
  parentPort?.postMessage(column, column ? [column.buffer] : [])
}

function merged(job: MergeJob, facets: Facets): MergeReply {
  try {
    return {segments: merge(blockingFiles, job, facets)}
  } catch (error) {
    const {name, message} = error as Error
    // A message has of an error its name, text and stack alone.
    return {failure: error instanceof StateError ? {...error, name, message} : (error as Error)}
  }
}
