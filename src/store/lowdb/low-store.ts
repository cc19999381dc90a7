import {Low} from 'lowdb'
import {compareText} from '../../query/text-order.js'
import {isProjectName} from '../adapter/project-name.js'
import {isElsewhere, splitCommit} from '../adapter/requirements.js'
import {Ticket} from '../adapter/reservations.js'
import {Scans} from '../adapter/scans.js'
import type {OpenedStore, ServerOrigins, StoredDocument, Upkeep} from '../opened-store.js'
import type {Matches, Search, SearchTexts} from '../searchable.js'
import type {Document, Facets, Page, QueryResult, Texts} from '../store.js'
import type {Backing, ProjectAdapter} from './backing.js'
import {asDocument} from './directory/entry.js'
import {admitted, type Part, partsOf, State} from './directory/state.js'
import {Readings} from './read/readings.js'

type Commit = Parameters<OpenedStore['commit']>

interface Project {
  readonly low: Low<State>
  readonly adapter: ProjectAdapter
  /** Whether the project was never written. */
  readonly absent: boolean
}

/** The store over one lowdb database per project. */
export class LowStore implements OpenedStore {
  readonly #backing: Backing
  readonly #facets: Facets
  readonly #readings: Readings
  /** Once one is open, reading from it waits for nothing. */
  readonly #projects = new Map<string, Project | Promise<Project>>()
  /** Projects that commits have named: cached even while they are empty. */
  readonly #written = new Set<string>()
  #commits = 0
  /** Called when the last commit has ended, while the store is being closed. */
  #onIdle: (() => void) | undefined
  #ready: Promise<void> | undefined
  #isWritable = false
  #closed = false
  #view = 0

