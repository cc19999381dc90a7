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
