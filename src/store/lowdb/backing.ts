import {type Adapter, Memory} from 'lowdb'
import type {Published, Upkeep} from '../opened-store.js'
import type {State} from './tree/state.js'

export interface ProjectAdapter extends Adapter<State> {
  /** Whether no other process has written since it was read. */
  isCurrent?(): Promise<boolean>
  compact?(state: State, whole: boolean): Promise<void>
  close?(): Promise<void>
}

/** The backing of a store: in memory or in files. */
export interface Backing {
  adapter(project: string): ProjectAdapter
  /** Resolves once this process may write; adapters created before are read-only. */
  writable(): Promise<void>
  projects(): Promise<string[]>
  upkeep?(): Upkeep
  /** Whether other processes wait for this one before they write; absent: there are none. */
  readonly isHolding?: boolean
  publish(...addresses: Published): Promise<void>
  close(): Promise<void>
}

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
