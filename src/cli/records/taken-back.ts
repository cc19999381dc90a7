import type {Client} from '../../client/client.js'
import {changedImage, membersSince} from '../../domain/customers/before-image.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {StoredChange} from '../../transfer/jobs/changes.js'
import type {Restoration} from '../../transfer/undo/restoration.js'
import {labelOf, preview} from '../customers/preview.js'
import {withIdsOf} from '../customers/settlements.js'
import {spokenMoment} from '../output/times.js'
import {Failure} from '../process/failure.js'
import type {Act} from './audit-events.js'

/** How the last change of a customer by this tool is taken back. */
export interface TakenBack {
  /** When it was made, ISO 8601. */
  readonly time: string
  readonly actions: Extract<Restoration, {kind: 'restore'}>['actions']
  readonly back: number | undefined
  /** It was an undo: this brings back what that took. */
  readonly isRedo: boolean
  /** It was interrupted; the customer shows that it was made. */
  readonly isFound: boolean
  /** What stays, as sentences. */
  readonly notes: readonly string[]
}

interface Past {
  readonly client: Client
  readonly customer: Customer
  /** The newest first. */
  readonly changes: AsyncIterable<StoredChange>
  /** What the audit log has of the customer, the oldest first. */
  readonly acts: readonly Act[]
  readonly now: number
}

type Made = NonNullable<StoredChange['made']>

const updates: readonly string[] = ['customers update', 'undo']

/**
 * What takes back the last change of this tool. Throws NothingToUndo if it has made none or none that can be taken back,
 * and ChangedSince if somebody else has changed the same members.
 */
export async function takenBack(past: Past): Promise<TakenBack> {
  const {customer, acts, now} = past
  const change = await lastMade(past)
  // The order of the lines counts, not their times: clocks go back.
  const writes = acts.filter(({intent}) => intent.command !== 'desk')
  const of = ({intent}: Act) => updates.includes(intent.command) && intent.versionBefore === change?.image.version
  const last = writes.slice(writes.findLastIndex(of) + 1).findLast(({result}) => result?.result === 'done')
  if (last && !updates.includes(last.intent.command)) {
    throw nothing(
      `The last act of this tool on this customer, ${spokenMoment(last.intent.time, now)}, was '${last.intent.command.replace('customers ', '')}', which cannot be taken back.`,
    )
  }
  if (!change) throw nothing('This machine keeps no change of this customer that could be taken back.')
  const {made, time} = change
  const {restoration} = await import('../../transfer/undo/restoration.js')
  const isOurs = customer.version === made.version
  const planned = restoration(customer, made.image, {isOurs, left: made.version})
  if (planned.kind !== 'restore') throw refusalOf(planned, made)
  const {actions, stays, back} = planned
  return {
    ...{time, actions, back, isRedo: change.isRedo},
    isFound: change.isFound,
    notes: [
      ...(change.isFound ? ['The last change was interrupted; the customer shows that it was made.'] : []),
      ...(isOurs ? [] : [`Others have changed other fields since (version ${customer.version}); those stay.`]),
      ...staysLines(stays, customer),
    ],
  }
}

/** What the customer needs to know of members that no update action brings back. */
function staysLines(stays: readonly string[], {isEmailVerified}: Customer): readonly string[] {
  const others = stays.filter((member) => member !== 'isEmailVerified')
  return [
    ...(others.length === stays.length
      ? []
      : isEmailVerified
        ? ['The address still counts as verified.']
        : [
            'The address counts as unverified now. Verify it again: [v] at the desk, `frontdesk customers verify-email`.',
          ]),
    ...(others.length === 0 ? [] : [`Not undone: ${others.map(labelOf).join(', ')}.`]),
  ]
}

async function lastMade(past: Past) {
  let last: (Omit<StoredChange, 'made'> & {readonly made: Made; readonly isFound: boolean}) | undefined
  let undos = 0
  for await (const change of past.changes) {
    if (!last) {
      const made = change.made ?? (await found(change, past))
      if (!made) continue
      last = {...change, made, isFound: change.made === undefined}
    }
    if (change.command !== 'undo') break
    undos += 1
  }
  return last && {...last, isRedo: undos % 2 === 1}
}

/** A change whose end nobody noted was made if the customer is as it would have left it. */
async function found({sent, image}: StoredChange, {client, customer, now}: Past): Promise<Made | undefined> {
  const {next} = await preview(client, sent.customer, sent.actions, now)
  const expected = changedImage(sent.customer, withIdsOf(next, customer) as Customer)
  if (!expected || membersSince(expected.before, customer).length === 0) return undefined
  const changed = membersSince(expected.after, customer)
  if (changed.length > 0) throw changedSince(changed, 'The last change of this tool was interrupted, and somebody')
  return {image: {...image, ...expected}, version: Math.min(customer.version, image.upTo)}
}

function refusalOf(planned: Exclude<Restoration, {kind: 'restore'}>, {image}: Made): Failure {
  if ('members' in planned) return changedSince(planned.members, 'Somebody')
  const lost = image.lost.map(labelOf).join(', ')
  const why = lost === '' ? '' : ` What changed is ${lost}, which cannot be taken back.`
  return nothing(`Nothing of the last change can be taken back.${why}`)
}

const changedSince = (members: readonly string[], who: string): Failure =>
  new Failure(
    'conflict',
    'ChangedSince',
    `${who} has changed ${members.map(labelOf).join(', ')} since; nothing was sent.`,
    {
      hints: ['See what happened: `frontdesk customers history`.', 'Set the values with `frontdesk customers update`.'],
      details: members.map((field) => ({field})),
    },
  )

const nothing = (message: string): Failure =>
  new Failure('notFound', 'NothingToUndo', message, {hints: ['See what happened: `frontdesk customers history`.']})
