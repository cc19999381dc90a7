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

/** Tells when a run has seen enough failures. Without a limit that is when its first hundred rows all failed alike. */
export class FailureLimit {
  readonly #most: number
  readonly #text: string
  /** The first rows of the run, and how many of them failed. */
  readonly #first = new Set<number>()
  #failed = 0
  #alike: string | undefined
  #watches: boolean

  constructor(max: MaxFailures | undefined, rows: number) {
    this.#watches = max === undefined
    this.#most = max === undefined ? Number.POSITIVE_INFINITY : 'rows' in max ? max.rows : (rows * max.percent) / 100
    this.#text = max === undefined ? '' : 'rows' in max ? `${max.rows}` : `${max.percent}%`
  }

  /** Whether so many failures are too many before anything is written. Throws TooManyFailures. */
  check(failed: number): void {
    if (failed > this.#most)
      throw new TooManyFailures(`${failed} rows fail; --max-failures ${this.#text} allows fewer.`)
  }

  begin(row: number): void {
    if (this.#watches && this.#first.size < alikeRows) this.#first.add(row)
  }

  /** Takes in a finished row. Throws TooManyFailures. */
  note(row: number, outcome: Outcome, counts: Counts): void {
    this.check(counts.failed)
    if (!this.#watches || !this.#first.has(row)) return
    const alike = outcome.outcome === 'failed' ? `${outcome.code} ${templateOf(outcome.message)}` : undefined
    this.#alike ??= alike
    this.#watches = alike !== undefined && alike === this.#alike
    if (this.#watches) this.#failed += 1
    if (this.#failed === alikeRows) throw new TooManyFailures(`The first ${alikeRows} rows all failed alike.`)
  }
}

/** `20`, `0.5%`: how many rows may fail. Undefined for other texts. */
export function maxFailuresOf(text: string): MaxFailures | undefined {
  const [, number = '', percent] = /^(\d{1,9}|\d{1,3}\.\d{1,6}(?=%))(%)?$/.exec(text) ?? []
  if (number === '') return undefined
  if (percent === undefined) return {rows: Number(number)}
  return Number(number) <= 100 ? {percent: Number(number)} : undefined
}
