import {type UnusualValue, unusualValues} from '../../domain/customers/unusual.js'
import type {Place} from '../input/row.js'
import type {RowDraft} from './row-draft.js'

/** Unusual values of one kind in one file; `value` and `line` are those of the first. */
export interface UnusualCount extends UnusualValue {
  readonly file: string
  readonly rows: number
  readonly line: number
}

/** Counts the rows of each file that hold unusual values, by their kind. */
export class UnusualCounts {
  readonly #counts = new Map<string, UnusualCount>()

  note(draft: RowDraft, {source: {name: file}, line}: Place): void {
    const found = new Map(unusualValues(draft).map((unusual) => [unusual.kind, unusual]))
    for (const unusual of found.values()) {
      const name = `${unusual.kind} ${file}`
      const known = this.#counts.get(name)
      this.#counts.set(name, known ? {...known, rows: known.rows + 1} : {...unusual, file, rows: 1, line})
    }
  }

  get all(): readonly UnusualCount[] {
    return [...this.#counts.values()]
  }
}
