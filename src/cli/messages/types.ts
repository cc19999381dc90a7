import {didYouMean, usage} from '../process/failure.js'

/** The types of messages that the declared operations and update actions produce, sorted. */
export async function messageTypes(): Promise<readonly string[]> {
  const {operations} = await import('../../api/index.js')
  const produced = operations.flatMap(({messages = [], actions}) => [
    ...messages,
    ...[...(actions?.values() ?? [])].flatMap((action) => action.messages ?? []),
  ])
  return [...new Set(produced)].sort()
}

/**
 * Throws a usage error for the first type that is not known: an empty list would say that nothing happened. `message`
 * says what has no such type.
 */
export function checkTypes(asked: readonly string[], known: Iterable<string>, message: (type: string) => string): void {
  const all = new Set(known)
  const unknown = asked.find((type) => !all.has(type))
  if (unknown === undefined) return
  throw usage(message(unknown), didYouMean(unknown, all), 'Completion of --type offers all of them.')
}
