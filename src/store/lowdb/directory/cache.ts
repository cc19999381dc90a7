interface Kept<V> {
  readonly value: V
  readonly bytes: number
}

/** A cache in two generations: what was used of late, and what was used before, which goes as a whole. */
export class Cache<V> {
  readonly #most: number
  #young = new Map<number, Kept<V>>()
  #old: ReadonlyMap<number, Kept<V>> = new Map()
  #bytes = 0

  constructor(budgetBytes: number) {
    this.#most = budgetBytes / 2
  }

  get(key: number): V | undefined {
    const young = this.#young.get(key)
    if (young) return young.value
    const old = this.#old.get(key)
    if (old) this.#keep(key, old)
    return old?.value
  }

  set(key: number, value: V, bytes: number): void {
    if (bytes <= this.#most) this.#keep(key, {value, bytes})
  }

  #keep(key: number, kept: Kept<V>): void {
    const {bytes} = kept
    this.#bytes += bytes - (this.#young.get(key)?.bytes ?? 0)
    if (this.#bytes > this.#most) {
      this.#old = this.#young
      this.#young = new Map()
      this.#bytes = bytes
    }
    this.#young.set(key, kept)
  }
}
