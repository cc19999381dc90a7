import {Expected} from '../../domain/errors.js'
import {type CauseMembers, Causes} from '../check/causes.js'
import type {CheckedRow} from '../check/checked-rows.js'
import {batchSize} from '../send/batches.js'
import {isWorthAsking} from '../target/target-checks.js'
import {lacksPassword} from '../write/creation.js'
import type {Planned, PlanOptions} from '../write/plan-row.js'
import type {Listener, LocatedIssue} from './events.js'

/** How many issues are kept to be shown; the rest are counted. */
const maxIssues = 10_000

/** The rows of a file that the API would refuse. Nothing was written. Commands end with code 2. */
export class InvalidRows extends Expected {
  override readonly name = 'InvalidRows'
  /** In the order of the rows; at most `maxIssues`. */
  readonly issues: readonly LocatedIssue[]
  /** How many files were read, whichever of them the issues are in. */
  readonly fileCount: number
  /** The same issues, and those beyond `maxIssues`, by what they have in common. */
  readonly causes: CauseMembers

  constructor({issues, invalid, causes}: Validation, fileCount: number) {
    const what = issues.some(({customer, by}) => customer !== undefined && by === undefined)
      ? 'these customers at the source'
      : 'the file'
    super(
      'usage',
      'InvalidRows',
      `${invalid === 1 ? '1 row is' : `${invalid} rows are`} not valid; nothing was written.`,
      {
        hints: [`Correct ${what}, or leave such rows out with --skip-invalid.`],
        details: issues,
        more: {...causes.members},
      },
    )
    this.issues = issues
    this.fileCount = fileCount
    this.causes = causes.members
  }
}

type Validation = Awaited<ReturnType<typeof validate>>

interface ValidateOptions {
  readonly pieces: AsyncIterable<readonly CheckedRow[]>
  readonly plan: PlanOptions
  readonly planRows: (rows: readonly CheckedRow[]) => Promise<readonly Planned[]>
  /** Takes the valid rows, to find those that the target is sure to refuse. */
  readonly foreseen?: ((rows: readonly CheckedRow[]) => Promise<void>) | undefined
  readonly onEvent: Listener
  readonly signal?: AbortSignal
}

const tellEvery = 1000

/** `passwords`: rows that bring or get a plain one if they are created. `issues` come in the order of the rows. */
export async function validate(options: ValidateOptions) {
  const {plan, planRows, onEvent, signal, foreseen} = options
  const issues: {issue: LocatedIssue; number: number}[] = []
  const causes = new Causes()
  let [rows, invalid, passwords] = [0, 0, 0]
  const add = (row: CheckedRow, found: readonly LocatedIssue[]): void => {
    invalid += 1
    for (const issue of found) {
      causes.add(issue, row.place, 'invalid')
      if (issues.length < maxIssues) issues.push({issue, number: row.number})
    }
  }
  /** Rows that the target is asked about, many at a time. */
  const [toForesee, toPlan]: [CheckedRow[], CheckedRow[]] = [[], []]
  const ask = async (least: number): Promise<void> => {
    if (toForesee.length >= least) await foreseen?.(toForesee.splice(0))
    for (const planned of toPlan.length >= least ? await planRows(toPlan.splice(0)) : [])
      if (planned.kind === 'conflict' && planned.code === 'RequiredField') add(planned.row, [issueOf(planned)])
  }
  for await (const piece of options.pieces) {
    signal?.throwIfAborted()
    for (const row of piece) {
      rows += 1
      if (rows % tellEvery === 0) onEvent({type: 'checking', rows})
      if (row.issues.length > 0) {
        const found = row.issues.map((issue) => ({...row.place, ...issue}))
        add(row, found)
        continue
      }
      if (willBeHashed(row, plan)) passwords += 1
      if (foreseen && isWorthAsking(row)) toForesee.push(row)
      if (mustBringPassword(row, plan)) toPlan.push(row)
      if (Math.max(toForesee.length, toPlan.length) >= batchSize) await ask(batchSize)
    }
  }
  await ask(1)
  onEvent({type: 'checked', rows, invalid})
  const inOrder = issues.toSorted((one, other) => one.number - other.number).map(({issue}) => issue)
  return {rows, invalid, issues: inOrder, causes, passwords}
}

/** A row without a password is fine if its customer exists already; only then must the target be asked. */
const mustBringPassword = ({draft, leftOut}: CheckedRow, {mode, passwordMode}: PlanOptions): boolean =>
  leftOut === undefined && passwordMode === 'column' && mode !== 'update' && lacksPassword(draft)

function willBeHashed({draft, leftOut}: CheckedRow, {mode, passwordMode}: PlanOptions): boolean {
  if (leftOut !== undefined || passwordMode === 'external-auth' || mode === 'update') return false
  if (typeof draft.passwordHash === 'string') return false
  return typeof draft.password === 'string' || (passwordMode !== 'column' && lacksPassword(draft))
}

function issueOf({row, code, message}: Extract<Planned, {kind: 'conflict'}>): LocatedIssue {
  const column = row.mapper.columnOf(row.hasForeignHash ? 'passwordHash' : 'password')
  return {...row.place, column, code, message}
}

/** A target that does not keep a hash would make a customer without a password of it: there the hash counts as absent. */
export function withoutHash(row: CheckedRow): CheckedRow {
  const {passwordHash: _, ...draft} = row.draft
  return {...row, draft, hasForeignHash: true}
}
