import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import {ApiError} from '../../domain/errors.js'
import type {RowDraft} from '../check/row-draft.js'
import type {Outcome} from '../jobs/journal-lines.js'
import {comparable, creationOf} from './creation.js'
import type {CustomerCalls} from './customer-calls.js'
import {findCustomers, type Planned, type PlanOptions} from './plan.js'
import {type Sender, verdictOf} from './sender.js'

/** Retries of a row after version conflicts with other writers. */
const maxRevisions = 8

export interface WriterOptions extends PlanOptions {
  readonly calls: CustomerCalls
  readonly sender: Sender
  readonly newPassword: (draft: RowDraft) => Promise<string>
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
    switch (planned.kind) {
      case 'create':
        return this.#create(planned.row.draft)
      case 'update':
        return this.#update(planned.row.draft, planned.current, intended !== undefined)
      case 'unchanged':
        return {outcome: doneBefore(intended) ?? 'unchanged', id: planned.current.id}
      case 'skipped':
        return this.#skipped(planned, intended)
      case 'conflict':
        return {outcome: 'failed', code: planned.code, message: planned.message}
    }
  }

  #skipped({current, row}: Extract<Planned, {kind: 'skipped'}>, intended: Intended): Outcome {
    const ours = intended === 'create' && current !== undefined && this.#differs(current, row.draft).length === 0
    return {outcome: ours ? 'created' : 'skipped', ...(current ? {id: current.id} : {})}
  }

  #differs(current: Customer, draft: RowDraft) {
    return difference(current, comparable(draft, this.#options.passwordMode)).actions
  }

  async #create(draft: RowDraft): Promise<Outcome> {
    const {calls, sender, passwordMode, newPassword} = this.#options
    const body = await creationOf(draft, passwordMode, newPassword)
    const isOurs = calls.creationTest()
    let lost = false
    const once = async (): Promise<Customer> => {
      try {
        return await calls.create(body)
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
      const {id} = await sender.send(once, arrived)
      return {outcome: 'created', id}
    } catch (error) {
      if (!(error instanceof ApiError && error.is('DuplicateField'))) throw error
      return this.#afterDuplicate(draft, error, (found, isSame) => lost && isOurs(found, isSame))
    }
  }

  /** Decides after DuplicateField: this run's own lost write, or another client's customer. */
  async #afterDuplicate(
    draft: RowDraft,
    error: ApiError,
    isOurs: (found: Customer, isSame: boolean) => boolean,
  ): Promise<Outcome> {
    const found = await this.#find(draft)
    if (!found) throw error
    const same = this.#differs(found, draft).length === 0
    if (isOurs(found, same)) return {outcome: 'created', id: found.id}
    if (this.#options.mode === 'create') return {outcome: 'skipped', id: found.id}
    return same ? {outcome: 'unchanged', id: found.id} : this.#update(draft, found, false)
  }

  async #update(draft: RowDraft, planned: Customer, sentBefore: boolean): Promise<Outcome> {
    const {calls, sender} = this.#options
    let current = planned
    let sent = sentBefore
    for (let revision = 0; ; revision += 1) {
      const actions = this.#differs(current, draft)
      if (actions.length === 0) return {outcome: sent ? 'updated' : 'unchanged', id: current.id}
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
        const {id, version} = await sender.send(once, arrived)
        // A reference by id may name what the customer shows by key: then nothing changed after all.
        return {outcome: version === current.version && !sent ? 'unchanged' : 'updated', id}
      } catch (error) {
        const conflict = error instanceof ApiError && error.is('ConcurrentModification')
        const found = conflict && revision < maxRevisions ? await this.#find(draft) : undefined
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

const doneBefore = (intended: Intended): 'created' | 'updated' | undefined => {
  if (intended === undefined) return undefined
  return intended === 'create' ? 'created' : 'updated'
}
