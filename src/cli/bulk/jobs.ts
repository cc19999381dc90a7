import {isSamePlace, placeOf, placeOfRun, placeText} from '../../client/place.js'
import {defined, pick} from '../../domain/equal.js'
import type {CauseMembers} from '../../transfer/check/causes.js'
import type {Job, StoredJob} from '../../transfer/jobs/jobs.js'
import type {JobHeader} from '../../transfer/jobs/journal-lines.js'
import {modelOf} from '../output/known-fields.js'
import {column, kept, moment, type View, whole} from '../output/view.js'
import {Failure, usage} from '../process/failure.js'
import type {ResolvedTarget} from '../target/target.js'

/** A job as `jobs` shows it. */
export interface ShownJob
  extends Omit<Job, 'header' | 'causes'>,
    Pick<JobHeader, 'startedAt' | 'target' | 'options'>,
    Omit<CauseMembers, 'aliases'> {
  readonly id: string
  readonly project: string
  readonly store?: string
  readonly files: readonly string[]
}

export const jobView: View = {
  model: async () =>
    modelOf(
      'id state startedAt project store target files counts options report endedAt causes moreCauses kept coverage',
      'references',
    ),
  columns: [
    whole('id'),
    kept('state'),
    moment('started', 'startedAt'),
    ...(['failed', 'read', 'created', 'updated', 'unchanged', 'skipped', 'deleted', 'restored'] as const).map((name) =>
      column(name, `counts.${name}`),
    ),
    column('project'),
  ],
}

export const shownJob = ({header, ...job}: Job): ShownJob => ({
  id: header.job,
  state: job.state,
  startedAt: header.startedAt,
  project: header.projectKey,
  ...defined({store: header.storeKey}),
  target: header.target,
  files: header.files.map(({name}) => name),
  counts: job.counts,
  options: header.options,
  report: job.report,
  ...defined(pick(job, ['endedAt', 'kept', 'coverage', 'references'])),
  ...job.causes,
})

/** All jobs, or those of a place, the newest first, without coverage; finished ones also without the causes of failed rows. */
export async function listJobs(dir: string, place?: string): Promise<ShownJob[]> {
  const {jobNames, readJobSummary} = await import('../../transfer/jobs/jobs.js')
  const jobs: ShownJob[] = []
  for (const name of await jobNames(dir)) {
    const job = await readJobSummary(dir, name)
    if (!job || (place !== undefined && !isSamePlace(placeOfRun(job.header), place))) continue
    const {coverage: _, ...shown} = shownJob(job)
    jobs.push(shown)
  }
  return jobs
}

/** One job by its id, with all that its journal says. Fails with `not found`. */
export async function findStoredJob(dir: string, id: string): Promise<StoredJob> {
  const {readJob} = await import('../../transfer/jobs/jobs.js')
  const stored = await readJob(dir, id)
  if (stored) return stored
  throw new Failure('notFound', 'ResourceNotFound', `There is no job ${id}.`, {
    hints: ['`frontdesk jobs list` shows the jobs of this machine.'],
  })
}

/**
 * The id of the job that an undo which did not end takes back, or of the last job at a target that wrote and was not taken
 * back to the end. Fails with `not found`.
 */
export async function latestJob(dir: string, resolved: ResolvedTarget): Promise<string> {
  const mayHaveWritten = ({state, counts}: ShownJob) => state !== 'finished' || counts.created + counts.updated > 0
  const jobs = (await listJobs(dir)).filter((job) => isAt(job, resolved) && mayHaveWritten(job))
  const {isOpen, jobStates} = await import('../../transfer/jobs/states.js')
  const begun = jobs.find(({state, options}) => options['undoOf'] !== undefined && isOpen(state))
  const last =
    jobs.find(({id}) => id === begun?.options['undoOf']) ??
    jobs.find(({state, options}) => options['undoOf'] === undefined && jobStates[state].undo !== 'has nothing to do')
  if (last) return last.id
  throw new Failure('notFound', 'NothingToUndo', 'This machine has no run at this target that could be taken back.', {
    hints: ['Name the customer or the job: `frontdesk jobs list` shows the jobs of this machine.'],
  })
}

const isAt = ({target, project, store}: ShownJob, resolved: ResolvedTarget): boolean =>
  isSamePlace(placeText(target, project), placeOf(resolved.target)) && store === resolved.target.storeKey

/** Throws a usage error unless the job wrote to the target of the command. */
export function checkSameTarget(job: ShownJob, resolved: ResolvedTarget): void {
  if (isAt(job, resolved)) return
  const store = job.store === undefined ? '' : `the store ${job.store} of `
  throw usage(
    `The job ${job.id} wrote to ${store}${job.project} at ${job.target}.`,
    'Choose the same target with --profile and --store.',
  )
}
