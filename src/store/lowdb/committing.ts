import type {Low} from 'lowdb'
import type {Parted} from '../adapter/requirements.js'
import type {Ticket} from '../adapter/reservations.js'
import type {State, Transaction} from './tree/state.js'

/** Checks changes, after conflicting commits in progress, and runs `then` synchronously after the check. */
export function admitted<T>(state: State, all: Parted, ticket: Ticket, then: () => T): T | Promise<T> {
  const busy = state.check(all, ticket)
  return busy ? busy.then(() => admitted(state, all, ticket, then)) : then()
}

/** Resolves when a commit is durable and has taken effect; after a failure it has none. */
export async function written(low: Low<State>, transaction: Transaction): Promise<void> {
  let durable = false
  try {
    await low.update((state) => state.unwritten.push(transaction))
    durable = true
  } finally {
    low.data.end(transaction, durable)
  }
}
