import type {UniqueKeyRow} from './unique-key-changes.js'

/** An attempt at a commit met something that moved under it; the next one looks again. */
export class RetryCommit extends Error {
  override readonly name: string = 'RetryCommit'
  /** Shared unique keys whose rows have to be there first. */
  readonly unprepared: readonly UniqueKeyRow[]

  constructor(unprepared: readonly UniqueKeyRow[] = []) {
    super('another commit was faster')
    this.unprepared = unprepared
  }
}

/**
 * A unique key that a document holds has no row. Where a commit reaches several nodes it may appear yet; else the tables are
 * damaged.
 */
export class KeyNotThere extends RetryCommit {
  override readonly name = 'KeyNotThere'
}
