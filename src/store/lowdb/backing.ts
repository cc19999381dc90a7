import {type Adapter, Memory} from 'lowdb'
import type {ServerOrigins, Upkeep} from '../opened-store.js'
import {MemoryLines} from './directory/data-file.js'
import {Documents} from './directory/documents.js'
import type {State, Transaction} from './directory/state.js'

/** Of lowdb's adapters, `read` loads a state and `write` writes it whole; a commit is appended to what was written. */
export interface ProjectAdapter extends Adapter<State> {
  append(commit: Transaction, state: State): Promise<void>
  /** Whether no other process has written since it was read. */
  isCurrent?(): Promise<boolean>
  close?(): Promise<void>
}

export interface Backing {
  adapter(project: string): ProjectAdapter
  /** Resolves once this process may write; adapters created before are read-only. */
  writable(): Promise<void>
  projects(): Promise<string[]>
  upkeep?(): Upkeep
  /** Whether other processes wait for this one before they write; absent: there are none. */
  readonly isHolding?: boolean
  publish(...addresses: ServerOrigins): Promise<void>
  close(): Promise<void>
}

const memoryBytes = 16 << 20

/** A backing in memory; it ends with the process. */
export class InMemory implements Backing {
  readonly #projects = new Set<string>()
  readonly #documents = new Documents(memoryBytes, memoryBytes)

  adapter(project: string): ProjectAdapter {
    const lines = new MemoryLines(this.#documents)
    const append = async ({written}: Transaction): Promise<void> => {
      this.#projects.add(project)
      for (const one of written) {
        one.file = lines
        one.at = lines.add(one.line)
      }
    }
    return Object.assign(new Memory<State>(), {append})
  }

  async writable(): Promise<void> {}

  async projects(): Promise<string[]> {
    return [...this.#projects].sort()
  }

  async publish(): Promise<void> {}

  async close(): Promise<void> {}
}
