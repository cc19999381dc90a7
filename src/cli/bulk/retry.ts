import {defined} from '../../domain/equal.js'
import {Failure, usage} from '../process/failure.js'
import type {Run} from '../run/run.js'
import type {ResolvedTarget} from '../target/target.js'
import type {PasswordFileFlags} from './flags.js'
import type {ShownJob} from './jobs.js'
import type {BulkFlags} from './options.js'
import {type KeptOptions, keptOptions, type Opening} from './rows.js'
import {inputOf, withInput} from './sources.js'
import {checkSameTarget} from './undo.js'

/** The report of a job. Throws if the job has none, or wrote to another target. */
export function checkRetry(job: ShownJob, resolved: ResolvedTarget): string {
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

type RetryFlags = PasswordFileFlags & Pick<BulkFlags, 'concurrency' | 'rate' | 'retries'>

/** The failed rows of a job, with the options that it had. */
export const rowsOfJob =
  (run: Run<RetryFlags>, job: ShownJob, report: string): Opening =>
  async ({onEvent}, use) => {
    const kept = job.options as unknown as KeptOptions
    // The job checked all rows of its shard, and its report holds no others.
    const {shard: _, ...whole} = kept
    const options = await keptOptions(run, {...whole, skipInvalid: true})
    const files = (kept.files ?? []).filter((file) => file !== '-')
    const about = {files, retryOf: job.id, ...defined(inputOf(kept))}
    return withInput({...inputOf(kept), files, report}, run.io, onEvent, ({sources, originals}) =>
      use({sources, about, options: {...options, ...defined({originals})}}),
    )
  }
