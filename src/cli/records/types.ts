import {nearest} from '../../deprecations/nearest.js'
import {messageTypes} from '../messages/types.js'
import {usage} from '../process/failure.js'
import type {HistoryEvent} from './event.js'

/**
 * Throws a usage error for a type that neither messages nor this history know: an empty list would say that nothing
 * happened.
 */
export async function checkHistoryTypes(asked: readonly string[], events: readonly HistoryEvent[]): Promise<void> {
  if (asked.length === 0) return
  const known = new Set([
    ...(await messageTypes()).map(({type}) => type),
    ...events.flatMap(({type, command = type}) => [type, command]),
  ])
  const unknown = asked.find((type) => !known.has(type))
  if (unknown === undefined) return
  const near = nearest(unknown, [...known])
  const question = near.length === 0 ? [] : [`Did you mean ${near.join(' or ')}?`]
  throw usage(`Nothing in this history has the type '${unknown}'.`, ...question, 'All types: frontdesk messages types.')
}
