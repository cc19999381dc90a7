import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import {canonicalEmail, clashOf, uniqueKeysOf} from '../../domain/customers/identity.js'
import type {WantedReference} from '../../domain/references.js'
import type {CheckedRow} from '../check/checked-rows.js'
import type {Issue} from '../input/row.js'
import {type Match, type Mode, memberOf, type PasswordMode, type RowDraft} from '../input/row-draft.js'
import {type CustomerCalls, callsOf, type Findable, findableOf, findEvery} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'
import type {Planned} from '../write/plan-row.js'
import {isNamedReference, type NamedReference} from './references.js'
import {giveTexts, hasValues, referencesOfRow, refusalOf, typesOfRow} from './refusals.js'
import {nameOf, type OnUnchecked, type ReferenceLookUp, TargetReferences} from './target-references.js'

export interface TargetChecksOptions {
  readonly client: Client
  readonly sender: Sender
  readonly match: Match
  readonly mode: Mode
  readonly passwordMode: PasswordMode
  /** References come before the customers do, so that a plan cannot look them up. */
  readonly referencesComing: boolean
  /** Customer groups and stores that rows name by a key are created where they are missing. */
  readonly createsReferences: boolean
  readonly onUnchecked: OnUnchecked
}

/** What the target says of rows before they are sent: the one place where plans and runs ask it. */
export class TargetChecks {
  readonly #options: TargetChecksOptions
  readonly #references: TargetReferences
  readonly #calls: CustomerCalls
  /** Customer groups and stores that are to be created, by kind and key. */
  readonly missing = new Map<string, NamedReference>()

  constructor(options: TargetChecksOptions) {
    this.#options = options
    this.#references = new TargetReferences(options.client, options.sender, options.onUnchecked)
    this.#calls = callsOf(options.client, [])
  }

