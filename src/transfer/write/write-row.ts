import type {UpdateAction} from '../../domain/action.js'
import {beforeImageOf} from '../../domain/customers/before-image.js'
import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import type {Written} from '../../domain/customers/written.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {limits} from '../../work/limits.js'
import type {CheckedRow} from '../check/checked-rows.js'
import type {RowDraft} from '../input/row-draft.js'
import type {BeforeImages} from '../jobs/before-images.js'
import type {Outcome} from '../jobs/journal-lines.js'
import type {Memory} from '../jobs/memory.js'
import type {CustomerCalls} from '../send/customer-calls.js'
import {classifyFailure, type Sender} from '../send/sender.js'
import {comparable, creationOf} from './creation.js'
import {findCustomers, type Planned, type PlanOptions, planUpdate} from './plan-row.js'
import type {ResetLinks} from './reset-links.js'

/** Requests of an update: more after version conflicts with other writers, and for more actions than a request may have. */
const maxRounds = 20

export interface WriterOptions extends PlanOptions {
  readonly calls: CustomerCalls
  readonly sender: Sender
  readonly newPassword: (draft: RowDraft) => Promise<string>
  /** Makes tokens for customers whose password nobody keeps, if the run does so. */
  readonly resetLinks?: ResetLinks | undefined
  /** A row that meets something else than was planned fails, instead of being planned anew. */
  readonly onlyAsPlanned?: boolean
  readonly memory?: Memory | undefined
  readonly images: Pick<BeforeImages, 'keep' | 'earlier'>
}

/** A customer who is to become what a row says. */
type Updated = Pick<Extract<Planned, {kind: 'update'}>, 'row' | 'current' | 'written'>

/** What the journal of a crashed run planned for the row: if it is found done, that run did it. */
export type IntendedWrite = 'create' | 'update' | undefined

/** Writes planned rows exactly once each, also when responses are lost. */
export class Writer {
  readonly #options: WriterOptions

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Does what was planned. Refusals are outcomes; throws only for what stops the run or may pass. */
  async write(planned: Planned, intended: IntendedWrite): Promise<Outcome> {
    const written = await this.#outcomeOf(planned, intended)
    const {resetLinks, memory, passwordMode} = this.#options
    const {draft} = planned.row
    const outcome = resetLinks ? await resetLinks.after(written, draft, intended === 'create') : written
    if (memory && outcome.outcome !== 'failed' && outcome.outcome !== 'skipped' && outcome.id !== undefined) {
      const unchanged = planned.kind === 'unchanged' ? planned.current.version : undefined
      const version = outcome.outcome === 'created' ? 1 : (outcome.version ?? unchanged)
      const noting = memory.note({id: outcome.id, version}, comparable(draft, passwordMode))
      if (noting) await noting
    }
    return outcome
  }

