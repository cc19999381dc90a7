import {ApiError, Expected} from '../../domain/errors.js'
import type {CauseMembers} from '../check/causes.js'
import type {Counts} from '../jobs/journal-lines.js'
import {classifyFailure} from '../send/sender.js'
import {TooManyFailures} from './failure-limit.js'

/**
 * The run ended early; what was acknowledged is in the journal, and `resume` continues with the rest. `cause` says why.
 */
export class RunStopped extends Expected {
  override readonly name = 'RunStopped'
  readonly job: string
  readonly counts: Counts
  readonly interrupted: boolean
  readonly causes: CauseMembers

  constructor(
    job: string,
    counts: Counts,
    interrupted: boolean,
    cause: unknown,
    how: {causes?: CauseMembers; again?: string | undefined} = {},
  ) {
    const {causes = {}, again = 'Repeat the command with --resume to go on where it ended.'} = how
    const why = interrupted ? 'was interrupted' : `stopped: ${cause instanceof Error ? cause.message : String(cause)}`
    const hasTooMany = !interrupted && cause instanceof TooManyFailures
    const isDenied = !interrupted && cause instanceof ApiError && cause.statusCode === 401
    const mend = 'Mend the cause and repeat the command, or go on with --resume --max-failures 100%.'
    super(
      interrupted ? 'interrupted' : hasTooMany ? 'partial' : undefined,
      interrupted ? 'Interrupted' : hasTooMany ? cause.code : 'RunStopped',
      `The job ${job} ${why.replace(/\.?$/, '.')} ${counts.read} rows are finished.`,
      {
        hints: hasTooMany ? [mend] : [again, ...(isDenied ? ['Get new credentials first.'] : [])],
        details: [{job, ...counts}],
        more: {...causes},
        cause,
      },
    )
    this.job = job
    this.counts = counts
    this.interrupted = interrupted
    this.causes = causes
  }
}

/** Whether every other row would end like one that failed. */
export function concernsAll(error: unknown, {created, updated}: Counts): boolean {
  if (!(error instanceof ApiError)) return false
  const {congested, repeat} = classifyFailure(error)
  if (congested && !repeat) return true
  return error.statusCode === 401 || (error.is('insufficient_scope') && created + updated === 0)
}
