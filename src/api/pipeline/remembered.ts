import type {Store} from '../../store/store.js'

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

interface Kept<V> {
  readonly value: V
  readonly madeFrom: readonly Revision[]
}

/**
 * Values made from documents. Each is given back only while no document of the kinds that it was made from has changed,
 * so that it is never older than what a reading would find. A store that cannot tell without asking (PostgreSQL)
 * remembers nothing. Bounded: the value that was made first goes first.
 */
export class Remembered<V> {
  readonly #state: Store
  readonly #most: number
  readonly #values = new Map<string, Kept<V>>()

  constructor(state: Store, most: number) {
    this.#state = state
    this.#most = most
  }

  get(key: string): V | undefined {
    const kept = this.#values.get(key)
    if (!kept) return undefined
    for (const {project, kind, at} of kept.madeFrom) {
      if (this.#state.revision?.(project, kind) === at) continue
      this.#values.delete(key)
      return undefined
    }
    return kept.value
  }

  set(key: string, value: V, madeFrom: readonly Revision[]): void {
    if (madeFrom.some(({at}) => at === undefined)) return
    this.#values.delete(key)
    for (const oldest of this.#values.keys()) {
      if (this.#values.size < this.#most) break
      this.#values.delete(oldest)
    }
    this.#values.set(key, {value, madeFrom})
  }
}
