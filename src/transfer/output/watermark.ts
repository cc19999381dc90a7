import type {Client} from '../../client/client.js'
import type {Customer} from '../../domain/customers/customer.js'
import type {PageQuery} from '../send/customer-calls.js'

/**
 * How far a reading of customers has come, in the times of the server that was read: not past the moment when it began,
 * since a customer that changes behind the walk is not seen, and not past the last change that was seen, since the clock
 * of this machine counts for nothing.
 */
export class Watermark {
  #beganAt = Number.NEGATIVE_INFINITY
  #latest = Number.NEGATIVE_INFINITY

  /** Call it when the server has answered for the first time, and before the first page is asked for. */
  begin(client: Client): void {
    this.#beganAt = client.serverTime()
  }

  see({lastModifiedAt}: Pick<Customer, 'lastModifiedAt'>): void {
    const time = Date.parse(lastModifiedAt)
    if (time > this.#latest) this.#latest = time
  }

  /** Undefined if no customer was seen. */
  get value(): string | undefined {
    const time = Math.min(this.#beganAt, this.#latest)
    return Number.isFinite(time) ? new Date(time).toISOString() : undefined
  }
}

/** The query for what changed at a moment or later. */
export const changedSince = (query: PageQuery, moment: string): PageQuery => ({
  ...query,
  where: [...(query.where ?? []), 'lastModifiedAt >= :changedSince'],
  variables: {...query.variables, changedSince: moment},
})
