import {compareText} from '../../../query/text-order.js'

interface Identified {
  readonly id: string
}

/** Merges sorted sources; of entries with the same id, that of the earliest source wins. */
export function* merged<T extends Identified>(sources: readonly Generator<T>[]): Generator<T> {
  const [only] = sources
  if (only && sources.length === 1) return yield* only
  try {
    const heads = sources.map(nextOf)
    for (;;) {
      let first = -1
      let least: T | undefined
      for (let at = 0; at < heads.length; at += 1) {
        const head = heads[at]
        const order = head && least ? compareText(head.id, least.id) : -1
        if (head && order === 0) heads[at] = nextOf(sources[at] as Generator<T>)
        else if (head && order < 0) {
          least = head
          first = at
        }
      }
      if (!least) return
      yield least
      heads[first] = nextOf(sources[first] as Generator<T>)
    }
  } finally {
    for (const source of sources) source.return(undefined)
  }
}

function nextOf<T>(source: Generator<T>): T | undefined {
  const {done, value} = source.next()
  return done ? undefined : value
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
