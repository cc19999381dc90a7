import type {Facets} from '../../store.js'
import type {Documents} from '../directory/documents.js'
import type {Files} from '../file/files.js'

/** What allows to write. */
export interface WriteLease {
  /** Throws once another process has taken over the state. */
  readonly fence: () => void
  /** Called when nothing can be written any more. */
  readonly fatal: (error: Error) => void
  /** Nobody else waits for this process. */
  readonly isCommand: boolean
}

export interface ProjectFileOptions {
  readonly files: Files
  readonly facets: Facets
  readonly documents: Documents
  /** Undefined while this process may not write. */
  readonly lease: () => WriteLease | undefined
  /** Bytes of lines that are not in effect any more and that are worth copying the others. */
  readonly compactBytes: number
  /** Whether the project is known to have state, so that missing state is damage. */
  readonly mustExist: () => Promise<boolean>
  /** Called once the file exists, before the first commit is acknowledged. */
  readonly register: () => Promise<void>
  readonly onCompactionFailed: (error: Error) => void
}
