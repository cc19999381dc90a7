import type {Client} from '../../client/client.js'
import {checkCount, parseAssertion, parseCountRange} from '../input/assertions.js'
import {reportOf} from '../output/error-report.js'
import {Failure} from '../process/failure.js'
import {cellText, valueAt} from '../render/fields.js'
import {ask} from './ask.js'
import type {Run} from './check-command.js'
import type {Outcome} from './outcome.js'
import type {Check, Suite} from './suite.js'

export interface RunOptions {
  /** Stops at the first check that is false. */
  readonly bail: boolean
  readonly repeat: number
  /** A document as the report may show it. */
  readonly masked: (document: unknown) => unknown
  /** Milliseconds of a clock that never goes back. */
  readonly elapsed?: () => number
}

/** Runs the checks in the order of the file, one at a time, round after round. */
export async function runSuite(client: Client, {checks}: Suite, options: RunOptions): Promise<Run> {
  const {repeat, bail, elapsed = () => performance.now()} = options
  const outcomes: Outcome[] = []
  let error: unknown
  let isOver = false
  for (let round = 1; round <= repeat; round += 1) {
    for (const check of checks) {
      const name = repeat === 1 ? check.name : `${check.name} (round ${round})`
      if (isOver) {
        outcomes.push({name, result: 'skipped', durationMs: 0, failures: []})
        continue
      }
      const started = elapsed()
      const done = await outcomeOf(client, check, options.masked)
      outcomes.push({name, ...done.verdict, durationMs: elapsed() - started})
      error = done.error
      isOver = error !== undefined || (bail && done.verdict.result === 'failed')
    }
  }
  return error === undefined ? {checks: outcomes} : {checks: outcomes, error}
}

type Verdict = Pick<Outcome, 'result' | 'failures'>

async function outcomeOf(
  client: Client,
  check: Check,
  masked: RunOptions['masked'],
): Promise<{readonly verdict: Verdict; readonly error?: unknown}> {
  try {
    const failures = await failuresOf(client, check, masked)
    return {verdict: {result: failures.length === 0 ? 'passed' : 'failed', failures}}
  } catch (error) {
    return {verdict: {result: 'error', failures: [reportOf(error).message]}, error}
  }
}

async function failuresOf(client: Client, check: Check, masked: RunOptions['masked']): Promise<string[]> {
  const answer = await ask(client, check)
  if ('refused' in answer) return [answer.refused]
  const {documents, count} = answer
  const texts = check.assert ?? (check.exists ? ['exists = true'] : [])
  const assertions = texts.map(parseAssertion)
  const counted = check.expectCount === undefined || count === undefined ? [] : countFailures(count, check.expectCount)
  return [
    ...counted,
    ...documents.flatMap((document, at) => {
      const which = documents.length > 1 ? ` of result ${at}` : ''
      const shown = masked(document)
      return assertions
        .filter(({path, holds}) => !holds(valueAt(document, path) ?? undefined))
        .map(({text, path}) => `${text}${which} is false: it is ${actual(valueAt(shown, path))}.`)
    }),
  ]
}

const maxShown = 200

function actual(value: unknown): string {
  if (value === undefined || value === null) return 'absent'
  const text = cellText(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

function countFailures(count: number, range: string): string[] {
  try {
    checkCount(count, parseCountRange(range))
    return []
  } catch (error) {
    if (error instanceof Failure) return [error.message]
    throw error
  }
}
