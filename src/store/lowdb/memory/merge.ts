import {compareText} from '../../../query/text-order.js'

interface Identified {
  readonly id: string
}

/** Merges sorted sources; of entries with the same id, that of the earliest source wins. */
export function* merged<T extends Identified>(sources: readonly Generator<T>[]): Generator<T> {
  const [only] = sources
  if (only && sources.length === 1) return yield* only
  try {
    const heads = sources.map((source) => source.next())
    for (;;) {
      let least: T | undefined
      for (const {done, value} of heads) {
        if (!done && (!least || compareText(value.id, least.id) < 0)) least = value
      }
      if (!least) return
      yield least
      for (let at = 0; at < heads.length; at += 1) {
        const head = heads[at]
        if (head && !head.done && head.value.id === least.id) heads[at] = (sources[at] as Generator<T>).next()
      }
    }
  } finally {
    for (const source of sources) source.return(undefined)
  }
}

interface Head<T> {
  value: T
  readonly source: Generator<T>
  /** Its index among the sources; the lowest wins. */
  readonly rank: number
}

/**
 * `merged` for many sources, by a heap. Yields undefined after starting each source, since starting all may be slow.
 */
export function* mergedByHeap<T extends Identified>(sources: readonly Generator<T>[]): Generator<T | undefined> {
  const heap: Head<T>[] = []
  const isBefore = (a: Head<T>, b: Head<T>): boolean => {
    const order = compareText(a.value.id, b.value.id)
    return order < 0 || (order === 0 && a.rank < b.rank)
  }
  const settle = (from: number): void => {
    const item = heap[from] as Head<T>
    let at = from
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Head<T>, heap[child] as Head<T>)) child += 1
      if (!isBefore(heap[child] as Head<T>, item)) break
      heap[at] = heap[child] as Head<T>
      at = child
    }
    heap[at] = item
  }
  try {
    for (const [rank, source] of sources.entries()) {
      const {done, value} = source.next()
      if (!done) heap.push({value, source, rank})
      yield undefined
    }
    for (let at = (heap.length >> 1) - 1; at >= 0; at -= 1) settle(at)
    let last: string | undefined
    for (let head = heap[0]; head; head = heap[0]) {
      if (head.value.id !== last) yield head.value
      last = head.value.id
      const {done, value} = head.source.next()
      if (!done) head.value = value
      else {
        const moved = heap.pop() as Head<T>
        if (moved === head) return
        heap[0] = moved
      }
      settle(0)
    }
  } finally {
    for (const source of sources) source.return(undefined)
  }
}
