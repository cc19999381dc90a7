import type {Searchable, SearchTexts} from './searchable.js'
import type {Document, Facets, Store, UniqueKey} from './store.js'

export interface StoreOptions {
  readonly dir: string
  /**
   * A PostgreSQL database instead: `postgres://…`, from a file or the environment, since it may hold a password. The
   * directory then holds only the lock by which commands on this machine find the server.
   */
  readonly url?: string
  readonly facets: Facets
  /** Kinds that can be searched by words. */
  readonly searchTexts?: SearchTexts
  /**
   * A server holds the state from opening to closing. A one-shot command reads without the lock and takes it at its
   * first commit. A reader never writes.
   */
  readonly writer: 'server' | 'one-shot' | 'reader'
  /** How long to wait for the lock of another one-shot command before StateLocked. */
  readonly lockTimeoutMs?: number
  /** Takes over the lock of a process in another container or on another machine, which may still run. */
  readonly force?: boolean
  /**
   * Called once, when nothing can be written any more because a sync failed or another process took over the state: the
   * process should end.
   */
  readonly onFatal?: (error: Error) => void
  readonly onWarning?: (message: string) => void
  /** Called when a project was read from files, with what tells the number of documents of a kind. */
  readonly onRead?: (project: string, sizeOf: (kind: string) => number) => void
  /** Called with the holder of the lock that this process waits for. */
  readonly onWait?: (holder: string) => void
  /** Opens the target of a migration that has not finished. */
  readonly isMigration?: true
}

export interface Upkeep {
  readonly compactionsFailed: number
  readonly project?: string
  readonly message?: string
}

export interface StoredDocument {
  readonly kind: string
  readonly doc: Document
  readonly uniqueKeys: readonly UniqueKey[]
}

/** The origin where a server listens, and the one that clients use, if it differs. */
export type ServerOrigins = readonly [origin: string, publicOrigin?: string | undefined]

/** A store with what its owner needs: projects, migration, compaction and closing. */
export interface OpenedStore extends Store, Searchable {
  /** The number of the view that reads use. It changes when writes of other processes are loaded. */
  readonly view: number
  /** Loads writes of other processes and returns the number of the view. A writer is always up to date. */
  refresh(): Promise<number>
  /** Names of the projects that hold something, ascending. */
  projects(): Promise<string[]>
  /** All documents of a project, ascending by kind and id, after a position; for migrations. */
  documents(project: string, after?: {readonly kind: string; readonly id: string}): AsyncIterable<StoredDocument>
  /** Rewrites all documents, so that files hold no removed or replaced data. */
  compact(): Promise<void>
  /** Whether this process holds what others wait for before they write, so that it may wait for none of them. */
  readonly isHolding?: boolean
  /** The results of background work; absent if the store has none. */
  upkeep?(): Upkeep
  /** Publishes the origin of this server in the lock, for `liveServer`. */
  publish(...addresses: ServerOrigins): Promise<void>
}