  constructor(backing: Backing, facets: Facets, scans = new Scans(), searchTexts: SearchTexts = {}) {
    this.#backing = backing
    this.#facets = facets
    this.#readings = new Readings({
      opened: (project) => this.#opened(project)?.low.data,
      open: (project) => this.#state(project),
      scans,
      searchTexts,
    })
  }

  get<D extends Document>(project: string, kind: string, id: string): Promise<D | undefined> {
    return settled<D | undefined>(this.#readings.get(project, kind, id, asDocument))
  }

  find<D extends Document>(project: string, kind: string, uniqueKey: string): Promise<D | undefined> {
    return settled<D | undefined>(this.#readings.find(project, kind, uniqueKey, asDocument))
  }

  query<D extends Document>(project: string, kind: string, page: Page): Promise<QueryResult<D>> {
    return settled<QueryResult<D>>(this.#readings.query(project, kind, page, asDocument))
  }

  search(project: string, kind: string, search: Search): Promise<Matches> {
    return this.#readings.search(project, kind, search)
  }

  get texts(): Texts {
    return this.#readings.texts
  }

  async commit(...[project, given, complete]: Commit): Promise<void> {
    if (this.#closed) throw new Error('the store is closed')
    if (!isProjectName(project)) throw new Error(`${project} is not a name for a project`)
    this.#commits += 1
    let parts: readonly Part[] = []
    try {
      if (!this.#isWritable) await this.#writable()
      this.#written.add(project)
      const {low, adapter} = this.#opened(project) ?? (await this.#project(project))
      const part = {state: low.data, all: splitCommit(given), ticket: new Ticket()}
      parts = part.all.required.some(isElsewhere) ? await partsOf(part, (name) => this.#data(name)) : [part]
      let {changes} = part.all
      if (complete) {
        await admitted(parts, () => {})
        changes = [...changes, ...(await complete())]
        parts = [{...part, all: {...(parts[0] ?? part).all, changes}}, ...parts.slice(1)]
      }
      const begun = admitted(parts, () => low.data.begin(changes))
      const transaction = begun instanceof Promise ? await begun : begun
      if (changes.length === 0) return
      let isDurable = false
      try {
        await adapter.append(transaction, low.data)
        isDurable = true
      } finally {
        low.data.end(transaction, isDurable)
      }
    } finally {
      for (const {state, ticket} of parts) state.release(ticket)
      this.#commits -= 1
      if (this.#commits === 0) this.#onIdle?.()
    }
  }

  revision(project: string, kind: string): number | undefined {
    return this.#opened(project)?.low.data.collections.get(kind)?.revision
  }

  projects(): Promise<string[]> {
    return this.#backing.projects()
  }

  get view(): number {
    return this.#view
  }

  async refresh(): Promise<number> {
    // Once this process may write, no other does; its own appends must not be taken for another's.
    if (this.#ready) await this.#ready.catch(() => undefined)
    else await this.#dropStale(() => this.#ready === undefined)
    return this.#view
  }

  get isHolding(): boolean {
    return this.#backing.isHolding ?? false
  }

  upkeep(): Upkeep {
    return this.#backing.upkeep?.() ?? {compactionsFailed: 0}
  }

  publish(...addresses: ServerOrigins): Promise<void> {
    return this.#backing.publish(...addresses)
  }

  async *documents(project: string, after?: {kind: string; id: string}): AsyncGenerator<StoredDocument> {
    if (!isProjectName(project)) return
    const {low} = await this.#project(project)
    const unpin = low.data.pin()
    try {
      for (const kind of [...low.data.collections.keys()].sort(compareText)) {
        if (after && compareText(kind, after.kind) < 0) continue
        const found = low.data.collections.get(kind)?.following(kind === after?.kind ? after.id : undefined)
        for (const {doc, uniqueKeys} of found ?? []) yield {kind, doc, uniqueKeys}
      }
    } finally {
      unpin()
    }
  }

  async compact(): Promise<void> {
    await this.#writable()
    for (const name of await this.projects()) {
      await (await this.#project(name)).low.write()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#commits > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    try {
      for (const name of [...this.#projects.keys()]) await (await this.#ended(name))?.adapter.close?.()
    } finally {
      this.#projects.clear()
      await this.#backing.close()
    }
  }

  /** Acquires the right to write, once; projects read before may have changed and are read again. */
  #writable(): Promise<void> {
    this.#ready ??= this.#backing
      .writable()
      .then(() => this.#dropStale())
      .then(() => {
        this.#isWritable = true
      })
      .catch((error: unknown) => {
        this.#ready = undefined
        throw error
      })
    return this.#ready
  }

  async #dropStale(mayDrop: () => boolean = () => true): Promise<void> {
    for (const name of [...this.#projects.keys()]) {
      const project = await this.#ended(name)
      if (!project?.adapter.isCurrent || (await project.adapter.isCurrent()) || !mayDrop()) continue
      if (this.#opened(name) === project) this.#projects.delete(name)
      this.#view += 1
      // Its files stay open until the last scan over them has ended.
      await project.adapter.close?.()
    }
  }

  #opened(name: string): Project | undefined {
    const project = this.#projects.get(name)
    return project instanceof Promise ? undefined : project
  }

  /** A project once its opening has ended; undefined if that failed. */
  async #ended(name: string): Promise<Project | undefined> {
    try {
      return await this.#projects.get(name)
    } catch {
      return undefined
    }
  }

  #project(name: string): Project | Promise<Project> {
    const present = this.#projects.get(name)
    if (present) return present
    const opening = this.#open(name).then(
      (project) => {
        if (this.#projects.get(name) !== opening) return project
        // Projects that were never written are not cached, so that probing names cannot exhaust memory.
        if (project.absent && !this.#written.has(name)) this.#projects.delete(name)
        else this.#projects.set(name, project)
        return project
      },
      (error: unknown) => {
        if (this.#projects.get(name) === opening) this.#projects.delete(name)
        throw error
      },
    )
    this.#projects.set(name, opening)
    return opening
  }

  async #open(name: string): Promise<Project> {
    const adapter = this.#backing.adapter(name)
    const empty = new State(this.#facets)
    const low = new Low<State>(adapter, empty)
    await low.read()
    return {low, adapter, absent: low.data === empty}
  }

  async #state(project: string): Promise<State | undefined> {
    return isProjectName(project) ? this.#data(project) : undefined
  }

  async #data(project: string): Promise<State> {
    return (await this.#project(project)).low.data
  }
}

/** The port promises documents of the caller's type. */
const settled = <T>(found: unknown): Promise<T> => Promise.resolve(found as T)