  #outcomeOf(planned: Planned, intended: IntendedWrite): Outcome | Promise<Outcome> {
    switch (planned.kind) {
      case 'create':
        return this.#create(planned.row)
      case 'update':
        return this.#update(planned, intended !== undefined)
      case 'unchanged':
        return this.#unchanged(planned, intended)
      case 'skipped':
        return this.#skipped(planned, intended)
      case 'conflict':
        return {outcome: 'failed', code: planned.code, message: planned.message}
    }
  }

  #unchanged({current, row, kept}: Extract<Planned, {kind: 'unchanged'}>, intended: IntendedWrite): Outcome {
    const outcome = intended === undefined ? 'unchanged' : intended === 'create' ? 'created' : 'updated'
    const image = outcome === 'updated' ? this.#options.images.earlier(row.number) : undefined
    const place = image ? {...provenVersion(current, image.image.upTo), image: image.at} : {}
    return {outcome, id: current.id, ...place, ...defined({kept})}
  }

  #skipped({current, row}: Extract<Planned, {kind: 'skipped'}>, intended: IntendedWrite): Outcome {
    const ours = intended === 'create' && current !== undefined && this.#differs(current, row.draft).length === 0
    return {outcome: ours ? 'created' : 'skipped', ...(current ? {id: current.id} : {})}
  }

  #differs(current: Customer, draft: RowDraft) {
    return difference(current, comparable(draft, this.#options.passwordMode)).actions
  }

  async #create(row: CheckedRow): Promise<Outcome> {
    const {draft} = row
    const {calls, sender, passwordMode, newPassword} = this.#options
    const made = creationOf(draft, passwordMode, newPassword)
    const body = made instanceof Promise ? await made : made
    const isOurs = calls.creationTest()
    let lost = false
    const once = () => calls.create(body)
    /** After an answer was lost: the customer is there all the same. Another run may have made one like it. */
    const arrived = async (): Promise<Customer | undefined> => {
      lost = true
      const found = await this.#find(draft)
      return found && isOurs(found, this.#differs(found, draft).length === 0) ? found : undefined
    }
    try {
      const {id} = await sender.send<Pick<Customer, 'id' | 'version'>>(once, arrived)
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
    return same ? {outcome: 'unchanged', id: found.id} : this.#update({row, current: found}, false)
  }

  /** An update has as many requests as its actions need, each at the version that the one before led to. */
  async #update({row, current: planned, written}: Updated, sentBefore: boolean): Promise<Outcome> {
    const {calls, sender, onlyAsPlanned} = this.#options
    let [current, sent, isPartly] = [planned, sentBefore, false]
    let image = sentBefore ? this.#partly(row, current) : undefined
    const find = () => this.#find(row.draft)
    for (let round = 0; ; round += 1) {
      const plan = planUpdate(row, current, this.#options, written)
      if (plan.kind === 'conflict') return {outcome: 'failed', code: plan.code, message: plan.message}
      const before = current
      const {id, version} = before
      const ended = (after: Customer): Outcome => {
        // A reference by id may name what the customer shows by key: then nothing changed after all.
        const outcome = sent || isPartly || after.version !== version ? 'updated' : 'unchanged'
        const led = sent ? provenVersion(after, image?.upTo ?? 0) : {version: after.version}
        const more = outcome === 'updated' ? {...led, ...defined({image: image?.at})} : {}
        return {outcome, id, ...more, ...defined({kept: plan.kept})}
      }
      if (plan.kind !== 'update') return ended(before)
      const part = plan.actions.slice(0, limits.actions)
      const rest = plan.actions.length - part.length
      image ??= await this.#keep(row, before, plan.actions, written)
      const once = async (): Promise<Customer> => {
        try {
          return await calls.update(before, part)
        } catch (error) {
          if (classifyFailure(error).mayHaveBeenApplied) sent = true
          throw error
        }
      }
      const arrived = async (): Promise<Customer | undefined> => {
        const found = await find()
        return found && this.#left(row, found, written) === rest ? found : undefined
      }
      try {
        const after = await sender.send(once, arrived)
        if (rest === 0) return ended(after)
        if (round >= maxRounds) throw tooManyActions
        isPartly = true
        // At the version that this part led to: who came between is met as a conflict.
        current = {...((await find()) ?? after), version: after.version}
      } catch (error) {
        const isStale = error instanceof ApiError && error.is('ConcurrentModification')
        const found = isStale && !onlyAsPlanned && round < maxRounds ? await find() : undefined
        if (!found) throw error
        current = found
        if (!sent && !isPartly) image = undefined
      }
    }
  }

  #left(row: CheckedRow, found: Customer, written: Written | undefined): number {
    const plan = planUpdate(row, found, this.#options, written)
    return plan.kind === 'update' ? plan.actions.length : plan.kind === 'unchanged' ? 0 : Number.POSITIVE_INFINITY
  }

  async #keep(row: CheckedRow, current: Customer, actions: readonly UpdateAction[], written: Written | undefined) {
    const {id, version} = current
    const upTo = version + actions.length
    const image = {row: row.number, id, version, upTo, ...defined({written}), ...beforeImageOf(current, actions)}
    return {at: await this.#options.images.keep(image), upTo}
  }

  /** The image of an update of which an earlier run sent a part and not the rest, as its version proves. */
  #partly({number}: CheckedRow, {version}: Customer) {
    const {image, at} = this.#options.images.earlier(number) ?? {}
    if (!image || version <= image.version || version > image.upTo) return undefined
    return {at, upTo: image.upTo}
  }

  async #find(draft: RowDraft): Promise<Customer | undefined> {
    const {calls, sender, match} = this.#options
    const found = (await findCustomers([draft], match, calls, sender)).get(draft)
    return found?.length === 1 ? found[0] : undefined
  }
}

const tooManyActions = ApiError.of('InvalidInput', {message: `The update needs more than ${maxRounds} requests.`})

/** The version of an update that was found done: a higher one than its actions lead to is of somebody else as well. */
const provenVersion = ({version}: Customer, upTo: number) => (version <= upTo ? {version} : {})
