import type {WantedReference} from '../../domain/references.js'
import type {CheckedRow} from '../check/checked-rows.js'
import type {Issue} from '../input/row.js'
import type {Mode, PasswordMode} from '../input/row-draft.js'
import type {Planned} from '../write/plan-row.js'
import {isNamedReference, type NamedReference} from './references.js'
import {giveTexts, hasValues, referencesOfRow, refusalOf, typesOfRow} from './refusals.js'
import {nameOf, type OnUnchecked, type ReferenceLookUp, TargetReferences} from './target-references.js'
import {UniqueValues, type UniqueValuesOptions} from './unique-values.js'

export interface TargetChecksOptions extends UniqueValuesOptions {
  readonly mode: Mode
  readonly passwordMode: PasswordMode
  /** References come before the customers do, so that a plan cannot look them up. */
  readonly referencesComing: boolean
  /** Customer groups and stores that rows name by a key are created where they are missing. */
  readonly createsReferences: boolean
  readonly onUnchecked: OnUnchecked
}

interface Asked {
  readonly row: CheckedRow
  readonly isNew?: boolean
}

/** The rows that are to be written. */
const openIn = (plans: readonly Planned[]): readonly Asked[] =>
  plans.flatMap(({row, kind}) => (kind === 'create' || kind === 'update' ? [{row, isNew: kind === 'create'}] : []))

/** What the target says of rows before they are sent: the one place where plans and runs ask it. */
export class TargetChecks {
  readonly #options: TargetChecksOptions
  readonly #references: TargetReferences
  readonly #values: UniqueValues
  /** Customer groups and stores that are to be created, by kind and key. */
  readonly missing = new Map<string, NamedReference>()

  constructor(options: TargetChecksOptions) {
    this.#options = options
    this.#references = new TargetReferences(options.client, options.sender, options.onUnchecked)
    this.#values = new UniqueValues(options)
  }

  /** The plans with those rows in conflict that the target would refuse. */
  async planned(plans: readonly Planned[]): Promise<readonly Planned[]> {
    const open = openIn(plans)
    const [refused, taken] = await Promise.all([this.refusals(open), this.#values.taken(plans)])
    const refusals = new Map([...taken, ...refused])
    await this.#noteMissing(open, refusals)
    if (refusals.size === 0) return plans
    return plans.map((plan) => {
      const refusal = refusals.get(plan.row)
      return refusal ? {row: plan.row, kind: 'conflict', ...refusal} : plan
    })
  }

  /** Whether a row that the target refused for a value of another customer gets it once the other rows are written. */
  async waits(plan: Planned): Promise<boolean> {
    const isFree = async () => (await this.#values.taken([plan])).size === 0
    // The other row may have been written while this was found out.
    return (await isFree()) || isFree()
  }

  async findMissing(plans: readonly Planned[]): Promise<void> {
    if (!this.#options.createsReferences) return
    const open = openIn(plans)
    await this.#noteMissing(open, await this.refusals(open))
  }

  async #noteMissing(rows: readonly Asked[], refused: ReadonlyMap<CheckedRow, Issue>): Promise<void> {
    if (!this.#options.createsReferences) return
    const wanted = rows.flatMap(({row}) => (refused.has(row) ? [] : referencesOfRow(row.draft)))
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
  async refusals(rows: readonly Asked[]): Promise<ReadonlyMap<CheckedRow, Issue>> {
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
