const mostIds = 30

/** What answers tell of resources, so that later requests change what is there. */
export class Learned {
  /** By ids and keys. */
  readonly #versions = new Map<string, number>()
  /** Those that were seen last, by the segments of paths. */
  readonly #ids = new Map<string, readonly string[]>()
  /** The id or key in the path of the request that is being made. */
  asked: string | undefined

  /** `request` is the text of what was answered. */
  take(request: string, answer: unknown): void {
    const [, collection = ''] = /^[A-Z]+ \/[^/]+\/(?:in-store\/[^/]+\/)?([\w-]+)/.exec(request) ?? []
    const {results} = Object(answer) as {readonly results?: unknown}
    for (const one of Array.isArray(results) ? results : [answer]) {
      const {id, key, version, customer} = Object(one) as Readonly<Record<string, unknown>>
      if (customer !== undefined) this.take(request, customer)
      if (typeof id !== 'string' || typeof version !== 'number') continue
      for (const name of [id, key]) if (typeof name === 'string') this.#versions.set(name, version)
      this.#ids.set(collection, [...this.ids(collection).slice(-mostIds), id])
    }
  }

  version(): number {
    return this.#versions.get(this.asked ?? '') ?? 1
  }

  ids(collection: string): readonly string[] {
    return this.#ids.get(collection) ?? []
  }
}
