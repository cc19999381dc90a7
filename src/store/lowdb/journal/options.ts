import type {Facets} from '../../store.js'
import type {Cache} from '../format/cache.js'
import type {Entry} from '../format/entry.js'
import type {Files} from '../format/files.js'

/** The lease of the one process that may write. */
export interface WriteLease {
  /** The fence: throws when another process has taken the state. */
  readonly fence: () => void
  /** Called once, when nothing may be written any more. */
  readonly fatal: (error: Error) => void
  /** Whether commits of one turn of the event loop go into one write. */
  readonly batchPerTurn: boolean
  /** A file name part that no other process uses. */
  readonly nonce: string
}

export interface JournaledOptions {
  readonly files: Files
  readonly facets: Facets
  readonly cache: Cache<Entry>
  /** The right to write; nothing for a reader, and for a command before its first commit. */
  readonly lease: () => WriteLease | undefined
  /** Length of a journal that is worth compacting. */
  readonly compactBytes: number
  /** Whether the project had state once, so that finding none is damage. */
  readonly mustExist: () => Promise<boolean>
  /** Called when the files of the project are there, before the first commit is acknowledged. */
  readonly register: () => Promise<void>
  /** Told of every compaction that failed, unless somebody waits for it. */
  readonly onCompactionFailed?: (error: Error) => void
}
