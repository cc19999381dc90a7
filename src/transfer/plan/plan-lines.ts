import type {UpdateAction} from '../../domain/action.js'
import type {JobHeader} from '../jobs/journal-lines.js'

/** The lines of a plan file: a header, one line a row, and an end that tells a whole file from one that was cut. */

export interface PlanHeader {
  readonly frontdesk: 'plan'
  readonly format: 1
  readonly createdAt: string
  readonly projectKey: string
  readonly storeKey?: string
  /** The address of the service, or the folder of the state. */
  readonly target: string
  /** What the rows were read from: passwords stay there, and nowhere else. */
  readonly files: JobHeader['files']
  /** Everything that decides what becomes of a row. */
  readonly options: Readonly<Record<string, unknown>>
}

export type PlanRow = {readonly row: number; readonly line: number; readonly identity: string} & (
  | {readonly do: 'create'; readonly draft: object}
  | {readonly do: 'update'; readonly id: string; readonly version: number; readonly actions: readonly UpdateAction[]}
  | {readonly do: 'unchanged'; readonly id: string; readonly version: number}
  | {readonly do: 'skip'; readonly reason: string}
  | {readonly do: 'refuse'; readonly code: string; readonly reason: string}
  | {readonly do: 'invalid'; readonly code: string; readonly reason: string}
)
