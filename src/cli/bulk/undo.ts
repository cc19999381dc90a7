import {defined} from '../../domain/equal.js'
import type {StoredJob} from '../../transfer/jobs/jobs.js'
import type {UndoPlan, UndoResult} from '../../transfer/undo.js'
import {usage} from '../process/failure.js'
import {interruption} from '../process/interruption.js'
import {oneLine} from '../process/sanitize.js'
import type {Run} from '../run/run.js'
import {jobsFolder} from '../target/settings.js'
import type {ResolvedTarget} from '../target/target.js'
import type {BulkFlags} from './flags.js'
import {rateOf, targetName} from './options.js'
import type {BulkRun} from './rows.js'

/** Throws a usage error unless the job wrote to the target of the command. */
export function checkSameTarget(
  job: {readonly id: string; readonly target: string; readonly project: string; readonly store?: string},
  resolved: ResolvedTarget,
  otherwise: string,
): void {
  const {projectKey, storeKey} = resolved.target
  if (job.target === targetName(resolved) && job.project === projectKey && job.store === storeKey) return
  const store = job.store === undefined ? '' : `the store ${job.store} of `
  throw usage(
    `The job ${job.id} wrote to ${store}${job.project} at ${job.target}.`,
    `Choose the same target with --profile and --store${otherwise}.`,
  )
}

/** From flags to the engine: what an undo would do, or did. */
export const runUndo = {
  dry: async (bulk: BulkRun, run: Run<BulkFlags>, job: StoredJob): Promise<UndoPlan> =>
    (await import('../../transfer/undo.js')).planUndo(bulk.client, job, optionsOf(bulk, run)),
  write: async (bulk: BulkRun, run: Run<BulkFlags>, job: StoredJob): Promise<UndoResult> =>
    (await import('../../transfer/undo.js')).undoJob(bulk.client, job, optionsOf(bulk, run)),
}

const optionsOf = ({onEvent}: BulkRun, {flags: {concurrency, rate, retries}, folders}: Run<BulkFlags>) => ({
  jobsDir: jobsFolder(folders),
  onEvent,
  signal: interruption(),
  ...defined({concurrency, ratePerSecond: rate === undefined ? undefined : rateOf(rate), retries}),
})

const people = (count: number): string => (count === 1 ? '1 customer' : `${count} customers`)

/** What an undo would do, for people. */
export function undoPlanLines(plan: UndoPlan): string {
  const {read, restore, unchanged, conflict, refused} = plan
  const counts = [`${plan.delete} delete`, `${restore} restore`, `${unchanged} unchanged`, `${conflict} refused`]
  return [
    `${people(read)}: ${counts.join(', ')}`,
    ...refused.map(({id, line, reason}) => oneLine(`refused   line ${line} ${id}: ${reason}`)),
    ...(conflict > refused.length ? [`refused   and ${conflict - refused.length} more (the report lists each)`] : []),
    ...openLines(plan),
  ].join('\n')
}

/** The question before an undo. */
export function undoQuestion(plan: UndoPlan): string {
  const {undoOf, restore, conflict} = plan
  const refused = conflict === 0 ? '' : `, and leave ${people(conflict)} alone that cannot be taken back`
  return `Take back the job ${undoOf}: delete ${people(plan.delete)} that it created, restore ${people(restore)} that it changed${refused}?`
}

/** Rows whose end nobody knows. */
export const openLines = ({open, undoOf}: {readonly open: number; readonly undoOf: string}): string[] =>
  open === 0
    ? []
    : [
        `not taken back: ${open} rows that ${undoOf} may have sent when it was killed; continue it with --resume, and repeat this`,
      ]
