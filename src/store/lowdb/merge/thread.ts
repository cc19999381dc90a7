import {parentPort, workerData} from 'node:worker_threads'
import type {SearchTexts} from '../../searchable.js'
import type {Facets} from '../../store.js'
import {blockingFiles} from '../file/files.js'
import {indexOf} from '../table/index-writer.js'
import {columnOf} from '../table/text-column.js'
import type {Job} from './in-thread.js'
import {merge} from './merge.js'

/** Does one job in this thread, whose error is that of the job. */
export async function answerJob(facets: Facets, searchTexts: SearchTexts): Promise<void> {
  const job = workerData as Job
  if ('merge' in job) return parentPort?.postMessage(merge(blockingFiles, job.merge, facets))
  if ('index' in job) return parentPort?.postMessage(indexOf(blockingFiles, job.index))
  const searchText = searchTexts[job.texts.file.kind]
  const column = searchText && (await columnOf(blockingFiles, job.texts, searchText))
  parentPort?.postMessage(column, column ? [column.buffer] : [])
}
