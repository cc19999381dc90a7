/** Values of one column that belong to an address, in rows without that address; `line` is that of the first. */
export interface UnplacedCount {
  readonly file: string
  readonly column: string
  readonly rows: number
  readonly line: number
}

/** Counts the rows of each file that have such values, by their column. */
export class UnplacedValues {
  readonly #counts = new Map<string, UnplacedCount>()

  note(file: string, column: string, line: number): void {
    const name = `${column} ${file}`
    const known = this.#counts.get(name)
    this.#counts.set(name, known ? {...known, rows: known.rows + 1} : {file, column, rows: 1, line})
  }

  get all(): readonly UnplacedCount[] {
    return [...this.#counts.values()]
  }
}
