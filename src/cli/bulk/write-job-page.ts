import {defined} from '../../domain/equal.js'
import type {StoredJob} from '../../transfer/jobs/jobs.js'
import {writePage} from '../run/page-file.js'
import type {Run} from '../run/run.js'
import {type JobPage, jobPage} from './job-page.js'
import {shownJob} from './jobs.js'

export interface JobPageFile extends Pick<JobPage, 'about' | 'madeAt'> {
  readonly path: string
  /** What a text says of customers, where the run redacts. */
  readonly quoting: (text: string) => string
}

/** Writes the page of a job from its journal, as far as that goes. */
export async function writeJobPage(run: Run, stored: StoredJob, {path, quoting, ...rest}: JobPageFile): Promise<void> {
  const {causes = [], ...job} = shownJob(stored)
  const shown = causes.map((cause) => ({
    ...cause,
    message: quoting(cause.message),
    ...defined({example: cause.example === undefined ? undefined : quoting(cause.example)}),
    first: cause.first.map(({customer, ...place}) => ({
      ...place,
      ...defined({customer: customer === undefined ? undefined : quoting(customer)}),
    })),
  }))
  const {command} = stored.header
  const page = jobPage({job: {...job, causes: shown}, pace: stored.progress.pace, command, ...rest})
  await writePage(run, path, page)
}
