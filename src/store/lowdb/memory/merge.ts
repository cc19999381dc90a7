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
