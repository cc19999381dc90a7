import type {UpdateAction} from '../../domain/action.js'
import {desiredOf, type Members, membersSince} from '../../domain/customers/before-image.js'
import type {Customer} from '../../domain/customers/customer.js'
import {difference} from '../../domain/customers/diff.js'
import type {KeptImage} from '../jobs/before-images.js'

/** How what an update replaced comes back, for a row of a job and for a change by hand. */
export type Restoration =
  | {
      readonly kind: 'restore'
      readonly current: Customer
      readonly actions: readonly UpdateAction[]
      readonly before: Members
      /** Members that stay as the update left them, since nothing brings them back. */
      readonly stays: readonly string[]
      /** The version whose state comes back, if it comes back whole. */
      readonly back?: number
    }
  /** The customer is already as it was. */
  | {readonly kind: 'unchanged'}
  | {
      readonly kind: 'conflict'
      readonly code: string
      readonly message: string
      /** Members that somebody has changed since, if they are known. */
      readonly members?: readonly string[]
    }

/** The customer is not what was left. */
export const customerChanged = ({version}: Customer, left: number | undefined) => ({
  kind: 'conflict' as const,
  code: 'ChangedSince',
  message: `Somebody has changed the customer since: it is at version ${version}, and the job left it at ${left ?? 'another'}.`,
})

/**
 * How an update is taken back. Where its image says what members became, only these have to be as they were left;
 * otherwise the whole customer. `isOurs`: it is the customer that was left, at the version `left`.
 */
export function restoration(
  current: Customer,
  image: KeptImage,
  {isOurs, left}: {readonly isOurs: boolean; readonly left: number | undefined},
): Restoration {
  const {actions, unreachable} = difference(current, desiredOf(image.before))
  const stays = [...new Set([...image.lost, ...unreachable])]
  if (actions.length > 0) {
    const members = image.after && membersSince(image.after, current)
    if (members && members.length > 0) return {...customerChanged(current, left), members}
    if (!isOurs && !members) return customerChanged(current, left)
    const isWhole = isOurs && stays.length === 0
    return {kind: 'restore', current, actions, before: image.before, stays, ...(isWhole ? {back: image.version} : {})}
  }
  if (stays.length === 0 || !isOurs) return {kind: 'unchanged'}
  const message = `What was changed cannot be taken back: ${stays.join(', ')}.`
  return {kind: 'conflict', code: 'NotRevocable', message}
}
