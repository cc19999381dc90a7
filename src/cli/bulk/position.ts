/** Where a row stands. */
export interface Position {
  readonly file: string
  readonly line: number
  readonly customer?: string | undefined
}

/** The position of a row, for people: with its file if there are several, and the customer instead in a copy. */
export const positionText = ({file, line, customer}: Position, fileCount: number): string =>
  customer ?? (fileCount > 1 ? `${file}, line ${line}` : `line ${line}`)
