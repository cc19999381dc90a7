import type {ProcessIdentity} from '../../files/process-identity.js'
import type {Coverage} from '../check/coverage.js'
import type {PaceLine} from './pace.js'

/** What ended a row. */
export type Outcome =
  | {
      readonly outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'deleted' | 'restored'
      readonly id?: string
      /** Of an update: the version that it led to, if that is known. A creation leads to version 1. */
      readonly version?: number
      /** The customer is again what it was at this version. */
      readonly back?: number
      /** Of an update: where among the before-images of the job is what it replaced. */
      readonly image?: number
      /** Members that somebody else has changed since the last run, and that stay as they are. */
      readonly kept?: readonly string[]
    }
  | RowFailure

export interface RowFailure {
  readonly outcome: 'failed'
  readonly code: string
  readonly message: string
  readonly correlationId?: string
}

/** The first line of a journal: which rows, with which options, for whom. */
export interface JobHeader {
  readonly job: string
  readonly format: number
  readonly startedAt: string
  /** Digest of everything that decides what the job does; only a run with the same may resume it. */
  readonly fingerprint: string
  readonly projectKey: string
  /** The store whose customers were written, if the job was about one. */
  readonly storeKey?: string
  readonly target: string
  readonly files: readonly {
    readonly name: string
    readonly bytes: number
    readonly sha256: string
    /** The second file of the mapping. */
    readonly joined?: true
  }[]
  readonly command?: string
  /** The files that it writes for its user beside the report: new passwords, reset links. */
  readonly wrote?: readonly string[]
  /** The options of the run, as the command was given them; no secrets. */
  readonly options: Readonly<Record<string, unknown>>
}

/** One finished row. Failed rows keep what their source said, but for passwords, so that they can be reported. */
export type RowLine = {
  readonly row: number
  readonly line: number
  readonly file?: number
  /** Of a row that failed or keeps something: what names it where its line does not. */
  readonly customer?: string
  readonly record?: Readonly<Record<string, string>>
  /** The further lines of its customer, where a customer takes several. */
  readonly further?: readonly {readonly line: number; readonly record: Readonly<Record<string, string>>}[]
  /** Members that its document has and that a table cannot show: what is null or empty there takes something away. */
  readonly empty?: readonly string[]
} & Outcome

export type Counts = Readonly<Record<'read' | 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed', number>> &
  Readonly<Partial<Record<'deleted' | 'restored', number>>>

export type JournalLine =
  | JobHeader
  /** The process that works on the job, at every start. */
  | {readonly run: ProcessIdentity}
  /** What the valid rows fill, known before the first of them is sent. */
  | {readonly coverage: Coverage}
  | PaceLine
  /**
   * Customer groups, stores and types that are created for the rows, and that no undo takes back. `isRefused`: they were
   * not created after all.
   */
  | {readonly references: readonly string[]; readonly isRefused?: true}
  /** Written before rows are sent, so that after a crash a row that is found done is known as our own doing. */
  | {readonly plan: {readonly create: readonly number[]; readonly update: readonly number[]}}
  /** Restorations that an undo is about to send: a customer whose version is beyond `from` and not beyond `upTo` is its doing. */
  | {readonly restores: readonly Restore[]}
  /** The run stopped by itself: of the rows that it had planned, it never sent these. */
  | {readonly unsent: readonly number[]}
  /** The columns of a table, once. */
  | {readonly file: number; readonly columns: readonly string[]}
  | RowLine
  /** All rows are finished; where the failed ones were reported, if there are any. */
  | {readonly end: Counts; readonly at: string; readonly report: string | null}
  | Ending

/** What another job has done with this one. */
export type Ending =
  /** It took its place: that of the same files, which or whose map were changed meanwhile. */
  | {readonly closed: {readonly by: string; readonly at: string}}
  /** It took back all that the job had done. */
  | {readonly undone: {readonly by: string}}

export interface Restore {
  readonly row: number
  readonly from: number
  readonly upTo: number
}

export const noCounts: Counts = {read: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0}
