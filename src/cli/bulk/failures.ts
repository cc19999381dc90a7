import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {reportOf} from '../output/error-report.js'
import type {Ending} from '../process/exit-codes.js'
import {exitCodes} from '../process/exit-codes.js'
import {Failure} from '../process/failure.js'
import {type Position, positionText} from './summaries.js'

const shownIssues = 20

/** Runs a bulk task; what the engine throws becomes a failure with its exit code. `tell` shows the issues of rows. */
export async function withFailures<T>(task: () => Promise<T>, tell: (line: string) => void): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw await failureOf(error, tell)
  }
}

async function failureOf(error: unknown, tell: (line: string) => void): Promise<unknown> {
  const [{InputError}, {InvalidRows}, {RunStopped}] = await Promise.all([
    import('../../transfer/input/input-error.js'),
    import('../../transfer/run/validation.js'),
    import('../../transfer/run/execution.js'),
  ])
  if (error instanceof InputError) {
    const {message, remedy, file, line, column} = error
    const details = file === undefined ? [] : [{file, ...(line ? {line} : {}), ...(column ? {column} : {})}]
    return new Failure('usage', 'InvalidFile', message, {hints: remedy ? [remedy] : [], details, cause: error})
  }
  if (error instanceof InvalidRows) return invalidRows(error, tell)
  if (error instanceof RunStopped) return stopped(error)
  if (error instanceof Error && error.name === 'AbortError') {
    return new Failure('interrupted', 'Interrupted', 'Interrupted; nothing was written.', {
      hints: ['Repeat the command.'],
      cause: error,
    })
  }
  return error
}

interface Invalid extends Error {
  readonly issues: readonly (Position & {readonly column?: string; readonly message: string})[]
  readonly issueCount: number
  readonly fileCount: number
}

function invalidRows(error: Invalid, tell: (line: string) => void): Failure {
  for (const {column, message, ...place} of error.issues.slice(0, shownIssues)) {
    const position = positionText(place, error.fileCount)
    tell(`${position}${column === undefined ? '' : `, ${column}`}: ${message}`)
  }
  if (error.issueCount > shownIssues) tell(`and ${error.issueCount - shownIssues} more (--json lists them)`)
  const what = error.issues.some(({customer}) => customer !== undefined) ? 'these customers at the source' : 'the file'
  return new Failure('usage', 'InvalidRows', error.message, {
    hints: [`Correct ${what}, or leave such rows out with --skip-invalid.`],
    details: error.issues,
    cause: error,
  })
}

/** The failure of a stopped run: the code of its cause, and the hint that it can be resumed. */
function stopped(
  error: Error & {readonly interrupted: boolean; readonly counts: object; readonly job: string},
): Failure {
  const hint = 'Repeat the command with --resume to go on where it ended.'
  const details = [{job: error.job, ...error.counts}]
  if (error.interrupted) {
    return new Failure('interrupted', 'Interrupted', error.message, {hints: [hint], details, cause: error})
  }
  const {code, exitCode, correlationId, statusCode} = reportOf(error.cause)
  const ending = (Object.keys(exitCodes) as Ending[]).find((name) => exitCodes[name].code === exitCode) ?? 'bug'
  return new Failure(ending, code, error.message, {
    hints:
      error.cause instanceof ApiError && error.cause.statusCode === 401 ? [hint, 'Get new credentials first.'] : [hint],
    details,
    cause: error,
    ...defined({correlationId, statusCode}),
  })
}
