import {updateCustomerById} from '../../../api/customers/updates.js'
import type {Client} from '../../../client/client.js'
import {WriteNotApplied} from '../../../client/settle.js'
import type {UpdateAction} from '../../../domain/action.js'
import {customerActions} from '../../../domain/customers/actions/index.js'
import type {Customer} from '../../../domain/customers/customer.js'
import {defined} from '../../../domain/equal.js'
import {ApiError} from '../../../domain/errors.js'
import type {BegunChange, SentChange} from '../../../transfer/jobs/changes.js'
import type {Run} from '../../run/run.js'
import type {Writer} from '../../safety/door.js'
import {customerOf} from '../calls.js'
import {namingHolder} from '../holder.js'
import {checkedAgainst, differences} from '../preview.js'
import {update} from '../settlements.js'
import type {ActionsFor} from './flags.js'

/** What follows a version conflict: the error, another try, or one only if somebody else changed other fields. */
export const conflictModes = ['fail', 'retry', 'rebase'] as const
export type ConflictMode = (typeof conflictModes)[number]

const maxTries = 5

export interface UpdateRequest {
  readonly client: Client
  readonly run: Pick<Run, 'commandLine' | 'io'>
  readonly before: Customer
  readonly actions: ActionsFor
  readonly onConflict: ConflictMode
  readonly expand?: readonly string[] | undefined
  /** The version to expect instead of the one of `before`. */
  readonly version?: number | undefined
  /** Keeps what is about to be replaced, so that it can be taken back. */
  readonly keep: (sent: SentChange) => Promise<BegunChange>
  readonly write: Writer
}

/**
 * Sends actions with the version that was read, and handles a version conflict as `onConflict` says. The refusal of a
 * duplicate value names who has it.
 */
export const updateCustomer = (request: UpdateRequest) => namingHolder(request.client, request.run, updated(request))

async function updated(request: UpdateRequest) {
  const {client, run, actions, onConflict, expand, keep, write} = request
  let {before} = request
  let expected = request.version
  for (let tries = 1; ; tries += 1) {
    const list = actions(before)
    checkedAgainst(customerActions, list)
    const {id} = before
    const version = expected ?? before.version
    const change = await keep({customer: before, actions: list})
    try {
      const after = await write({
        target: id,
        actions: list.map(({action}) => action),
        versionBefore: version,
        request: () =>
          client.call(updateCustomerById, {id}, {query: defined({expand}), body: {version, actions: list}}),
        settle: update({client, before, look: run.commandLine(['customers', 'card', id])}, list, {
          expand,
          clock: run.io.clock,
        }),
      })
      return {before, after, isKept: await change.made(after)}
    } catch (error) {
      // What may have been made stays pending: an undo compares it with the customer.
      await (error instanceof ApiError || error instanceof WriteNotApplied ? change.drop() : change.leave())
      const isConflict = error instanceof ApiError && error.is('ConcurrentModification')
      if (!isConflict || onConflict === 'fail' || tries >= maxTries) throw error
      const latest = await customerOf(client, {by: 'id', value: id})
      // A version that was never read has no fields to compare.
      const isOfOthers = version === before.version && !overlap(before, latest, list)
      if (onConflict === 'rebase' && !isOfOthers) throw error
      before = latest
      expected = undefined
    }
  }
}

/** Whether somebody changed a field that the actions change too. */
function overlap(before: Customer, latest: Customer, actions: readonly UpdateAction[]): boolean {
  const theirs = new Set(differences(before, latest).map(({path}) => path.split('.')[0]))
  return actions.some(({action}) => customerActions.get(action)?.fields.some((field) => theirs.has(field)) ?? true)
}
