import {Failure} from '../process/failure.js'
import type {Run} from './check-command.js'
import type {Outcome} from './outcome.js'

/** One question to an endpoint; a sentence for everything that is not as it should be. */
export type Step<A> = readonly [name: string, run: (asked: A) => Promise<StepResult>]

export interface StepResult {
  readonly failures: readonly string[]
  readonly detail?: string
}

/** The endpoint broke a limit. */
export class LimitBroken extends Error {}

interface Told extends StepResult {
  readonly isSilent?: boolean
}

/** Asks everything in order. Where the first question finds nobody, the rest is skipped. */
export async function runSteps<A>(steps: readonly Step<A>[], asked: A): Promise<Run> {
  const checks: Outcome[] = []
  let error: Failure | undefined
  for (const [name, step] of steps) {
    if (error) {
      checks.push({name, result: 'skipped', durationMs: 0, failures: []})
      continue
    }
    const started = performance.now()
    const {failures, detail, isSilent}: Told = await step(asked).catch(silence)
    const durationMs = performance.now() - started
    if (isSilent && checks.length === 0) error = new Failure('unavailable', 'Unreachable', failures.join(' '))
    const result = error ? 'error' : failures.length === 0 ? 'passed' : 'failed'
    checks.push({name, result, durationMs, failures, ...(detail === undefined ? {} : {detail})})
  }
  return error ? {checks, error} : {checks}
}

/** A broken limit is an answer about the endpoint; a connection that fails is none. */
function silence(error: unknown): Told {
  if (error instanceof LimitBroken) return {failures: [error.message]}
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return {failures: [`No answer came (${reason}).`], isSilent: true}
}
