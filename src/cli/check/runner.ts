import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {reportOf} from '../output/error-report.js'
import type {Subject} from '../target/subject.js'

export interface Outcome {
  readonly name: string
  /** `error`: no answer could be had, so that the check is neither true nor false, and nothing after it was tried. */
  readonly result: 'passed' | 'failed' | 'error' | 'skipped'
  readonly durationMs: number
  /** What is worth knowing of a check that passed. */
  readonly detail?: string
  /** Why it is false, a sentence for each reason. */
  readonly failures: readonly string[]
}

export type Summary = ReturnType<typeof summaryOf>

export function summaryOf(suite: string, target: Subject, checks: readonly Outcome[]) {
  const count = (wanted: Outcome['result']): number => checks.filter(({result}) => result === wanted).length
  const [failed, errors] = [count('failed'), count('error')]
  return {
    suite,
    target,
    ok: failed + errors === 0,
    passed: count('passed'),
    failed,
    errors,
    skipped: count('skipped'),
    durationMs: Math.round(checks.reduce((sum, {durationMs}) => sum + durationMs, 0)),
    checks: checks.map((check) => ({...check, durationMs: Math.round(check.durationMs)})),
  }
}

/** Says what is not as it should be, in a sentence. */
export type Fail = (why: string) => void

/** One check step: says what is wrong, and returns what is worth knowing. What it throws is judged. */
export type CheckStep<A> = readonly [
  name: string,
  run: (on: A, fail: Fail) => Promise<string | undefined> | Promise<void>,
]

/** Thrown by a step: something is not as it should be. */
export class CheckFailed extends Error {}

/** What an exception means: the step is false; or, with `error`, nothing could be found out and the run ends with it. */
export interface Verdict {
  readonly failures: readonly string[]
  readonly error?: unknown
}

export interface RunOptions {
  /** Asked about every exception but CheckFailed. By default each is an error. */
  readonly judge?: (thrown: unknown, isFirst: boolean) => Verdict
  /** Skips what follows a step that is false, as it skips what follows an error. */
  readonly stopsAtFailure?: boolean
}

/** The steps that were run, and the error that ended the run, if one did. */
export interface Run {
  readonly checks: readonly Outcome[]
  readonly error?: unknown
}

/** Whether a status answers what was asked: a project that is down, throttled or elsewhere answers nothing. */
export const isAnswerStatus = (status: number): boolean =>
  status < 300 || (status >= 400 && status < 500 && ![408, 429].includes(status))

/** The same of what a request threw. A page that is not the API's is no answer. */
export const isAnswered = (thrown: unknown): boolean =>
  thrown instanceof ApiError && thrown.foreign === undefined && isAnswerStatus(thrown.statusCode)

const errorOf = (thrown: unknown): Verdict => ({failures: [reportOf(thrown).message], error: thrown})

export async function runSteps<A>(
  steps: Iterable<CheckStep<A>>,
  on: A,
  {judge = errorOf, stopsAtFailure = false}: RunOptions = {},
): Promise<Run> {
  const checks: Outcome[] = []
  let error: unknown
  let isOver = false
  for (const [name, step] of steps) {
    if (isOver) {
      checks.push({name, result: 'skipped', durationMs: 0, failures: []})
      continue
    }
    const started = performance.now()
    const failures: string[] = []
    let detail: string | undefined
    try {
      detail = (await step(on, (why) => failures.push(why))) ?? undefined
    } catch (thrown) {
      const isFirst = checks.length === 0
      const verdict: Verdict = thrown instanceof CheckFailed ? {failures: [thrown.message]} : judge(thrown, isFirst)
      failures.push(...verdict.failures)
      error = verdict.error
    }
    const durationMs = performance.now() - started
    const result = error !== undefined ? 'error' : failures.length === 0 ? 'passed' : 'failed'
    checks.push({name, result, ...defined({detail}), durationMs, failures})
    isOver = error !== undefined || (stopsAtFailure && result === 'failed')
  }
  return {checks, ...defined({error})}
}
