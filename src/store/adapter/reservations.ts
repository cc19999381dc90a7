/** One commit on its way, as the owner of what it reserved. */
export class Ticket {
  readonly keys: string[] = []
}

interface Reserved {
  readonly by: Set<Ticket>
  exclusive: boolean
}

/** Unique keys that commits on their way have asked for and no document holds yet. */
export class Reservations {
  readonly #reserved = new Map<string, Reserved>()

  /** Whether another commit has reserved `key` in a way that excludes this one. */
  clash(key: string, shared: boolean, ticket: Ticket): boolean {
    const reserved = this.#reserved.get(key)
    if (!reserved || (shared && !reserved.exclusive)) return false
    return reserved.by.size > (reserved.by.has(ticket) ? 1 : 0)
  }

  take(key: string, shared: boolean, ticket: Ticket): void {
    const reserved = this.#reserved.get(key)
    if (!reserved) this.#reserved.set(key, {by: new Set([ticket]), exclusive: !shared})
    else {
      reserved.by.add(ticket)
      reserved.exclusive ||= !shared
    }
    ticket.keys.push(key)
  }

  release(ticket: Ticket): void {
    for (const key of ticket.keys.splice(0)) {
      const reserved = this.#reserved.get(key)
      if (reserved?.by.delete(ticket) && reserved.by.size === 0) this.#reserved.delete(key)
    }
  }
}
