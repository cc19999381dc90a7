import type {OnDuplicate} from '../check/duplicates.js'
import type {RecentRows} from '../check/recent-rows.js'
import type {Source} from '../input/row.js'
import type {Match} from '../input/row-draft.js'
import type {Mapping} from '../mapping/mapping.js'
import {type Runtime, systemRuntime} from '../send/runtime.js'
import {sendingOf} from '../send/sender.js'
import type {PlanOptions} from '../write/plan-row.js'
import type {Listener} from './events.js'
import type {MaxFailures} from './failure-limit.js'

/** How a run sends requests, and what follows it. */
export interface RunOptions {
  /** Requests in flight at the most; 16 unless said otherwise. */
  readonly concurrency?: number
  readonly ratePerSecond?: number
  /** Repeats of each request after the first try. */
  readonly retries?: number
  readonly onEvent?: Listener
  readonly signal?: AbortSignal
  readonly runtime?: Runtime
}

/** The options with their defaults. All senders of the run share one limit, and report what holds them up. */
export function runOf({concurrency = 16, runtime = systemRuntime, onEvent = () => undefined, ...rest}: RunOptions) {
  const limit = Math.max(1, concurrency)
  const sending = sendingOf({
    ...rest,
    runtime,
    concurrency: limit,
    onThrottle: (pressure) => onEvent({type: 'throttled', pressure}),
    onRetry: (error) => onEvent({type: 'retry', error}),
  })
  return {runtime, onEvent, concurrency: limit, sending}
}

/** What every bulk run over rows needs, whether it writes or only looks. */
export interface BulkOptions extends RunOptions, Partial<PlanOptions> {
  /** Where journals and reports are kept, and what earlier runs wrote. */
  readonly jobsDir?: string
  /** What the job's journal calls the target, so that a job is never resumed elsewhere. */
  readonly target?: string
  readonly mapping?: Mapping
  /** If the sources are reports: the files that they report on, for the passwords that reports never have. */
  readonly originals?: readonly Source[]
  /** Rows that are not valid are left out and count as failed, instead of stopping the run. */
  readonly skipInvalid?: boolean
  /** Which of several rows about one customer counts; absent: all but the first are not valid. */
  readonly onDuplicate?: OnDuplicate
  /** A run ends early when more rows fail; absent: when its first hundred rows all fail alike. */
  readonly maxFailures?: MaxFailures
  /** Only rows that changed lately, where the export tells the time of each change. */
  readonly recent?: RecentRows
  /**
   * How the target hashes passwords, if that is known: the run announces the expected time before it sends anything.
   */
  readonly hashing?: {readonly msPerHash: number; readonly workers: number}
  /** Customer groups and stores that rows name by a key and the target lacks are created first. */
  readonly createsReferences?: boolean
  /** The run creates the references before the customers, so that a plan does not find them yet. */
  readonly referencesComing?: boolean
}

/** By what the rows of a run find their customers. */
export const matchOf = ({match, mapping}: Pick<BulkOptions, 'match' | 'mapping'>): Match =>
  match ?? mapping?.match ?? 'key'
