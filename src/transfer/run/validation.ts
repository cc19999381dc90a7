import {defined} from '../../domain/equal.js'
import {type CauseMembers, Causes} from '../check/causes.js'
import type {CheckedRow} from '../check/checked-rows.js'
import {type Listener, type LocatedIssue, located} from './events.js'

/** How many issues are kept to be shown; the rest are counted. */
export const maxIssues = 10_000

/** The rows of a file that the API would refuse. Nothing was written. Commands end with code 2. */
export class InvalidRows extends Error {
  override readonly name = 'InvalidRows'
  /** In the order of the rows; at most `maxIssues`. */
  readonly issues: readonly LocatedIssue[]
  readonly issueCount: number
  readonly rowCount: number
  /** How many files were read, whichever of them the issues are in. */
  readonly fileCount: number
  /** The same issues, and those beyond `maxIssues`, by what they have in common. */
  readonly causes: CauseMembers

  constructor({issues, issueCount, invalid, causes}: Validation, fileCount: number) {
    super(`${invalid === 1 ? '1 row is' : `${invalid} rows are`} not valid; nothing was written.`)
    this.issues = issues
    this.issueCount = issueCount
    this.rowCount = invalid
    this.fileCount = fileCount
    this.causes = causes.members
  }
}

export interface Validation {
  readonly rows: number
  readonly invalid: number
  /** In the order of the rows; at most `maxIssues`. */
  readonly issues: readonly LocatedIssue[]
  readonly issueCount: number
  readonly causes: Causes
  /** Rows that bring or get a plain password if they are created. */
  readonly passwords: number
}

export interface ValidateOptions {
  readonly rows: AsyncIterable<CheckedRow>
  /** Is shown every row, and told when there are no more. */
  readonly watch?: {note(row: CheckedRow): Promise<void> | undefined; end(): Promise<void>}
  /** Issues that the rows alone do not show; asked for valid rows, many at once. */
  readonly furtherIssues: (rows: readonly CheckedRow[]) => Promise<ReadonlyMap<CheckedRow, LocatedIssue>>
  /** Whether the question is worth asking for a row. */
  readonly needsFurther: (row: CheckedRow) => boolean
  readonly hasPassword: (row: CheckedRow) => boolean
  readonly onEvent: Listener
  readonly signal?: AbortSignal
}

const batchSize = 250
const tellEvery = 1000

/** Reads all rows and gathers what is wrong with them. */
export async function validate(options: ValidateOptions): Promise<Validation> {
  const {furtherIssues, needsFurther, hasPassword, onEvent, signal, watch} = options
  const issues: {issue: LocatedIssue; number: number}[] = []
  const causes = new Causes()
  let [rows, issueCount, invalidCount, passwords] = [0, 0, 0, 0]
  const add = (row: CheckedRow, found: readonly LocatedIssue[]): void => {
    invalidCount += 1
    issueCount += found.length
    for (const issue of found) {
      const {file, line, customer} = issue
      causes.add(issue, {file, line, ...defined({customer})}, 'invalid')
      if (issues.length < maxIssues) issues.push({issue, number: row.place.number})
    }
  }
  let open: CheckedRow[] = []
  const ask = async (): Promise<void> => {
    const found = await furtherIssues(open)
    for (const row of open) {
      const issue = found.get(row)
      if (issue) add(row, [issue])
    }
    open = []
  }
  for await (const row of options.rows) {
    signal?.throwIfAborted()
    const noted = watch?.note(row)
    if (noted) await noted
    rows += 1
    if (rows % tellEvery === 0) onEvent({type: 'checking', rows})
    if (row.issues.length > 0)
      add(
        row,
        row.issues.map((issue) => located(issue, row.place)),
      )
    else if (hasPassword(row)) passwords += 1
    if (row.issues.length > 0 || !needsFurther(row)) continue
    open.push(row)
    if (open.length >= batchSize) await ask()
  }
  await watch?.end()
  if (open.length > 0) await ask()
  onEvent({type: 'checked', rows, invalid: invalidCount})
  const inOrder = issues.toSorted((one, other) => one.number - other.number).map(({issue}) => issue)
  return {rows, invalid: invalidCount, issues: inOrder, issueCount, causes, passwords}
}
