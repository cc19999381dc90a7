import type {UpdateAction} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import {merged} from '../../domain/customers/merge.js'
import type {MergeOptions, Written} from '../../domain/customers/written.js'
import {defined, grouped} from '../../domain/equal.js'
import type {CheckedRow} from '../check/checked-rows.js'
import {
  hasCustom,
  type Match,
  type MatchMember,
  type Mode,
  matchValueOf,
  memberOf,
  type PasswordMode,
  type RowDraft,
} from '../input/row-draft.js'
import {type CustomerCalls, findableOf, findEvery} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'
import {comparable, lacksPassword} from './creation.js'

/** What a row will do to its customer. */
export type Planned = {
  readonly row: CheckedRow
  readonly unreachable?: readonly string[]
  readonly kept?: readonly string[]
} & (
  | {readonly kind: 'create'}
  | {
      readonly kind: 'update'
      readonly current: Customer
      readonly actions: readonly UpdateAction[]
      readonly written?: Written
    }
  | {readonly kind: 'unchanged'; readonly current: Customer}
  /** The mode leaves the row alone. */
  | {readonly kind: 'skipped'; readonly reason: string; readonly current?: Customer}
  | {
      readonly kind: 'conflict'
      readonly code: string
      readonly message: string
      readonly column?: string
      readonly fix?: string
      /** Those that the row may mean. */
      readonly found?: readonly Customer[]
    }
)

export interface PlanOptions {
  readonly match: Match
  readonly mode: Mode
  readonly passwordMode: PasswordMode
  /** What becomes of members that somebody else has changed since the last run; `keep` if absent. */
  readonly onNewer?: OnNewer | undefined
  /** Whether addresses are removed that no run has brought; absent: those of customers of no earlier run. */
  readonly addresses?: MergeOptions['addresses']
}

export type OnNewer = 'keep' | 'overwrite' | 'fail'

const identityOf = (draft: RowDraft, member: MatchMember): string => matchValueOf(member, draft[member] ?? '')

/** The member and value by which a row finds its customer, for people. */
export function identityText(draft: RowDraft, match: Match): string {
  const member = memberOf(match, draft)
  return draft[member] === undefined ? `no ${member}` : `${member}=${draft[member]}`
}

/** Finds the customers that many rows may mean with few requests. */
export async function findCustomers(
  drafts: readonly RowDraft[],
  match: Match,
  calls: CustomerCalls,
  sender: Sender,
): Promise<ReadonlyMap<RowDraft, readonly Customer[]>> {
  const found = new Map<RowDraft, readonly Customer[]>()
  for (const [member, group] of grouped(drafts.map((draft) => [memberOf(match, draft), draft]))) {
    const values = [...new Set(group.map((draft) => identityOf(draft, member)))]
    // Only where a row names a reference is it compared with that of its customer.
    const expand = group.some(namesReference) ? undefined : []
    const customers = await findEvery(calls, sender, {member: findableOf(member), values, expand})
    const known = grouped(customers.map((one) => [matchValueOf(member, one[member] ?? ''), one]))
    for (const draft of group) found.set(draft, candidates(draft, member, known.get(identityOf(draft, member)) ?? []))
  }
  return found
}

const namesReference = (draft: RowDraft): boolean =>
  Boolean(draft.customerGroup ?? draft.customerGroupAssignments) || hasCustom(draft)

/** Customers of different stores may share an email: a row that names its stores means one of theirs, or a global one. */
function candidates(draft: RowDraft, member: MatchMember, found: readonly Customer[]): readonly Customer[] {
  const keys = new Set((draft.stores ?? []).map(({key}) => key))
  if (member !== 'email' || keys.size === 0 || keys.has(undefined)) return found
  return found.filter(({stores}) => stores.length === 0 || stores.some(({key}) => keys.has(key)))
}

const noPassword =
  'The row has no password for a customer who signs in with one; bring a column, generate passwords or create customers ' +
  'without (--password-mode).'

const foreignHash =
  'The row has only a password hash, and only a local server keeps those; generate passwords or create customers ' +
  'without (--password-mode generate or external-auth), or let them set their own (--password-mode reset-links).'

/** What the row means to the customers that it may mean. */
export function planRow(row: CheckedRow, found: readonly Customer[], options: PlanOptions): Planned {
  const {match, mode, passwordMode} = options
  const [current, ...others] = found
  const member = memberOf(match, row.draft)
  const identity = `${member} '${row.draft[member]}'`
  if (others.length > 0) {
    const message = `${found.length} customers have the ${identity}; match by something unique.`
    return {row, kind: 'conflict', code: 'Ambiguous', message, found}
  }
  if (!current) {
    if (mode === 'update') return {row, kind: 'skipped', reason: `There is no customer with the ${identity}.`}
    if (passwordMode !== 'column' || !lacksPassword(row.draft)) return {row, kind: 'create'}
    return {row, kind: 'conflict', code: 'RequiredField', message: row.hasForeignHash ? foreignHash : noPassword}
  }
  if (mode === 'create') return {row, kind: 'skipped', reason: `The ${identity} exists already.`, current}
  return planUpdate(row, current, options)
}

/** What a row means to its customer, compared with what earlier runs wrote if that is known. */
export function planUpdate(
  row: CheckedRow,
  current: Customer,
  {passwordMode, onNewer = 'keep', addresses}: PlanOptions,
  written?: Written,
): Planned {
  const draft = comparable(row.draft, passwordMode)
  const {desired, kept} = merged(current, draft, written, {
    ...{keepsNewer: onNewer !== 'overwrite', addresses},
    covers: row.mapper.covers,
  })
  if (kept.length > 0 && onNewer === 'fail') {
    const message = `Somebody has changed since the last run: ${kept.join(', ')}.`
    const fix = 'Bring it into the row, or choose with --on-newer.'
    return {row, kind: 'conflict', code: 'ChangedSince', message, fix}
  }
  const {actions, unreachable} = difference(current, desired)
  if (unreachable.includes('customerNumber')) {
    const message = `The customer has the number '${current.customerNumber}', which cannot be changed.`
    return {row, kind: 'conflict', code: 'InvalidOperation', message}
  }
  const also = {...(unreachable.length > 0 ? {unreachable} : {}), ...(kept.length > 0 ? {kept} : {})}
  if (actions.length === 0) return {row, kind: 'unchanged', current, ...also}
  return {row, kind: 'update', current, actions, ...defined({written}), ...also}
}
