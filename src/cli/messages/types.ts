import {didYouMean, usage} from '../process/failure.js'

/** Message types and the operations and update actions that produce them, by their declarations. */
export async function messageTypes(): Promise<{readonly type: string; readonly producedBy: readonly string[]}[]> {
  const {operations} = await import('../../api/index.js')
  const producers = new Map<string, Set<string>>()
  const add = (producer: string, types: readonly string[]): void => {
    for (const type of types) producers.set(type, (producers.get(type) ?? new Set()).add(producer))
  }
  for (const {id, path, messages = [], actions} of operations) {
    // The same operation in a store produces the same messages.
    if (!String(path).includes('/in-store/')) add(id, messages)
    for (const action of actions?.values() ?? []) add(action.name, action.messages ?? [])
  }
  return [...producers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, producedBy]) => ({type, producedBy: [...producedBy]}))
}

/**
 * Throws a usage error for the first type that is not known: an empty list would say that nothing happened. `message`
 * says what has no such type.
 */
export function checkTypes(asked: readonly string[], known: Iterable<string>, message: (type: string) => string): void {
  const all = new Set(known)
  const unknown = asked.find((type) => !all.has(type))
  if (unknown === undefined) return
  throw usage(message(unknown), didYouMean(unknown, all), 'All types: frontdesk messages types.')
}
