/** A least-recently-used cache with a budget of bytes. */
export class Cache<V> {
  readonly #budget: number
  readonly #values = new Map<number, {readonly value: V; readonly bytes: number}>()
  #bytes = 0

  constructor(budgetBytes: number) {
    this.#budget = budgetBytes
  }

  get(key: number): V | undefined {
    const found = this.#values.get(key)
    if (!found) return undefined
    // A Map iterates in insertion order, so the least recently used entries come first.
    if (this.#bytes > this.#budget / 2) {
      this.#values.delete(key)
      this.#values.set(key, found)
    }
    return found.value
  }

  set(key: number, value: V, bytes: number): void {
    this.delete(key)
    this.#values.set(key, {value, bytes})
    this.#bytes += bytes
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#budget) return
      this.delete(oldest)
    }
  }

  delete(key: number): void {
    this.#bytes -= this.#values.get(key)?.bytes ?? 0
    this.#values.delete(key)
  }
}