  /** The plans with those rows in conflict that the target would refuse. */
  async planned(plans: readonly Planned[]): Promise<readonly Planned[]> {
    const open = plans.filter(({kind}) => kind === 'create' || kind === 'update')
    const created = plans.filter(({kind}) => kind === 'create').map(({row}) => row)
    const [refusals, taken] = await Promise.all([
      this.refusals(open.map(({row, kind}) => ({row, isNew: kind === 'create'}))),
      takenFrom(created, this.#options.match, this.#calls, this.#options.sender),
    ])
    await this.#noteMissing(open.flatMap(({row}) => (refusals.has(row) || taken.has(row) ? [] : row)))
    if (refusals.size + taken.size === 0) return plans
    return plans.map((plan) => {
      const refusal = refusals.get(plan.row) ?? taken.get(plan.row)
      return refusal ? {row: plan.row, kind: 'conflict', ...refusal} : plan
    })
  }

  /** Finds what is to be created for rows that will be written. */
  async findMissing(plans: readonly Planned[]): Promise<void> {
    if (!this.#options.createsReferences) return
    const open = plans.filter(({kind}) => kind === 'create' || kind === 'update')
    const refusals = await this.refusals(open.map(({row, kind}) => ({row, isNew: kind === 'create'})))
    await this.#noteMissing(open.flatMap(({row}) => (refusals.has(row) ? [] : row)))
  }

  async #noteMissing(rows: readonly CheckedRow[]): Promise<void> {
    if (!this.#options.createsReferences) return
    const wanted = rows.flatMap(({draft}) => referencesOfRow(draft))
    const looked = await this.#references.lookUp(wanted)
    for (const one of wanted) if (this.#isComing(looked, one)) this.missing.set(nameOf(one), one)
  }

  /** Gives custom fields of rows the texts that their types want; the target would refuse numbers there. */
  async type(rows: readonly CheckedRow[]): Promise<void> {
    if (this.#options.referencesComing) return
    const drafts = rows.flatMap(({draft}) => (hasValues(draft) ? [draft] : []))
    if (drafts.length === 0) return
    const {found} = await this.#references.lookUp(drafts.flatMap(typesOfRow))
    for (const draft of drafts) giveTexts(draft, found)
  }

  /** What is to be created counts as there. */
  #isComing({found, isUnchecked}: ReferenceLookUp, one: WantedReference): one is NamedReference {
    return (
      this.#options.createsReferences && isNamedReference(one) && found.find(one) === undefined && !isUnchecked(one)
    )
  }

  /** Why rows would be refused; `isNew` is absent where nobody knows yet whether the row creates a customer. */
  async refusals(
    rows: readonly {readonly row: CheckedRow; readonly isNew?: boolean}[],
  ): Promise<ReadonlyMap<CheckedRow, Issue>> {
    const {client, mode, passwordMode, referencesComing} = this.#options
    const refusals = new Map<CheckedRow, Issue>()
    if (!rows.some(({row}) => isWorthAsking(row))) return refusals
    const wanted = referencesComing ? [] : rows.flatMap(({row}) => referencesOfRow(row.draft))
    const looked = await this.#references.lookUp(wanted)
    for (const {row} of rows) giveTexts(row.draft, looked.found)
    const languages = rows.some(({row}) => typeof row.draft.locale === 'string')
      ? await this.#references.languages()
      : undefined
    const shared = {
      looked: {
        ...looked,
        isUnchecked: (one: WantedReference) =>
          referencesComing || looked.isUnchecked(one) || this.#isComing(looked, one),
      },
      languages,
      sendsHash: mode !== 'update' && passwordMode !== 'external-auth',
      storeKey: client.storeKey,
    }
    for (const {row, isNew} of rows) {
      const refusal = refusalOf(row.draft, {...shared, isNew, columnOf: row.mapper.columnOf})
      if (refusal) refusals.set(row, refusal)
    }
    return refusals
  }
}

/** Most rows of most files refer to nothing. */
export const isWorthAsking = ({draft}: CheckedRow): boolean =>
  typeof draft.locale === 'string' || typeof draft.passwordHash === 'string' || referencesOfRow(draft).length > 0

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const valuesOf: Readonly<Record<Exclude<Findable, 'externalId'>, (draft: RowDraft) => unknown>> = {
  lowercaseEmail: ({email}) => (isText(email) ? canonicalEmail(email) : undefined),
  key: ({key}) => key,
  customerNumber: ({customerNumber}) => customerNumber,
}

/** A store that is named by id has no key here: of such a row only the key and the number can be compared. */
function wantedBy({email, stores, key, customerNumber}: RowDraft): ReturnType<typeof uniqueKeysOf> {
  const keys = (stores ?? []).map((store) => store.key)
  const wanted = uniqueKeysOf({
    email: email ?? '',
    stores: keys.flatMap((one) => (one === undefined ? [] : [{typeId: 'store' as const, key: one}])),
    ...(isText(key) ? {key} : {}),
    ...(isText(customerNumber) ? {customerNumber} : {}),
  })
  return isText(email) && !keys.includes(undefined) ? wanted : wanted.filter((one) => !one.key.startsWith('email:'))
}

/**
 * Why rows cannot create their customers, whose email, key or number another one of the target holds: a query for many
 * values of each member but that of `match`.
 */
async function takenFrom(
  rows: readonly CheckedRow[],
  match: Match,
  calls: CustomerCalls,
  sender: Sender,
): Promise<ReadonlyMap<CheckedRow, Issue>> {
  /** Unique keys of customers who exist, and whether others may share each. */
  const held = new Map<string, boolean>()
  const members = Object.entries(valuesOf) as [Findable, (draft: RowDraft) => unknown][]
  const found = await Promise.all(
    members.map(([member, read]) => {
      const asked = rows.filter(({draft}) => findableOf(memberOf(match, draft)) !== member)
      const values = [...new Set(asked.map(({draft}) => read(draft)).filter(isText))]
      return findEvery(calls, sender, {member, values})
    }),
  )
  for (const customer of found.flat() as Customer[]) {
    for (const {key, shared} of uniqueKeysOf({...customer, stores: (customer as Partial<Customer>).stores ?? []})) {
      held.set(key, shared === true && held.get(key) !== false)
    }
  }
  const taken = new Map<CheckedRow, Issue>()
  for (const row of rows) {
    const clash = wantedBy(row.draft).find(({key, shared}) => held.has(key) && !(shared && held.get(key)))
    if (!clash) continue
    const {errors} = clashOf(clash.key, 'held', row.draft)
    const {code, message, field} = errors[0] as {code: string; message: string; field?: string}
    taken.set(row, {column: row.mapper.columnOf(field ?? 'email'), code, message, fix})
  }
  return taken
}

const fix = 'Another customer has it: find that one with --match, or correct the column.'
