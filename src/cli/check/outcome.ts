/** What became of the checks of one run, whoever ran them. */

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

export interface Summary {
  readonly suite: string
  readonly ok: boolean
  readonly passed: number
  readonly failed: number
  readonly errors: number
  readonly skipped: number
  readonly durationMs: number
  readonly checks: readonly Outcome[]
}

export function summaryOf(suite: string, checks: readonly Outcome[]): Summary {
  const count = (wanted: Outcome['result']): number => checks.filter(({result}) => result === wanted).length
  const [failed, errors] = [count('failed'), count('error')]
  return {
    suite,
    ok: failed + errors === 0,
    passed: count('passed'),
    failed,
    errors,
    skipped: count('skipped'),
    durationMs: Math.round(checks.reduce((sum, {durationMs}) => sum + durationMs, 0)),
    checks: checks.map((check) => ({...check, durationMs: Math.round(check.durationMs)})),
  }
}
