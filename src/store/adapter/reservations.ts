/** A commit in progress, as the owner of its reservations. */
export class Ticket {
  readonly keys: string[] = []
}

interface Reserved {
  /** A list: hardly ever more than one. */
  readonly by: Ticket[]
  exclusive: boolean
}

/** Unique keys that commits on their way have asked for and no document holds yet. */
export class Reservations {
  readonly #reserved = new Map<string, Reserved>()

  /** Whether another commit has reserved `key` in a way that excludes this one. */
  clash(key: string, shared: boolean, ticket: Ticket): boolean {
    const reserved = this.#reserved.get(key)
    if (!reserved || (shared && !reserved.exclusive)) return false
    return reserved.by.length > (reserved.by.includes(ticket) ? 1 : 0)
  }

  take(key: string, shared: boolean, ticket: Ticket): void {
    const reserved = this.#reserved.get(key)
    if (!reserved) this.#reserved.set(key, {by: [ticket], exclusive: !shared})
    else {
      if (!reserved.by.includes(ticket)) reserved.by.push(ticket)
      reserved.exclusive ||= !shared
    }
    ticket.keys.push(key)
  }

  release(ticket: Ticket): void {
    for (const key of ticket.keys.splice(0)) {
      const {by = []} = this.#reserved.get(key) ?? {}
      const at = by.indexOf(ticket)
      if (at >= 0) by.splice(at, 1)
      if (by.length === 0) this.#reserved.delete(key)
    }
  }
}
