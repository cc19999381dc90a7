import type {Client} from '../../client/client.js'
import type {CheckedRow} from '../check/checked-rows.js'
import type {Issue} from '../input/row.js'
import type {Match, Mode, PasswordMode} from '../input/row-draft.js'
import {type CustomerCalls, callsOf} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'
import type {Planned} from '../write/plan-row.js'
import {referencesOfRow, refusalOf} from './refusals.js'
import {takenFrom} from './taken.js'
import {type OnUnchecked, TargetReferences} from './target-references.js'

export interface TargetChecksOptions {
  readonly client: Client
  readonly sender: Sender
  readonly match: Match
  readonly mode: Mode
  readonly passwordMode: PasswordMode
  /** References come before the customers do, so that a plan cannot look them up. */
  readonly referencesComing: boolean
  readonly onUnchecked: OnUnchecked
}

/** What the target says of rows before they are sent: the one place where plans and runs ask it. */
export class TargetChecks {
  readonly #options: TargetChecksOptions
  readonly #references: TargetReferences
  readonly #calls: CustomerCalls

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
    if (refusals.size + taken.size === 0) return plans
    return plans.map((plan) => {
      const refusal = refusals.get(plan.row) ?? taken.get(plan.row)
      return refusal ? {row: plan.row, kind: 'conflict', ...refusal} : plan
    })
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
    const languages = rows.some(({row}) => typeof row.draft.locale === 'string')
      ? await this.#references.languages()
      : undefined
    const shared = {
      looked: referencesComing ? {...looked, isUnchecked: () => true} : looked,
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
