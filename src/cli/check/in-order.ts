import type {Run} from './check-command.js'
import type {Outcome} from './outcome.js'

/** Tries something; a text that it returns is told of it, what it throws is why it is not so. */
export type Trial<A> = readonly [name: string, run: (on: A) => Promise<unknown>]

/** Something is not as it should be. */
export class False extends Error {}

export interface Judgement {
  readonly failures: readonly string[]
  /** Nothing could be found out, rather than that something is wrong. */
  readonly isError: boolean
}

/** Tries each in order; after one that is not so the rest is skipped, since it could tell nothing. */
export async function inOrder<A>(
  trials: readonly Trial<A>[],
  on: A,
  judge: (thrown: unknown) => Judgement,
): Promise<Run> {
  const checks: Outcome[] = []
  let error: unknown
  for (const [name, run] of trials) {
    if (checks.some(({result}) => result !== 'passed')) {
      checks.push({name, result: 'skipped', durationMs: 0, failures: []})
      continue
    }
    const started = performance.now()
    try {
      const detail = await run(on)
      const durationMs = performance.now() - started
      checks.push({name, result: 'passed', ...(typeof detail === 'string' ? {detail} : {}), durationMs, failures: []})
    } catch (thrown) {
      const {failures, isError} = judge(thrown)
      if (isError) error = thrown
      checks.push({name, result: isError ? 'error' : 'failed', durationMs: performance.now() - started, failures})
    }
  }
  return error === undefined ? {checks} : {checks, error}
}
