export async function* batchesOf<T>(values: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const value of values) {
    batch.push(value)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Maps a stream, prefetching the next value while one is processed. */
export async function* ahead<T, U>(values: AsyncIterable<T>, map: (value: T) => Promise<U>): AsyncGenerator<U> {
  let next: Promise<U> | undefined
  for await (const value of values) {
    const before = next
    next = map(value)
    // A consumer that stops early never awaits the prefetched value; its rejection must not go unhandled.
    next.catch(() => undefined)
    if (before) yield await before
  }
  if (next) yield await next
}

export class Gathering<T> {
  readonly #size: number
  readonly #use: (values: readonly T[]) => Promise<void>
  #open: T[] = []

  constructor(size: number, use: (values: readonly T[]) => Promise<void>) {
    this.#size = size
    this.#use = use
  }

  /** A promise if the values so far are handed on. */
  add(value: T): Promise<void> | undefined {
    this.#open.push(value)
    return this.#open.length >= this.#size ? this.end() : undefined
  }

  async end(): Promise<void> {
    const values = this.#open
    this.#open = []
    if (values.length > 0) await this.#use(values)
  }
}
