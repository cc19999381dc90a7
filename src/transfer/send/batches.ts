/** Rows that are planned together, with few requests. */
export const batchSize = 250

export async function* batchesOf<T>(pieces: AsyncIterable<Iterable<T>>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const piece of pieces) {
    for (const value of piece) {
      batch.push(value)
      if (batch.length < batchSize) continue
      yield batch
      batch = []
    }
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
