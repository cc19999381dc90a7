/** Rows of one file of which the same is to be said. */
export interface CountedRows {
  readonly file: string
  readonly rows: number
  /** Of the first rows. */
  readonly lines: readonly number[]
}

const mostLines = 5

/** Counts rows by file and by what is to be said of them; of what differs within a group the first is kept. */
export class RowCounter<T extends object> {
  readonly #counts = new Map<string, T & CountedRows>()

  note(group: string, first: T, file: string, line: number): void {
    const name = `${group}\n${file}`
    const known = this.#counts.get(name) ?? {...first, file, rows: 0, lines: []}
    const lines = known.lines.length < mostLines ? [...known.lines, line] : known.lines
    this.#counts.set(name, {...known, rows: known.rows + 1, lines})
  }

  get all(): readonly (T & CountedRows)[] {
    return [...this.#counts.values()]
  }
}
