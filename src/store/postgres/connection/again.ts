import type {ClaimRow} from '../claim-changes.js'

/** An attempt at a commit met something that moved under it; the next one looks again. */
export class Again extends Error {
  override readonly name = 'Again'
  /** Shared claims whose rows have to be there first. */
  readonly unprepared: readonly ClaimRow[]

  constructor(unprepared: readonly ClaimRow[] = []) {
    super('another commit was faster')
    this.unprepared = unprepared
  }
}
