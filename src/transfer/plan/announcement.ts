import {defined} from '../../domain/equal.js'
import {Causes} from '../check/causes.js'
import type {CheckedRow} from '../check/checked-rows.js'
import type {Listener} from '../run/events.js'
import {isWorthAsking, type TargetChecks} from './target-checks.js'

const batchSize = 250

/** Counts, while rows are read for the first time, those that the target is sure to refuse. */
export class Announcement {
  readonly #target: TargetChecks
  readonly #causes = new Causes()
  #open: CheckedRow[] = []
  failing = 0

  constructor(target: TargetChecks) {
    this.#target = target
  }

  /** Notes a row; a promise if the target is asked about it and those before it. */
  note(row: CheckedRow): Promise<void> | undefined {
    if (row.issues.length === 0 && isWorthAsking(row)) this.#open.push(row)
    return this.#open.length >= batchSize ? this.end() : undefined
  }

  tell(onEvent: Listener): void {
    if (this.failing > 0) onEvent({type: 'will-fail', rows: this.failing, causes: this.#causes.members})
  }

  /** Asks about the rows that are left. */
  async end(): Promise<void> {
    const refusals = await this.#target.refusals(this.#open.map((row) => ({row})))
    this.#open = []
    for (const [{place}, refusal] of refusals) {
      this.failing += 1
      const {source, line, customer} = place
      this.#causes.add(refusal, {file: source.name, line, ...defined({customer})}, 'conflict')
    }
  }
}
