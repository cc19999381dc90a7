import type {RecentRows} from '../check/recent-rows.js'
import type {Source} from '../input/row.js'
import type {Match} from '../input/row-draft.js'
import type {Mapping} from '../mapping/mapping.js'
import type {Runtime} from '../send/runtime.js'
import type {PlanOptions} from '../write/plan-row.js'
import type {Listener} from './events.js'
import type {MaxFailures} from './failure-limit.js'

/** What every bulk run over rows needs, whether it writes or only looks. */
export interface BulkOptions extends Partial<PlanOptions> {
  readonly mapping?: Mapping
  /** If the sources are reports: the files that they report on, for the passwords that reports never have. */
  readonly originals?: readonly Source[]
  /** Rows that are not valid are left out and count as failed, instead of stopping the run. */
  readonly skipInvalid?: boolean
  /** A run ends early when more rows fail; absent: when its first hundred rows all fail alike. */
  readonly maxFailures?: MaxFailures
  /** Only this part of the rows, `2/8`, by a hash of what customers are found by. All rows are still checked. */
  readonly shard?: string
  /** Only rows that changed lately, by the time that an export gives each. */
  readonly recent?: RecentRows
  /** Requests in flight at the most; 16 unless said otherwise. */
  readonly concurrency?: number
  readonly ratePerSecond?: number
  /** Repeats of each request after the first try. */
  readonly retries?: number
  /** How the target hashes passwords, if that is known: the expected time is told before anything is sent. */
  readonly hashing?: {readonly msPerHash: number; readonly workers: number}
  /** References come before the customers do, so that a plan cannot look them up. */
  readonly referencesComing?: boolean
  readonly onEvent?: Listener
  readonly signal?: AbortSignal
  readonly runtime?: Runtime
}

export const defaults = {match: 'key', mode: 'upsert', passwordMode: 'column', concurrency: 16, retries: 10} as const

/** By what the rows of a run find their customers. */
export const matchOf = ({match, mapping}: Pick<BulkOptions, 'match' | 'mapping'>): Match =>
  match ?? mapping?.match ?? defaults.match
