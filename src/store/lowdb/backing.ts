import {type Adapter, Low, Memory} from 'lowdb'
import type {OpenedStore, Upkeep} from '../opened-store.js'
import type {Facets} from '../store.js'
import {MemoryLines} from './directory/data-file.js'
import {Documents} from './directory/documents.js'
import {State, type Transaction} from './directory/state.js'

/** Of lowdb's adapters, `read` loads a state and `write` writes it whole; a commit is appended to what was written. */
export interface ProjectAdapter extends Adapter<State> {
  append(commit: Transaction, state: State): Promise<void>
  /** Whether no other process has written since it was read. */
  isCurrent?(): Promise<boolean>
  close?(): Promise<void>
}

export interface Backing extends Pick<OpenedStore, 'projects' | 'isHolding' | 'publish' | 'close'> {
  adapter(project: string): ProjectAdapter
  /** Resolves once this process may write; adapters created before are read-only. */
  writable(): Promise<void>
  readonly upkeep?: Upkeep | undefined
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

interface Project {
  readonly low: Low<State>
  readonly adapter: ProjectAdapter
  readonly absent: boolean
}

/** The projects of a store that are open, one lowdb database each. */
export class Projects {
  readonly #backing: Backing
  readonly #facets: Facets
  /** Once one is open, reading from it waits for nothing. */
  readonly #projects = new Map<string, Project | Promise<Project>>()
  /** Projects that commits have named: kept even while they are empty. */
  readonly #written = new Set<string>()
  /** How often a project was found to be written by another process. */
  views = 0

  constructor(backing: Backing, facets: Facets) {
    this.#backing = backing
    this.#facets = facets
  }

  opened(name: string): Project | undefined {
    const project = this.#projects.get(name)
    return project instanceof Promise ? undefined : project
  }

  async state(name: string): Promise<State> {
    return (await this.open(name)).low.data
  }

  async open(name: string, isCommit = false): Promise<Project> {
    if (isCommit) this.#written.add(name)
    const present = this.#projects.get(name)
    if (present) return present
    const opening = this.#open(name)
    this.#projects.set(name, opening)
    const keep = (project?: Project): void => {
      if (this.#projects.get(name) !== opening) return
      // Projects that were never written are not kept, so that probing names cannot exhaust memory.
      if (project && (!project.absent || this.#written.has(name))) this.#projects.set(name, project)
      else this.#projects.delete(name)
    }
    opening.then(keep, () => keep())
    return opening
  }

  async #open(name: string): Promise<Project> {
    const adapter = this.#backing.adapter(name)
    const empty = new State(this.#facets)
    const low = new Low<State>(adapter, empty)
    await low.read()
    return {low, adapter, absent: low.data === empty}
  }

  /** Lets go of those that another process has written since, as long as they may go. */
  async dropStale(mayDrop: () => boolean = () => true): Promise<void> {
    for (const name of [...this.#projects.keys()]) {
      const project = await this.#ended(name)
      if (!project?.adapter.isCurrent || (await project.adapter.isCurrent()) || !mayDrop()) continue
      if (this.opened(name) === project) this.#projects.delete(name)
      this.views += 1
      // Its files stay open until the last scan over them has ended.
      await project.adapter.close?.()
    }
  }

  async close(): Promise<void> {
    for (const name of [...this.#projects.keys()]) await (await this.#ended(name))?.adapter.close?.()
    this.#projects.clear()
  }

  /** A project once its opening has ended; undefined if that failed. */
  async #ended(name: string): Promise<Project | undefined> {
    try {
      return await this.#projects.get(name)
    } catch {
      return undefined
    }
  }
}
