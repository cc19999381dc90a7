import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {RunStopped} from '../../transfer/run/execution.js'
import type {InvalidRows} from '../../transfer/run/validation.js'
import {reportOf} from '../output/error-report.js'
import {type Ending, exitCodes} from '../process/exit-codes.js'
import {Failure} from '../process/failure.js'
import {interrupted} from '../process/interruption.js'
import {causeLines} from './cause-lines.js'

/** Runs a bulk task; what the engine throws becomes a failure with its exit code. `tell` shows the issues of rows. */
export async function withFailures<T>(task: () => Promise<T>, tell: (line: string) => void): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw await failureOf(error, tell)
  }
}

async function failureOf(error: unknown, tell: (line: string) => void): Promise<unknown> {
  const [{InputError}, {InvalidRows}, {RunStopped}, {NothingToUndo}, {TooManyFailures}] = await Promise.all([
    import('../../transfer/files/input-error.js'),
    import('../../transfer/run/validation.js'),
    import('../../transfer/run/execution.js'),
    import('../../transfer/undo/plan.js'),
    import('../../transfer/run/failure-limit.js'),
  ])
  if (error instanceof InputError) {
    const {message, remedy, file, line, column} = error
    const details = file === undefined ? [] : [{file, ...(line ? {line} : {}), ...(column ? {column} : {})}]
    return new Failure('usage', 'InvalidFile', message, {hints: remedy ? [remedy] : [], details, cause: error})
  }
  if (error instanceof NothingToUndo) {
    return new Failure('notFound', 'NothingToUndo', error.message, {hints: [error.remedy], cause: error})
  }
  if (error instanceof InvalidRows) return invalidRows(error, tell)
  if (error instanceof RunStopped) {
    return error.cause instanceof TooManyFailures ? tooMany(error, tell) : stopped(error, tell)
  }
  if (error instanceof TooManyFailures) {
    const hints = ['Nothing was written. Correct the file, or allow more with --max-failures.']
    return new Failure('usage', 'TooManyFailures', error.message, {hints, cause: error})
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return interrupted('Interrupted; nothing was written.', 'Repeat the command.')
  }
  return error
}

function invalidRows(error: InvalidRows, tell: (line: string) => void): Failure {
  for (const line of causeLines(error.causes, error.fileCount)) tell(line)
  const what = error.issues.some(({customer}) => customer !== undefined) ? 'these customers at the source' : 'the file'
  return new Failure('usage', 'InvalidRows', error.message, {
    hints: [`Correct ${what}, or leave such rows out with --skip-invalid.`],
    details: error.issues,
    more: {...error.causes},
    cause: error,
  })
}

/** A run that saw more failures than may be: what it wrote stays, as of one that came to its end with failures. */
function tooMany(error: RunStopped, tell: (line: string) => void): Failure {
  for (const line of causeLines(error.causes, 1)) tell(line)
  return new Failure('partial', 'TooManyFailures', error.message, {
    hints: ['Mend the cause and repeat the command, or go on with --resume --max-failures 100%.'],
    details: [{job: error.job, ...error.counts}],
    more: {...error.causes},
    cause: error,
  })
}

/** The failure of a stopped run: the code of its cause, and the hint that it can be resumed. */
function stopped(error: RunStopped, tell: (line: string) => void): Failure {
  for (const line of causeLines(error.causes, 1)) tell(line)
  const more = {...error.causes}
  const hint = error.remedy
  const details = [{job: error.job, ...error.counts}]
  if (error.interrupted) {
    return new Failure('interrupted', 'Interrupted', error.message, {hints: [hint], details, more, cause: error})
  }
  const {code, exitCode, correlationId, statusCode} = reportOf(error.cause)
  const ending = (Object.keys(exitCodes) as Ending[]).find((name) => exitCodes[name].code === exitCode) ?? 'bug'
  return new Failure(ending, code, error.message, {
    hints:
      error.cause instanceof ApiError && error.cause.statusCode === 401 ? [hint, 'Get new credentials first.'] : [hint],
    details,
    more,
    cause: error,
    ...defined({correlationId, statusCode}),
  })
}
