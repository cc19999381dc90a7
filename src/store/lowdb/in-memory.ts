import {Memory} from 'lowdb'
import type {Backing} from './backing.js'
import type {State} from './tree/state.js'

/** A backing in memory; it ends with the process. */
export class InMemory implements Backing {
  readonly #projects = new Set<string>()

  adapter(project: string): Memory<State> {
    const adapter = new Memory<State>()
    const write = adapter.write.bind(adapter)
    adapter.write = (state) => {
      this.#projects.add(project)
      return write(state)
    }
    return adapter
  }

  async writable(): Promise<void> {}

  async projects(): Promise<string[]> {
    return [...this.#projects].sort()
  }

  async publish(): Promise<void> {}

  async close(): Promise<void> {}
}
