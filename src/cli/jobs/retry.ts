import {defined} from '../../domain/equal.js'
import type {Mapping} from '../../transfer/mapping/mapping.js'
import type {BulkOptions} from '../../transfer/run/bulk.js'
import type {PlanResult} from '../../transfer/run/dry-run.js'
import type {ImportResult} from '../../transfer/run/import.js'
import type {BulkRun} from '../bulk/bulk-command.js'
import {type PasswordFileFlags, passwordFilesOf} from '../bulk/flags.js'
import {type BulkFlags, bulkOptions, targetName} from '../bulk/options.js'
import {type InputFlags, inputOf, type OpenInput, type Read, withInput} from '../bulk/sources.js'
import {Failure, usage} from '../process/failure.js'
import type {Io} from '../process/io.js'
import type {ResolvedTarget} from '../target/target.js'
import type {ShownJob} from './jobs.js'
import {checkSameTarget, type UndoFlags} from './undo.js'

/** The options of an import that its journal keeps. */
interface Remembered extends InputFlags {
  readonly mapping: Mapping
  readonly match: BulkFlags['match']
  readonly mode: BulkFlags['mode']
  readonly passwordMode: BulkFlags['password-mode']
  readonly files?: readonly string[]
}

export type RetryFlags = PasswordFileFlags & UndoFlags

export interface RetryJob {
  readonly job: ShownJob
  readonly flags: RetryFlags
  readonly io: Io
  readonly resolved: ResolvedTarget
  readonly jobsDir: string
}

/** The report of a job. Throws if the job has none, or wrote to another target. */
export function checkRetry({job, resolved}: Pick<RetryJob, 'job' | 'resolved'>): string {
  const {undoOf} = job.options
  if (typeof undoOf === 'string') {
    throw usage(`The job ${job.id} took back ${undoOf}.`, `Repeat \`frontdesk jobs undo ${undoOf}\`.`)
  }
  if (job.report === null) {
    throw new Failure('usage', 'NothingToRetry', `The job ${job.id} has no report of failed rows.`, {
      hints: job.state === 'finished' ? [] : ['Repeat its command with --resume first.'],
    })
  }
  checkSameTarget(job, resolved, ', or import its report elsewhere: `frontdesk customers import --retry-failed FILE`')
  return job.report
}

type Rows = OpenInput & {readonly options: BulkOptions; readonly about: Readonly<Record<string, unknown>>}

/** Opens the failed rows of a job, with the options that it had. */
async function withRows<R extends object>(
  {onEvent}: BulkRun,
  {job, flags, io, resolved}: RetryJob,
  report: string,
  use: (rows: Rows) => Promise<R>,
): Promise<R & Read> {
  const remembered = job.options as unknown as Remembered
  const {mapping, match, mode, passwordMode} = remembered
  const flagsThen = {...flags, match, mode, 'password-mode': passwordMode, 'skip-invalid': true}
  const options = {...(await bulkOptions(flagsThen, resolved)), mapping}
  const files = (remembered.files ?? []).filter((file) => file !== '-')
  const form = inputOf(remembered)
  const about = {files, retryOf: job.id, ...defined(form)}
  return withInput({...form, files, report}, io, onEvent, (input) => {
    const from = input.originals ? {originals: input.originals} : {}
    return use({...input, about, options: {...options, ...from}})
  })
}

/** Imports the failed rows of a job again. */
export const runRetry = {
  dry: (run: BulkRun, job: RetryJob, report: string): Promise<PlanResult & Read> =>
    withRows(run, job, report, async ({sources, options}) => {
      const {planImport} = await import('../../transfer/run/dry-run.js')
      return planImport(run.client, sources, {...options, onEvent: run.onEvent})
    }),

  write: (run: BulkRun, job: RetryJob, report: string): Promise<ImportResult & Read> =>
    withRows(run, job, report, async ({sources, options, about}) => {
      const {importCustomers} = await import('../../transfer/run/import.js')
      const {flags, resolved, jobsDir} = job
      return importCustomers(run.client, sources, {
        ...options,
        jobsDir,
        target: targetName(resolved),
        onEvent: run.onEvent,
        about,
        ...passwordFilesOf(flags),
      })
    }),
}
