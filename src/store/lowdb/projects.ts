import {Low} from 'lowdb'
import type {Facets} from '../store.js'
import type {Backing, ProjectAdapter} from './backing.js'
import {State} from './directory/state.js'

export interface Project {
  readonly low: Low<State>
  readonly adapter: ProjectAdapter
  readonly absent: boolean
}

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
