import {defined} from '../../domain/equal.js'
import {reportOf} from '../output/error-report.js'
import type {Outcome} from './outcome.js'

/** One check step: returns what is wrong, or worth knowing. What it throws is judged. */
export type CheckStep<A> = readonly [name: string, run: (on: A) => Promise<StepOutcome> | Promise<void>]

export interface StepOutcome {
  /** Why it is false, a sentence for each reason. */
  readonly failures?: readonly string[]
  /** What is worth knowing all the same. */
  readonly detail?: string
}

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

const errorOf = (thrown: unknown): Verdict => ({failures: [reportOf(thrown).message], error: thrown})

async function outcomeOf(
  step: Promise<StepOutcome> | Promise<void>,
  judge: (thrown: unknown) => Verdict,
): Promise<StepOutcome & Partial<Verdict>> {
  try {
    return (await step) ?? {}
  } catch (thrown) {
    return thrown instanceof CheckFailed ? {failures: [thrown.message]} : judge(thrown)
  }
}

/** Runs the steps in order, one at a time. */
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
    const {failures = [], detail, ...ended} = await outcomeOf(step(on), (thrown) => judge(thrown, checks.length === 0))
    const durationMs = performance.now() - started
    error = ended.error
    const result = error !== undefined ? 'error' : failures.length === 0 ? 'passed' : 'failed'
    checks.push({name, result, ...defined({detail}), durationMs, failures})
    isOver = error !== undefined || (stopsAtFailure && result === 'failed')
  }
  return {checks, ...defined({error})}
}
