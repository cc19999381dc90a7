import {InputError} from '../files/input-error.js'
import type {CheckedRow} from './checked-rows.js'
import {cellOf} from './duplicates.js'

const member = 'lastModifiedAt'

/** The rows of an export that changed at a moment or later, by the time that the export gives each. */
export class RecentRows {
  readonly #since: number
  #latest = Number.NEGATIVE_INFINITY

  /** Without a moment, every row is wanted. */
  constructor(since: string | undefined) {
    this.#since = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
  }

  /** Throws InputError for a row without a time. */
  isWanted(row: CheckedRow): boolean {
    const time = Date.parse(String(cellOf(row, member)))
    const {file, line, by = 'line'} = row.place
    if (Number.isNaN(time)) {
      throw new InputError(`${file}, ${by} ${line} has no ${member}, which tells whether a row changed.`, {
        file,
        line,
        remedy: 'Leave --since out, or export the customers anew.',
      })
    }
    if (time > this.#latest) this.#latest = time
    return time >= this.#since
  }

  /** The last change of all rows; undefined without rows. */
  get latest(): string | undefined {
    return Number.isFinite(this.#latest) ? new Date(this.#latest).toISOString() : undefined
  }
}
