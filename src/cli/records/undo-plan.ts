import type {UpdateAction} from '../../domain/action.js'
import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import {labelOf} from '../customers/preview.js'
import {spokenMoment} from '../output/times.js'
import {Failure} from '../process/failure.js'
import type {AuditLine} from '../safety/audit.js'
import {actsOf, wouldRedo} from './audit-events.js'
import {type Change, changedSince, desiredBefore} from './undo-journal.js'

export interface Plan {
  /** When the change was made that is taken back. */
  readonly time: string
  readonly actions: readonly UpdateAction[]
  /** Whether the last act was an undo, so that this brings back what it took. */
  readonly isRedo: boolean
  /** What stays, as sentences. */
  readonly notes: readonly string[]
}

interface Known {
  readonly change: Change | undefined
  readonly customer: Customer
  readonly lines: readonly AuditLine[]
  readonly projectKey: string
  readonly now: number
}

const updates = ['customers update', 'customers undo']

/**
 * The actions that take back the last change of this tool. Throws NothingToUndo if it has made none or none that can be
 * taken back, and ChangedSince if somebody else has changed the same members.
 */
export function planOf({change, customer, lines, projectKey, now}: Known): Plan {
  const {id, key, version} = customer
  const names = new Set([id, `key=${key ?? ''}`])
  const isOurs = ({target, project}: AuditLine) => names.has(target ?? '') && project === projectKey
  const acts = actsOf(lines, isOurs)
  const last = acts.findLast(({result}) => result?.result === 'done')
  if (last && !updates.includes(last.intent.command) && (!change || last.intent.time > change.time)) {
    throw nothing(
      `The last act of this tool on this customer, ${spokenMoment(last.intent.time, now)}, was '${last.intent.command.replace('customers ', '')}', which cannot be taken back.`,
    )
  }
  if (!change) throw nothing('This machine keeps no change of this customer that could be taken back.')
  const changed = changedSince(change, customer)
  if (changed.length > 0) {
    throw new Failure(
      'conflict',
      'ChangedSince',
      `Somebody has changed ${changed.map(labelOf).join(', ')} since; nothing was sent.`,
      {
        hints: [
          'See what happened: `frontdesk customers history`.',
          'Set the values with `frontdesk customers update`.',
        ],
        details: changed.map((field) => ({field})),
      },
    )
  }
  const {actions, unreachable} = difference(customer, desiredBefore(change))
  if (actions.length === 0) {
    const why =
      change.lost.length > 0
        ? ` What changed is ${change.lost.map(labelOf).join(', ')}, which cannot be taken back.`
        : ''
    throw nothing(`Nothing of the last change can be taken back.${why}`)
  }
  const stays = [...new Set([...change.lost, ...unreachable])]
  return {
    time: change.time,
    isRedo: wouldRedo(acts),
    actions,
    notes: [
      ...(version === change.version
        ? []
        : [`Others have changed other fields since (version ${version}); those stay.`]),
      ...(stays.length === 0 ? [] : [`Not taken back: ${stays.map(labelOf).join(', ')}.`]),
    ],
  }
}

const nothing = (message: string): Failure =>
  new Failure('notFound', 'NothingToUndo', message, {hints: ['See what happened: `frontdesk customers history`.']})
