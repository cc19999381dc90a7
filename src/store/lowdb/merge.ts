import {compareText} from '../../query/text-order.js'

interface Identified {
  readonly id: string
}

/** Merges sources that ascend by id into one; of those with the same id the earliest source wins. */
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
