import type {UnusualValue} from '../../domain/customers/unusual.js'
import {defined} from '../../domain/equal.js'
import type {CauseMembers} from '../check/causes.js'
import type {CountedRows} from '../check/coverage.js'
import type {Notes} from '../check/notes.js'
import type {ReadAs} from '../input/read-as.js'
import type {Issue, Place} from '../input/row.js'
import type {Counts, Outcome} from '../jobs/journal-lines.js'
import type {JoinCounts} from '../mapping/mapper.js'
import type {Pressure} from '../send/limiter.js'
import type {PlanRow} from './applied-plan.js'

export type LocatedIssue = Place & Issue

/** An event of a run, for its listener. */
export type TransferEvent =
  /** A file that is not plain UTF-8. */
  | ({readonly type: 'read-as'} & ReadAs)
  /** Columns that neither a map nor the draft knows. */
  | {
      readonly type: 'ignored'
      readonly file: string
      readonly columns: readonly string[]
      /** Why columns are left out, where the map says so. */
      readonly reasons?: Readonly<Record<string, string>>
    }
  /** Values that the API stores but a person should look at. */
  | ({readonly type: 'unusual'; readonly column?: string} & UnusualValue & CountedRows)
  /** Values that belong to an address, in rows without one: they are left out. */
  | ({readonly type: 'unplaced'; readonly column: string} & CountedRows)
  /** Rows that mean the customer of another row, which counts instead. */
  | ({readonly type: 'duplicates'} & CountedRows)
  /** How the rows of a joined file met those of the run. */
  | ({readonly type: 'joined'} & JoinCounts)
  /** Customers of a copy without a key, which are found by email. */
  | {readonly type: 'without-key'; readonly rows: number}
  /** Rows whose password is the mask of an export, and counts as absent. */
  | {readonly type: 'masked'; readonly rows: number}
  /** Passwords that the target will hash, and how long that takes at the least. */
  | {readonly type: 'hashing'; readonly passwords: number; readonly expectedMs: number}
  | {readonly type: 'checking'; readonly rows: number}
  | {readonly type: 'checked'; readonly rows: number; readonly invalid: number}
  | {readonly type: 'started'; readonly job: string; readonly rows: number; readonly counts: Counts}
  | {readonly type: 'nothing-to-resume'}
  /** An unfinished job of files with these names, which this one does not resume and whose place it takes. */
  | {readonly type: 'replaced'; readonly job: string}
  /** There is nothing left to resume: the job had come to its end. */
  | {readonly type: 'already-finished'; readonly job: string; readonly at?: string}
  /** Why rows failed, or in a plan: will fail. Comes once, at the end. */
  | {readonly type: 'causes'; readonly causes: CauseMembers}
  /** Rows that the target is sure to refuse, counted before the first write. */
  | {readonly type: 'will-fail'; readonly rows: number; readonly causes: CauseMembers}
  /** Customer groups and stores that are created first. */
  | {readonly type: 'missing'; readonly names: readonly string[]}
  /** What could not be looked up beforehand: the target decides row by row. */
  | {readonly type: 'unchecked'; readonly what: string; readonly why: string}
  /** A row, and the ids of the customers whom it means. */
  | {readonly type: 'planned'; readonly row: PlanRow; readonly meant: readonly string[]}
  | {readonly type: 'finished-row'; readonly place: Place; readonly outcome: Outcome; readonly counts: Counts}
  | {readonly type: 'retry'; readonly error: unknown}
  /** The server asked for less. */
  | {readonly type: 'throttled'; readonly pressure: Pressure}
  | {readonly type: 'exported'; readonly rows: number}
  /** Rows that want something that no update can do. */
  | {readonly type: 'unreachable'; readonly member: string; readonly rows: number}

export type Listener = (event: TransferEvent) => void

/** Tells what is worth saying of files beside their issues; `reasons` are those of a map for the columns it leaves out. */
export function tellNotes(
  {ignored, unusual, unplaced, duplicates, joins, maskedPasswords}: Notes,
  reasons: Readonly<Record<string, string>> | undefined,
  onEvent: Listener,
): void {
  for (const [file, columns] of ignored) {
    if (columns.size > 0) onEvent({type: 'ignored', file, columns: [...columns], ...defined({reasons})})
  }
  for (const found of unusual.all) onEvent({type: 'unusual', ...found})
  for (const found of unplaced.all) onEvent({type: 'unplaced', ...found})
  for (const found of duplicates.all) onEvent({type: 'duplicates', ...found})
  for (const found of joins) onEvent({type: 'joined', ...found})
  if (maskedPasswords > 0) onEvent({type: 'masked', rows: maskedPasswords})
}
