import type {UnusualValue} from '../../domain/customers/unusual.js'
import {defined} from '../../domain/equal.js'
import type {Place} from '../input/row.js'
import type {JoinCounts} from '../mapping/mapper.js'
import {type CountedRows, FilledFields} from './coverage.js'

const [mostLines, mostSamples] = [5, 10]

type Sampled = {readonly samples?: readonly string[]}

/** Counts rows by file and by what is to be said of them; of what differs within a group the first is kept. */
class RowCounter<T extends object> {
  readonly #counts = new Map<string, T & Sampled & CountedRows>()

  note(group: string, first: T & Sampled, {file, line, by}: Place): void {
    const name = `${group}\n${file}`
    const before = this.#counts.get(name)
    const known = before ?? {...first, file, rows: 0, lines: [], ...defined({by})}
    const lines = known.lines.length < mostLines ? [...known.lines, line] : known.lines
    const samples = before?.samples && first.samples && [...before.samples, ...first.samples].slice(0, mostSamples)
    this.#counts.set(name, {...known, rows: known.rows + 1, lines, ...(samples ? {samples} : {})})
  }

  get all(): readonly (T & CountedRows)[] {
    return [...this.#counts.values()]
  }
}

/** What is worth saying about a run's files beside their issues. */
export class Notes {
  /** Columns that were neither mapped nor members of a draft, by the file's name. */
  readonly ignored = new Map<string, ReadonlySet<string>>()
  maskedPasswords = 0
  readonly unusual = new RowCounter<UnusualValue & {readonly column?: string}>()
  /** Columns whose value belongs to an address that the row does not have. */
  readonly unplaced = new RowCounter<{readonly column: string}>()
  readonly duplicates = new RowCounter<object>()
  readonly joins: JoinCounts[] = []
  readonly filled = new FilledFields()

  /** A column that the run reads beside the map is not ignored. */
  takes(column: string): void {
    for (const [file, columns] of this.ignored)
      this.ignored.set(file, new Set([...columns].filter((one) => one !== column)))
  }
}
