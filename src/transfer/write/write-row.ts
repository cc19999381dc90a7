import {beforeImageOf} from '../../domain/customers/before-image.js'
import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {CheckedRow} from '../check/checked-rows.js'
import type {RowDraft} from '../input/row-draft.js'
import type {BeforeImages} from '../jobs/before-images.js'
import type {Outcome} from '../jobs/journal-lines.js'
import type {Created, Creations} from '../send/creations.js'
import type {CustomerCalls} from '../send/customer-calls.js'
import {type Sender, verdictOf} from '../send/sender.js'
import {comparable, creationOf} from './creation.js'
import {findCustomers, type Planned, type PlanOptions} from './plan-row.js'
import type {ResetLinks} from './reset-links.js'

/** Retries of a row after version conflicts with other writers. */
const maxRevisions = 8

export interface WriterOptions extends PlanOptions {
  readonly calls: CustomerCalls
  readonly creations: Creations
  readonly sender: Sender
  readonly newPassword: (draft: RowDraft) => Promise<string>
  /** Makes tokens for customers whose password nobody keeps, if the run does so. */
  readonly resetLinks?: ResetLinks | undefined
  /** A row that meets something else than was planned fails, instead of being planned anew. */
  readonly onlyAsPlanned?: boolean
  /** Keeps what an update is about to replace. */
  readonly images: Pick<BeforeImages, 'keep' | 'earlier'>
}

/** What the journal of a crashed run planned for the row: if it is found done, that run did it. */
export type Intended = 'create' | 'update' | undefined

/** Writes planned rows exactly once each, also when responses are lost. */
export class Writer {
  readonly #options: WriterOptions

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Does what was planned. Refusals are outcomes; throws only for what stops the run or may pass. */
  async write(planned: Planned, intended: Intended): Promise<Outcome> {
    const outcome = await this.#outcomeOf(planned, intended)
    const {resetLinks} = this.#options
    return resetLinks ? resetLinks.after(outcome, planned.row.draft, intended === 'create') : outcome
  }

  async #outcomeOf(planned: Planned, intended: Intended): Promise<Outcome> {
    switch (planned.kind) {
      case 'create':
        return this.#create(planned.row)
      case 'update':
        return this.#update(planned.row, planned.current, intended !== undefined)
      case 'unchanged':
        return this.#unchanged(planned, intended)
      case 'skipped':
        return this.#skipped(planned, intended)
      case 'conflict':
        return {outcome: 'failed', code: planned.code, message: planned.message}
    }
  }

  #unchanged({current, row}: Extract<Planned, {kind: 'unchanged'}>, intended: Intended): Outcome {
    const outcome = doneBefore(intended) ?? 'unchanged'
    const kept = outcome === 'updated' ? this.#options.images.earlier(row.number) : undefined
    return {outcome, id: current.id, ...(kept ? {...provenVersion(current, kept.image.upTo), image: kept.at} : {})}
  }

  #skipped({current, row}: Extract<Planned, {kind: 'skipped'}>, intended: Intended): Outcome {
    const ours = intended === 'create' && current !== undefined && this.#differs(current, row.draft).length === 0
    return {outcome: ours ? 'created' : 'skipped', ...(current ? {id: current.id} : {})}
  }

  #differs(current: Customer, draft: RowDraft) {
    return difference(current, comparable(draft, this.#options.passwordMode)).actions
  }

  async #create(row: CheckedRow): Promise<Outcome> {
    const {draft} = row
    const {calls, creations, passwordMode, newPassword} = this.#options
    const body = await creationOf(draft, passwordMode, newPassword)
    const isOurs = calls.creationTest()
    let lost = false
    const once = async (): Promise<Created> => {
      try {
        return await creations.create(body)
      } catch (error) {
        if (verdictOf(error).unclear) lost = true
        throw error
      }
    }
    /** The customer is there although no answer said so; another run may have made one like it. */
    const arrived = async (): Promise<Customer | undefined> => {
      const found = await this.#find(draft)
      return found && isOurs(found, this.#differs(found, draft).length === 0) ? found : undefined
    }
    try {
      const {id} = await creations.senderOf(body).send<Created>(once, arrived)
      return {outcome: 'created', id}
    } catch (error) {
      if (!(error instanceof ApiError && error.is('DuplicateField'))) throw error
      return this.#afterDuplicate(row, error, (found, isSame) => lost && isOurs(found, isSame))
    }
  }

  /** Decides after DuplicateField: this run's own lost write, or another client's customer. */
  async #afterDuplicate(
    row: CheckedRow,
    error: ApiError,
    isOurs: (found: Customer, isSame: boolean) => boolean,
  ): Promise<Outcome> {
    const {draft} = row
    const found = await this.#find(draft)
    if (!found) throw error
    const same = this.#differs(found, draft).length === 0
    if (isOurs(found, same)) return {outcome: 'created', id: found.id}
    if (this.#options.onlyAsPlanned) throw error
    if (this.#options.mode === 'create') return {outcome: 'skipped', id: found.id}
    return same ? {outcome: 'unchanged', id: found.id} : this.#update(row, found, false)
  }

  async #update({draft, number}: CheckedRow, planned: Customer, sentBefore: boolean): Promise<Outcome> {
    const {calls, sender, images} = this.#options
    let current = planned
    let sent = sentBefore
    for (let revision = 0; ; revision += 1) {
      const actions = this.#differs(current, draft)
      if (actions.length === 0) return {outcome: sent ? 'updated' : 'unchanged', id: current.id}
      const upTo = current.version + actions.length
      const {id, version} = current
      const image = await images.keep({row: number, id, version, upTo, ...beforeImageOf(current, actions)})
      const once = async (): Promise<Customer> => {
        try {
          return await calls.update(current, actions)
        } catch (error) {
          if (verdictOf(error).unclear) sent = true
          throw error
        }
      }
      const arrived = async (): Promise<Customer | undefined> => {
        const found = await this.#find(draft)
        return found && this.#differs(found, draft).length === 0 ? found : undefined
      }
      try {
        const after = await sender.send(once, arrived)
        // A reference by id may name what the customer shows by key: then nothing changed after all.
        if (after.version === version && !sent) return {outcome: 'unchanged', id}
        return {
          outcome: 'updated',
          id,
          ...(sent ? provenVersion(after, upTo) : {version: after.version}),
          ...defined({image}),
        }
      } catch (error) {
        const conflict = error instanceof ApiError && error.is('ConcurrentModification')
        const found =
          conflict && revision < (this.#options.onlyAsPlanned ? 0 : maxRevisions) ? await this.#find(draft) : undefined
        if (!found) throw error
        current = found
      }
    }
  }

  async #find(draft: RowDraft): Promise<Customer | undefined> {
    const {calls, sender, match} = this.#options
    const found = (await findCustomers([draft], match, calls, sender))(draft)
    return found.length === 1 ? found[0] : undefined
  }
}

/** The version of an update that was found done: a higher one than its actions lead to is of somebody else as well. */
const provenVersion = ({version}: Customer, upTo: number) => (version <= upTo ? {version} : {})

const doneBefore = (intended: Intended): 'created' | 'updated' | undefined => {
  if (intended === undefined) return undefined
  return intended === 'create' ? 'created' : 'updated'
}
