import type {UniqueKeyRow} from './unique-key-changes.js'

/** An attempt at a commit met something that moved under it; the next one looks again. */
export class RetryCommit extends Error {
  override readonly name = 'RetryCommit'
  /** Shared unique keys whose rows have to be there first. */
  readonly unprepared: readonly UniqueKeyRow[]

  constructor(unprepared: readonly UniqueKeyRow[] = []) {
    super('another commit was faster')
    this.unprepared = unprepared
  }
}
