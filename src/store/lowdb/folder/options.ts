import type {Awaitable} from '../file/files.js'
import type {SegmentFile} from '../file/manifest.js'
import type {Changes, MergeJob} from '../merge/merge.js'
import type {LoadOptions} from '../table/segment.js'

/** The lease of the one process that may write. */
export interface WriteLease {
  /** The fence: throws once another process has taken over the state. */
  readonly fence: () => void
  /** Called once, when nothing can be written any more. */
  readonly fatal: (error: Error) => void
  /** Whether the holder is a one-shot command, with less memory and time than a server. */
  readonly isCommand: boolean
  /** A part of file names that is unique to this process. */
  readonly nonce: string
}

/** Runs a merge. `changes` are those of the journals, in memory. */
export type Merger = (job: MergeJob, changes: () => ReadonlyMap<string, Changes>) => Awaitable<SegmentFile[]>

export interface JournaledOptions extends Omit<LoadOptions, 'writes'> {
  /** The write lease; undefined for a reader, and for a command before its first commit. */
  readonly lease: () => WriteLease | undefined
  readonly merge: Merger
  /** Length of a journal that is worth compacting. */
  readonly compactBytes: number
  /** Whether the project is known to have state, so that missing state is damage. */
  readonly mustExist: () => Promise<boolean>
  /** Called once the files of the project exist, before the first commit is acknowledged. */
  readonly register: () => Promise<void>
  /** Resolves when writes have waited for a compaction for long enough. */
  readonly patience: () => Promise<void>
  /** Called when writes are refused since a compaction does not end. */
  readonly onCompactionOverdue?: () => void
  /** Called for every failed compaction in the background. */
  readonly onCompactionFailed?: (error: Error) => void
}
