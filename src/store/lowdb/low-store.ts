import {compareText} from '../../query/text-order.js'
import {isElsewhere, splitCommit} from '../adapter/requirements.js'
import {Ticket} from '../adapter/reservations.js'
import {Scans} from '../adapter/scans.js'
import type {OpenedStore, ServerOrigins, StoredDocument, Upkeep} from '../opened-store.js'
import type {Matches, Search, SearchTexts} from '../searchable.js'
import {type Document, type Facets, isProjectName, type Page, type QueryResult, type Texts} from '../store.js'
import {type Backing, Projects} from './backing.js'
import type {Collection} from './directory/collection.js'
import {asDocument, asText, type Entry, type Shown} from './directory/documents.js'
import {admitted, type Part, partsOf, type State} from './directory/state.js'
import type {select} from './read/select.js'

type Commit = Parameters<OpenedStore['commit']>

/** The store over one lowdb database per project. */
export class LowStore implements OpenedStore {
  readonly #backing: Backing
  readonly #projects: Projects
  readonly #scans: Scans
  readonly #searchTexts: SearchTexts
  /** Imported at the first query: many commands never make one. */
  #select: typeof select | undefined
  #commits = 0
  /** Called when the last commit has ended, while the store is being closed. */
  #onIdle: (() => void) | undefined
  #ready: Promise<void> | undefined
  #isWritable = false
  #closed = false

  constructor(backing: Backing, facets: Facets, searchTexts: SearchTexts = {}, scans = new Scans()) {
    this.#backing = backing
    this.#projects = new Projects(backing, facets)
    this.#scans = scans
    this.#searchTexts = searchTexts
  }

  get<D extends Document>(project: string, kind: string, id: string): Promise<D | undefined> {
    return settled<D | undefined>(this.#get(project, kind, id, asDocument))
  }

  find<D extends Document>(project: string, kind: string, uniqueKey: string): Promise<D | undefined> {
    return settled<D | undefined>(this.#find(project, kind, uniqueKey, asDocument))
  }

  query<D extends Document>(project: string, kind: string, page: Page): Promise<QueryResult<D>> {
    return settled<QueryResult<D>>(this.#query(project, kind, page, asDocument))
  }

  readonly texts: Texts = {
    get: (project, kind, id) => this.#get(project, kind, id, asText),
    find: (project, kind, uniqueKey) => this.#find(project, kind, uniqueKey, asText),
    query: (project, kind, page) => this.#query(project, kind, page, asText),
  }

  async search(project: string, kind: string, asked: Search): Promise<Matches> {
    const searchText = Object.hasOwn(this.#searchTexts, kind) ? this.#searchTexts[kind] : undefined
    if (!searchText) throw new Error(`documents of the kind ${kind} have no search text`)
    const {search} = await import('./read/search.js')
    const found = await this.#reading(project, kind, (collection) => search(collection, asked, searchText, this.#scans))
    return found ?? {total: 0, results: []}
  }

  #get<T>(project: string, kind: string, id: string, shown: Shown<T>) {
    return this.#reading(project, kind, (collection) => shownOf(collection.get(id), shown))
  }

  #find<T>(project: string, kind: string, uniqueKey: string, shown: Shown<T>) {
    return this.#reading(project, kind, (collection) => shownOf(collection.holder(uniqueKey), shown))
  }

  #query<T>(project: string, kind: string, page: Page, shown: Shown<T>): QueryResult<T> | Promise<QueryResult<T>> {
    const chosen = this.#select
    if (!chosen) {
      return import('./read/select.js').then((module) => {
        this.#select = module.select
        return this.#query(project, kind, page, shown)
      })
    }
    const read = (collection: Collection) => chosen(collection, page, shown, this.#scans)
    const found = this.#reading<QueryResult<T>>(project, kind, read)
    const none = page.count ? {results: [], total: 0} : {results: []}
    return found instanceof Promise ? found.then((some) => some ?? none) : (found ?? none)
  }

  /** At once where the project is open. Never throws at once. */
  #reading<T>(
    name: string,
    kind: string,
    read: (collection: Collection) => T | Promise<T>,
  ): T | undefined | Promise<T | undefined> {
    const project = this.#projects.opened(name)
    if (!project)
      return isProjectName(name) ? this.#projects.state(name).then((state) => within(state, kind, read)) : undefined
    try {
      return within(project.low.data, kind, read)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }

  async commit(...[project, given, complete]: Commit): Promise<void> {
    if (this.#closed) throw new Error('the store is closed')
    if (!isProjectName(project)) throw new Error(`${project} is not a name for a project`)
    this.#commits += 1
    let parts: readonly Part[] = []
    try {
      if (!this.#isWritable) await this.#writable()
      const {low, adapter} = this.#projects.opened(project) ?? (await this.#projects.open(project, true))
      const part = {state: low.data, all: splitCommit(given), ticket: new Ticket()}
      parts = part.all.required.some(isElsewhere) ? await partsOf(part, (name) => this.#projects.state(name)) : [part]
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
    return this.#projects.opened(project)?.low.data.collections.get(kind)?.revision
  }

  projects(): Promise<string[]> {
    return this.#backing.projects()
  }

  get view(): number {
    return this.#projects.views
  }

  async refresh(): Promise<number> {
    // Once this process may write, no other does; its own appends must not be taken for another's.
    if (this.#ready) await this.#ready.catch(() => undefined)
    else await this.#projects.dropStale(() => this.#ready === undefined)
    return this.view
  }

  get isHolding(): boolean {
    return this.#backing.isHolding ?? false
  }

  upkeep(): Upkeep {
    return this.#backing.upkeep ?? {compactionsFailed: 0}
  }

  publish(...addresses: ServerOrigins): Promise<void> {
    return this.#backing.publish(...addresses)
  }

  async *documents(project: string, after?: {kind: string; id: string}): AsyncGenerator<StoredDocument> {
    if (!isProjectName(project)) return
    const state = await this.#projects.state(project)
    const unpin = state.pin()
    try {
      for (const kind of [...state.collections.keys()].sort(compareText)) {
        if (after && compareText(kind, after.kind) < 0) continue
        const found = state.collections.get(kind)?.following(kind === after?.kind ? after.id : undefined)
        for (const {doc, head} of found ?? []) yield {kind, doc, uniqueKeys: head.uniqueKeys}
      }
    } finally {
      unpin()
    }
  }

  async compact(): Promise<void> {
    await this.#writable()
    for (const name of await this.projects()) await (await this.#projects.open(name)).low.write()
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#commits > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    try {
      await this.#projects.close()
    } finally {
      await this.#backing.close()
    }
  }

  /** Acquires the right to write, once; projects read before may have changed and are read again. */
  #writable(): Promise<void> {
    const acquire = async (): Promise<void> => {
      try {
        await this.#backing.writable()
        await this.#projects.dropStale()
        this.#isWritable = true
      } catch (error) {
        this.#ready = undefined
        throw error
      }
    }
    this.#ready ??= acquire()
    return this.#ready
  }
}

function within<T>(state: State, kind: string, read: (collection: Collection) => T): T | undefined {
  const collection = state.collections.get(kind)
  return collection && read(collection)
}

const shownOf = <T>(entry: Entry | undefined, shown: Shown<T>): T | undefined => entry && shown(entry)

/** The port promises documents of the caller's type. */
const settled = <T>(found: unknown): Promise<T> => Promise.resolve(found as T)
