import {deleteCustomerById} from '../../api/customers/updates.js'
import type {Client} from '../../client/client.js'
import {desiredOf} from '../../domain/customers/before-image.js'
import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import type {Outcome} from '../jobs/journal-lines.js'
import {type CustomerCalls, expandedReferences, updateInParts} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'
import type {IntendedWrite} from '../write/write-row.js'
import type {PlannedUndo} from './plan.js'

type Of<K extends PlannedUndo['kind']> = Extract<PlannedUndo, {kind: K}>

const maxRevisions = 4

const isStale = (error: unknown): boolean => error instanceof ApiError && error.is('ConcurrentModification')

interface UndoWriterParts {
  readonly client: Client
  readonly calls: CustomerCalls
  readonly sender: Sender
}

/** Takes planned rows back exactly once each, also when answers are lost: every write is fenced by the version. */
export class UndoWriter {
  readonly #parts: UndoWriterParts

  constructor(parts: UndoWriterParts) {
    this.#parts = parts
  }

  async write(planned: PlannedUndo, intended: IntendedWrite): Promise<Outcome> {
    switch (planned.kind) {
      case 'delete':
        return this.#delete(planned)
      case 'restore':
        return this.#restore(planned)
      case 'unchanged': {
        const {row, version, back} = planned
        // A run that was killed had sent it.
        const ours = row.was === 'created' ? 'deleted' : 'restored'
        return {outcome: intended === undefined ? 'unchanged' : ours, id: row.id, ...defined({version, back})}
      }
      case 'conflict':
        return {outcome: 'failed', code: planned.code, message: planned.message}
    }
  }

  async #delete({row: {id}, version}: Of<'delete'>): Promise<Outcome> {
    const remove = (): Promise<unknown> => this.#parts.client.call(deleteCustomerById, {id}, {query: {version}})
    const isGone = async () => ((await this.#find(id)) ? undefined : true)
    try {
      await this.#parts.sender.send(remove, isGone)
      return {outcome: 'deleted', id}
    } catch (error) {
      if (error instanceof ApiError && error.is('ResourceNotFound')) return {outcome: 'unchanged', id}
      return this.#changed(error)
    }
  }

  async #restore({row: {id}, current, actions, before, back}: Of<'restore'>): Promise<Outcome> {
    const {calls, sender} = this.#parts
    const left = (found: Customer): number => difference(found, desiredOf(before)).actions.length
    const find = () => this.#find(id)
    let [now, rest, isPartly] = [current, actions, false]
    const update: CustomerCalls['update'] = async (customer, part) => {
      const after = await calls.update(customer, part)
      isPartly = true
      return after
    }
    for (let attempt = 0; ; attempt += 1) {
      try {
        const {version} = await updateInParts(sender, now, rest, {update, find, left})
        // A higher version than the actions lead to is of somebody else as well.
        const isAlone = version <= current.version + actions.length
        return {outcome: 'restored', id, ...(isAlone ? {version, ...defined({back})} : {})}
      } catch (error) {
        // Somebody came between two parts: a customer who is half restored is brought to the end.
        const found = isPartly && isStale(error) && attempt < maxRevisions ? await find() : undefined
        if (!found) return this.#changed(error)
        now = found
        rest = difference(found, desiredOf(before)).actions
      }
    }
  }

  /** What the version of a write fenced off. Throws any other failure. */
  #changed(error: unknown): Outcome {
    if (!isStale(error)) throw error
    return {outcome: 'failed', code: 'ChangedSince', message: 'Somebody has changed the customer just now.'}
  }

  async #find(id: string): Promise<Customer | undefined> {
    const query = {where: ['id = :id'], variables: {id}, expand: expandedReferences}
    return (await this.#parts.sender.send((signal) => this.#parts.calls.page(query, undefined, signal))).results[0]
  }
}
