import {Expected} from '../../domain/errors.js'
import {templateOf} from '../check/causes.js'
import type {Counts, Outcome} from '../jobs/journal-lines.js'

/** How many rows may fail: so many, or so many of a hundred rows of the run. */
export type MaxFailures = {readonly rows: number} | {readonly percent: number}

/** More rows failed than may (decision 46). The job can be resumed, with a higher limit. */
export class TooManyFailures extends Expected {
  override readonly name = 'TooManyFailures'

  constructor(message: string) {
    const hints = ['Nothing was written. Correct the file, or allow more with --max-failures.']
    super('usage', 'TooManyFailures', message, {hints})
  }
}

/** As many rows as say that all others will fail as well. */
const alikeRows = 100

export type FailureLimit = ReturnType<typeof failureLimit>

/** Tells when a run has seen enough failures. Without a limit that is when its first hundred rows all failed alike. */
export function failureLimit(max: MaxFailures | undefined, rows: number) {
  const [most, text] =
    max === undefined
      ? [Number.POSITIVE_INFINITY, '']
      : 'rows' in max
        ? [max.rows, `${max.rows}`]
        : [(rows * max.percent) / 100, `${max.percent}%`]
  /** The first rows of the run, and how many of them failed. */
  const first = new Set<number>()
  let [failures, watches] = [0, max === undefined]
  let known: string | undefined
  /** Whether so many failures are too many before anything is written. Throws TooManyFailures. */
  const check = (failed: number): void => {
    if (failed > most) throw new TooManyFailures(`${failed} rows fail; --max-failures ${text} allows fewer.`)
  }
  return {
    check,
    begin(row: number): void {
      if (watches && first.size < alikeRows) first.add(row)
    },
    /** Takes in a finished row. Throws TooManyFailures. */
    note(row: number, outcome: Outcome, counts: Counts): void {
      check(counts.failed)
      if (!watches || !first.has(row)) return
      const alike = outcome.outcome === 'failed' ? `${outcome.code} ${templateOf(outcome.message)}` : undefined
      known ??= alike
      watches = alike !== undefined && alike === known
      if (watches) failures += 1
      if (failures === alikeRows) throw new TooManyFailures(`The first ${alikeRows} rows all failed alike.`)
    },
  }
}

/** `20`, `0.5%`: how many rows may fail. Undefined for other texts. */
export function maxFailuresOf(text: string): MaxFailures | undefined {
  const [, number = '', percent] = /^(\d{1,9}|\d{1,3}\.\d{1,6}(?=%))(%)?$/.exec(text) ?? []
  if (number === '') return undefined
  if (percent === undefined) return {rows: Number(number)}
  return Number(number) <= 100 ? {percent: Number(number)} : undefined
}
