import type {Document, Facets, SearchTexts, Store, UniqueKey} from './store.js'

/** An opened state, and how it is opened. */

export interface StoreOptions {
  /** The directory of all projects, or `:memory:`. */
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
  /** How long to wait for another one-shot command before StateLocked. */
  readonly lockTimeoutMs?: number
  /**
   * Called once when nothing can be written any more, since the disk broke its promise or another process took the
   * state over: the process should end.
   */
  readonly onFatal?: (error: Error) => void
  /** Told of what went wrong behind the requests. */
  readonly onWarning?: (message: string) => void
  /** Told whom this process waits for before it can write. */
  readonly onWait?: (holder: string) => void
  /** Opens the target of a migration that has not finished. */
  readonly isMigration?: true
}

/** Work behind the requests. */
export interface Upkeep {
  readonly compactionsFailed: number
  /** Of the last one that failed. */
  readonly project?: string
  readonly message?: string
}

/** A document as it is kept. */
export interface Kept {
  readonly kind: string
  readonly doc: Document
  readonly uniqueKeys: readonly UniqueKey[]
}

/** Where a server listens for its own machine, and the address that clients elsewhere use, if that is another. */
export type Published = readonly [origin: string, publicOrigin?: string | undefined]

export interface OpenedStore extends Store {
  /** The number of the view that reads come from. It changes when what others have written is read again. */
  readonly view: number
  /** Reads again what others have written since, and tells the number of the view. Whoever may write sees all there is. */
  refresh(): Promise<number>
  /** Names of the projects that hold something, ascending. */
  projects(): Promise<string[]>
  /** All documents of a project in ascending order of kind and id, from behind a place on; for moving a state. */
  documents(project: string, after?: {readonly kind: string; readonly id: string}): AsyncIterable<Kept>
  /** Writes all documents anew, so that files hold nothing that was changed or removed. */
  compact(): Promise<void>
  /** How the store's own work behind the requests went; absent where there is none. */
  upkeep?(): Upkeep
  /** Says beside the state where this server listens, and which address clients use instead, for `liveServer`. */
  publish(...addresses: Published): Promise<void>
}
