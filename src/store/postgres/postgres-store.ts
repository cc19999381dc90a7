import type {OpenedStore} from '../open.js'
import type {Change, Document, Facets, Found, Page} from '../store.js'
import {type Address, addressOf} from './address.js'
import {BatchedGets} from './batched-gets.js'
import {Commits} from './commit.js'
import {Connections} from './connections.js'
import {openingError, queryError, requestError, sqlState} from './faults.js'
import {frozenDocument} from './frozen-document.js'
import {migrate} from './migrations.js'
import {select} from './select.js'
import {findDocument, listProjects} from './statements.js'
import {restored, storable} from './text-form.js'

export interface PostgresOptions {
  readonly url: string
  readonly facets: Facets
  readonly writer: 'server' | 'one-shot' | 'reader'
}

/** Opens the database, after bringing its tables to what this release needs. Throws StateError. */
export async function openPostgres({url, facets, writer}: PostgresOptions): Promise<OpenedStore> {
  const address = addressOf(url)
  const connections = new Connections(address)
  try {
    await migrate(connections, facets, writer !== 'reader')
    return new PostgresStore(address, connections, facets, writer === 'reader')
  } catch (error) {
    await connections.close()
    throw openingError(error, address.label)
  }
}

const legalName = /^[a-z0-9_][a-z0-9_-]{0,99}$/

/** The store over tables that any number of servers share. It keeps nothing in memory, so all see the same. */
class PostgresStore implements OpenedStore {
  readonly #address: Address
  readonly #connections: Connections
  readonly #facets: Facets
  readonly #readOnly: boolean
  readonly #gets: BatchedGets
  readonly #commits: Commits
  readonly #running = new Set<Promise<void>>()
  #closed = false

  constructor(address: Address, connections: Connections, facets: Facets, readOnly: boolean) {
    this.#address = address
    this.#connections = connections
    this.#facets = facets
    this.#readOnly = readOnly
    this.#gets = new BatchedGets(connections.read)
    this.#commits = new Commits(connections, facets)
  }

  async get<D extends Document>(project: string, kind: string, id: string): Promise<D | undefined> {
    try {
      return (await this.#gets.get(project, kind, id)) as D | undefined
    } catch (error) {
      throw requestError(error)
    }
  }

  async find<D extends Document>(project: string, kind: string, claim: string): Promise<D | undefined> {
    try {
      const {rows} = await this.#connections.read(findDocument, [project, kind, claim].map(storable))
      const doc = rows[0]?.[0]
      return typeof doc === 'string' ? (frozenDocument(doc) as D) : undefined
    } catch (error) {
      throw requestError(error)
    }
  }

  async query<D extends Document>(project: string, kind: string, page: Page): Promise<Found<D>> {
    try {
      return (await select(this.#connections.read, this.#facets, project, kind, page)) as Found<D>
    } catch (error) {
      throw queryError(error)
    }
  }

  commit(project: string, changes: readonly Change[], complete?: () => Promise<readonly Change[]>): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'))
    if (this.#readOnly) return Promise.reject(new Error(`${this.#address.label} was opened for reading`))
    if (!legalName.test(project)) return Promise.reject(new Error(`${project} is not a name for a project`))
    const commit = this.#commits.commit(project, changes, complete)
    this.#running.add(commit)
    return commit.finally(() => this.#running.delete(commit))
  }

  async projects(): Promise<string[]> {
    const {rows} = await this.#connections.read(listProjects)
    return rows.map(([project]) => restored(project ?? ''))
  }

  /** Lets the database use the room of removed and replaced documents again, and look at what is in the tables. */
  async compact(): Promise<void> {
    await this.#connections.unlimited(this.#address, async (run) => {
      try {
        await run({text: 'VACUUM (ANALYZE) frontdesk.document, frontdesk.claim, frontdesk.share, frontdesk.tally'})
      } catch (error) {
        // Engines that clean up by themselves do not know the statement.
        if (!['42601', '0A000'].includes(sqlState(error) ?? '')) throw openingError(error, this.#address.label)
      }
    })
  }

  /** Servers of one database do not look for each other. */
  async publish(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#running)
    await this.#connections.close()
  }
}
