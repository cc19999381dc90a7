import {deleteCustomerById} from '../../api/customers/updates.js'
import type {Client} from '../../client/client.js'
import type {UpdateAction} from '../../domain/action.js'
import {desiredOf} from '../../domain/customers/before-image.js'
import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {limits} from '../../work/limits.js'
import type {Outcome} from '../jobs/journal-lines.js'
import {type CustomerCalls, expandedReferences} from '../send/customer-calls.js'
import type {Sender} from '../send/sender.js'
import type {IntendedWrite} from '../write/write-row.js'
import type {PlannedUndo} from './plan.js'

type Of<K extends PlannedUndo['kind']> = Extract<PlannedUndo, {kind: K}>

const maxRounds = 20

const isStale = (error: unknown): boolean => error instanceof ApiError && error.is('ConcurrentModification')

/** Takes planned rows back exactly once each, also when answers are lost: every write is fenced by the version. */
export function undoWriter({client, calls, sender}: {client: Client; calls: CustomerCalls; sender: Sender}) {
  const find = async (id: string): Promise<Customer | undefined> => {
    const query = {where: ['id = :id'], variables: {id}, expand: expandedReferences}
    return (await sender.send((signal) => calls.page(query, undefined, signal))).results[0]
  }

  const remove = async ({row: {id}, version}: Of<'delete'>): Promise<Outcome> => {
    const once = (): Promise<unknown> => client.call(deleteCustomerById, {id}, {query: {version}})
    const isGone = async () => ((await find(id)) ? undefined : true)
    try {
      await sender.send(once, isGone)
      return {outcome: 'deleted', id}
    } catch (error) {
      if (error instanceof ApiError && error.is('ResourceNotFound')) return {outcome: 'unchanged', id}
      return changedSince(error)
    }
  }

  const restore = async ({row: {id}, current, actions, before, back}: Of<'restore'>): Promise<Outcome> => {
    const leftOf = (found: Customer): readonly UpdateAction[] => difference(found, desiredOf(before)).actions
    let [now, left] = [current, actions]
    for (let round = 0; ; round += 1) {
      const [customer, part] = [now, left.slice(0, limits.actions)]
      const rest = left.length - part.length
      const arrived = async (): Promise<Customer | undefined> => {
        const found = await find(id)
        return found && leftOf(found).length === rest ? found : undefined
      }
      try {
        const after = await sender.send(() => calls.update(customer, part), arrived)
        // A higher version than the actions lead to is of somebody else as well.
        const isAlone = after.version <= current.version + actions.length
        if (rest === 0)
          return {outcome: 'restored', id, ...(isAlone ? {version: after.version, ...defined({back})} : {})}
        now = {...((await find(id)) ?? after), version: after.version}
      } catch (error) {
        // Somebody came between two parts: a customer who is half restored is brought to the end.
        const found = round > 0 && isStale(error) && round < maxRounds ? await find(id) : undefined
        if (!found) return changedSince(error)
        now = found
      }
      left = leftOf(now)
    }
  }

  return async (planned: PlannedUndo, intended: IntendedWrite): Promise<Outcome> => {
    if (planned.kind === 'delete') return remove(planned)
    if (planned.kind === 'restore') return restore(planned)
    if (planned.kind === 'conflict') return {outcome: 'failed', code: planned.code, message: planned.message}
    const {row, version, back} = planned
    // A run that was killed had sent it.
    const ours = row.was === 'created' ? 'deleted' : 'restored'
    return {outcome: intended === undefined ? 'unchanged' : ours, id: row.id, ...defined({version, back})}
  }
}

/** What the version of a write fenced off. Throws any other failure. */
function changedSince(error: unknown): Outcome {
  if (!isStale(error)) throw error
  return {outcome: 'failed', code: 'ChangedSince', message: 'Somebody has changed the customer just now.'}
}
