import type {Store} from '../../store/store.js'
import {BoundedMap} from '../../work/bounded-map.js'

/** How far the documents of a kind have come, at the time of reading. */
export interface Revision {
  readonly project: string
  readonly kind: string
  readonly at: number | undefined
}

/** Take it before the documents are read: a change that comes in between then counts as one after them. */
export const revisionOf = (state: Store, project: string, kind: string): Revision => ({
  project,
  kind,
  at: state.revision?.(project, kind),
})

interface Entry<V> {
  readonly value: V
  readonly dependsOn: readonly Revision[]
}

/**
 * Values made from documents, given back only while no document of the kinds that they depend on has changed. A store that
 * cannot tell without asking (PostgreSQL) caches nothing.
 */
export class RevisionCache<V> {
  readonly #state: Store
  readonly #entries: BoundedMap<string, Entry<V>>

  constructor(state: Store, most: number) {
    this.#state = state
    this.#entries = new BoundedMap(most)
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    for (const {project, kind, at} of entry.dependsOn) {
      if (this.#state.revision?.(project, kind) === at) continue
      this.#entries.delete(key)
      return undefined
    }
    return entry.value
  }

  set(key: string, value: V, dependsOn: readonly Revision[]): void {
    if (dependsOn.every(({at}) => at !== undefined)) this.#entries.set(key, {value, dependsOn})
  }
}

export function byState<C>(make: (state: Store) => C): (state: Store) => C {
  const caches = new WeakMap<Store, C>()
  return (state) => {
    const cache = caches.get(state) ?? make(state)
    caches.set(state, cache)
    return cache
  }
}
