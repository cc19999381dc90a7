import type {Scans} from '../../adapter/scans.js'
import type {Matches, Search, SearchTexts} from '../../searchable.js'
import type {Page, QueryResult, Texts} from '../../store.js'
import {asText, type Shown} from '../directory/entry.js'
import type {State} from '../directory/state.js'
import type {select} from './select.js'

interface Projects {
  /** Those that are open: reading from one waits for nothing. */
  readonly opened: (project: string) => State | undefined
  readonly open: (project: string) => Promise<State | undefined>
  readonly scans: Scans
  readonly searchTexts: SearchTexts
}

/** Reads documents, or the texts under which they are stored: at once where nothing has to wait. Never throws at once. */
export class Readings {
  readonly #projects: Projects
  /** Imported at the first query: many commands never make one. */
  #select: typeof select | undefined

  constructor(projects: Projects) {
    this.#projects = projects
  }

  readonly texts: Texts = {
    get: (project, kind, id) => this.get(project, kind, id, asText),
    find: (project, kind, uniqueKey) => this.find(project, kind, uniqueKey, asText),
    query: (project, kind, page) => this.query(project, kind, page, asText),
  }

  get<T>(project: string, kind: string, id: string, shown: Shown<T>) {
    return this.#reading(project, ({collections}) => {
      const entry = collections.get(kind)?.get(id)
      return entry && shown(entry)
    })
  }

  find<T>(project: string, kind: string, uniqueKey: string, shown: Shown<T>) {
    return this.#reading(project, ({collections}) => {
      const entry = collections.get(kind)?.holder(uniqueKey)
      return entry && shown(entry)
    })
  }

  query<T>(project: string, kind: string, page: Page, shown: Shown<T>): QueryResult<T> | Promise<QueryResult<T>> {
    const chosen = this.#select
    if (!chosen) {
      return import('./select.js').then((module) => {
        this.#select = module.select
        return this.query(project, kind, page, shown)
      })
    }
    const found = this.#reading<QueryResult<T> | undefined>(project, ({collections}) => {
      const collection = collections.get(kind)
      return collection && chosen(collection, page, shown, this.#projects.scans)
    })
    const none = page.count ? {results: [], total: 0} : {results: []}
    return found instanceof Promise ? found.then((some) => some ?? none) : (found ?? none)
  }

  async search(project: string, kind: string, asked: Search): Promise<Matches> {
    const {scans, searchTexts} = this.#projects
    const searchText = Object.hasOwn(searchTexts, kind) ? searchTexts[kind] : undefined
    if (!searchText) throw new Error(`documents of the kind ${kind} have no search text`)
    const {search} = await import('./search.js')
    const found = await this.#reading(project, ({collections}) => {
      const collection = collections.get(kind)
      return collection && search(collection, asked, searchText, scans)
    })
    return found ?? {total: 0, results: []}
  }

  #reading<T>(project: string, read: (state: State) => T | Promise<T>): T | undefined | Promise<T | undefined> {
    const state = this.#projects.opened(project)
    if (!state) return this.#projects.open(project).then((opened) => opened && read(opened))
    try {
      return read(state)
    } catch (error) {
      return Promise.reject(error as Error)
    }
  }
}
