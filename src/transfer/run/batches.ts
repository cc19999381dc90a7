/** Groups of a stream, in order. */
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

/** The stream mapped, with the next value already on its way while one is used. */
export async function* ahead<T, U>(values: AsyncIterable<T>, map: (value: T) => Promise<U>): AsyncGenerator<U> {
  let next: Promise<U> | undefined
  for await (const value of values) {
    const before = next
    next = map(value)
    // If the reader stops before this one is asked for, its failure has nobody to go to.
    next.catch(() => undefined)
    if (before) yield await before
  }
  if (next) yield await next
}
