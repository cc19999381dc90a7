import type {CheckedRow} from '../check/checked-rows.js'
import {lacksPassword} from '../write/creation.js'
import type {Planned, PlanOptions} from '../write/plan-row.js'
import type {LocatedIssue} from './events.js'

type Conflict = Extract<Planned, {kind: 'conflict'}>

/** A row without a password is fine if its customer exists already; only then must the target be asked. */
export const mustBringPassword = ({draft, leftOut}: CheckedRow, {mode, passwordMode}: PlanOptions): boolean =>
  leftOut === undefined && passwordMode === 'column' && mode !== 'update' && lacksPassword(draft)

/** Whether the target will hash a password if the row is new. */
export function willBeHashed({draft, leftOut}: CheckedRow, {mode, passwordMode}: PlanOptions): boolean {
  if (leftOut !== undefined || passwordMode === 'external-auth' || mode === 'update') return false
  if (typeof draft.passwordHash === 'string') return false
  return typeof draft.password === 'string' || (passwordMode !== 'column' && lacksPassword(draft))
}

export const isLackOfPassword = (planned: Planned): planned is Conflict =>
  planned.kind === 'conflict' && planned.code === 'RequiredField'

export function issueOf({row, code, message}: Conflict): LocatedIssue {
  const column = row.mapper.columnOf(row.hasForeignHash ? 'passwordHash' : 'password')
  return {...row.place, column, code, message}
}

/** A target that keeps no hashes would make customers without a password of them: there a hash counts as absent. */
export function withoutHash(row: CheckedRow): CheckedRow {
  const {passwordHash: _, ...draft} = row.draft
  return {...row, draft, hasForeignHash: true}
}
