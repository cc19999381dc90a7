import {Scans} from '../adapter/scans.js'
import type {OpenedStore, ServerOrigins, StoredDocument, StoreOptions} from '../opened-store.js'
import type {Matches, Search} from '../searchable.js'
import {type Document, isProjectName, type Page, type QueryResult, type Texts} from '../store.js'
import {Commits} from './commit.js'
import {databaseAddressOf} from './connection/address.js'
import {Connections, pagesOf, type Run} from './connection/connections.js'
import {openingError, queryError, requestError} from './connection/faults.js'
import {type DerivedValues, ofKind, uniqueKeysOf} from './documents.js'
import {Lookups, type Place} from './lookups.js'
import {migrate} from './schema/migrations.js'
import {tables} from './schema/schema.js'
import {getDocument, listProjects, walkDocuments} from './schema/statements.js'
import {frozenDocument, restored, storable, storedText} from './schema/text-form.js'
import {searchPage} from './search.js'
import {Selection} from './select.js'
import {sweepUnshared} from './unique-keys.js'

/** The lock of a directory by which commands of this machine find the server. */
type HeldDirectory = Pick<OpenedStore, 'publish'> & {release(): Promise<void>}

/**
 * Opens the database, after bringing its tables to what this release needs. `takePlace` takes the directory by which
 * commands find this process, once the URL has been read. Throws StateError.
 */
export async function openPostgres(
  url: string,
  {facets, searchTexts = {}, writer}: StoreOptions,
  takePlace: () => Promise<HeldDirectory | undefined>,
): Promise<OpenedStore> {
  const derived = {facets, searchTexts}
  const address = databaseAddressOf(url)
  const place = await takePlace()
  const connections = new Connections(address)
  try {
    await connections.recognize()
    await migrate(connections, derived, writer !== 'reader')
    return new PostgresStore({connections, derived, place, readOnly: writer === 'reader'})
  } catch (error) {
    await connections.close()
    await place?.release()
    throw openingError(error, address.label)
  }
}

/** The result of the database, with its errors translated into those of requests, or of queries. */
const served = <T>(answer: Promise<T>, errorOf = requestError): Promise<T> =>
  answer.catch((error: unknown) => {
    throw errorOf(error)
  })

async function found<T>(column: Promise<string | undefined>, resultOf: (column: string) => T): Promise<T | undefined> {
  const text = await served(column)
  return text === undefined ? undefined : resultOf(text)
}

interface Opened {
  readonly connections: Connections
  readonly derived: DerivedValues
  readonly place: HeldDirectory | undefined
  readonly readOnly: boolean
}

/** The store over tables that any number of servers share. It caches nothing, so that all see the same state. */
class PostgresStore implements OpenedStore {
  /** Each read asks the database. */
  readonly view = 0
  readonly texts: Texts
  readonly #opened: Opened
  readonly #connections: Connections
  readonly #lookups: Lookups
  readonly #commits: Commits
  readonly #scans = new Scans()
  readonly #running = new Set<Promise<void>>()
  #vacuum: Promise<void> | undefined
  #closed = false

  constructor(opened: Opened) {
    this.#opened = opened
    this.#connections = opened.connections
    this.#lookups = new Lookups(this.#connections)
    this.#commits = new Commits(this.#connections, opened.derived)
    this.texts = {
      get: (...place) => found(this.#lookups.get(...place), storedText),
      find: (...place) => found(this.#lookups.find(...place), storedText),
      query: (project, kind, page) => this.#page([project, kind], page, storedText),
    }
  }

  get<D extends Document>(...place: Place): Promise<D | undefined> {
    return found(this.#lookups.get(...place), frozenDocument<D>)
  }

  find<D extends Document>(...place: Place): Promise<D | undefined> {
    return found(this.#lookups.find(...place), frozenDocument<D>)
  }

  query<D extends Document>(project: string, kind: string, page: Page): Promise<QueryResult<D>> {
    return this.#page([project, kind], page, frozenDocument<D>)
  }

  async search(project: string, kind: string, search: Search): Promise<Matches> {
    const {facets, searchTexts} = this.#opened.derived
    const searchText = ofKind(searchTexts, kind)
    if (!searchText) throw new Error(`documents of the kind ${kind} have no search text`)
    const searched = {facets, searchText, place: [project, kind] as const}
    return served(searchPage(this.#connections, this.#scans, searched, search), queryError)
  }

  async #page<D>(
    place: readonly [string, string],
    page: Page,
    resultOf: (column: string) => D,
  ): Promise<QueryResult<D>> {
    const {facets} = this.#opened.derived
    const connections = this.#connections
    try {
      const selection = new Selection(facets, place, page, resultOf)
      if (connections.distribution === 'id') await connections.reading((run) => selection.narrow(run))
      const read = (run: Run) => selection.read(run)
      return await (selection.isShort ? this.#lookups.beside(read) : connections.reading(read))
    } catch (error) {
      throw queryError(error)
    }
  }

  commit(...[project, changes, complete]: Parameters<OpenedStore['commit']>): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'))
    if (this.#opened.readOnly) return Promise.reject(new Error(`${this.#connections.label} was opened for reading`))
    if (!isProjectName(project)) return Promise.reject(new Error(`${project} is not a name for a project`))
    const commit = this.#commits.commit(project, changes, complete)
    this.#running.add(commit)
    return commit.finally(() => this.#running.delete(commit))
  }

  async projects(): Promise<string[]> {
    const {rows} = await served(this.#connections.read(listProjects))
    return rows.map(([project]) => restored(project ?? ''))
  }

  async *documents(project: string, after = {kind: '', id: ''}): AsyncGenerator<StoredDocument> {
    const read: Run = (...statement) => served(this.#connections.read(...statement))
    const from = [after.kind, after.id].map(storable)
    for await (const rows of pagesOf(read, walkDocuments, [storable(project)], from)) {
      for (const [kind, id, short, uniqueKeys] of rows) {
        const doc = short ?? (await read(getDocument, [storable(project), kind, id])).rows[0]?.[0]
        if (typeof doc !== 'string') continue
        yield {kind: restored(kind ?? ''), doc: frozenDocument(doc), uniqueKeys: uniqueKeysOf(uniqueKeys)}
      }
    }
  }

  /** Runs VACUUM, which reclaims the space of removed and replaced documents. */
  compact(): Promise<void> {
    const vacuum = async (run: Run): Promise<void> => {
      await sweepUnshared(this.#connections, run)
      await run({text: `VACUUM ${tables.map(({name}) => `frontdesk.${name}`).join(', ')}`})
    }
    this.#vacuum ??= served(this.#connections.unlimited(vacuum)).finally(() => {
      this.#vacuum = undefined
    })
    return this.#vacuum
  }

  refresh(): Promise<number> {
    return Promise.resolve(this.view)
  }

  async publish(...addresses: ServerOrigins): Promise<void> {
    await this.#opened.place?.publish(...addresses)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#running)
    await this.#connections.close()
    await this.#opened.place?.release()
  }
}
