import {setImmediate as turn} from 'node:timers/promises'

/**
 * Yields to the event loop once the time budget is spent, so that long work holds nobody up. Call it between steps;
 * nothing is to be awaited while there is time left.
 */
export type Yield = () => Promise<void> | undefined

let lastTurn: Promise<void> = Promise.resolve()

/** One piece of work goes on in each turn of the event loop, so that many of them keep nobody waiting longer than one. */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => turn())
  return lastTurn
}

/** A `Yield` for one piece of work that may keep the event loop to itself for so long at a time. */
export function timeSlices(budgetMs: number): Yield {
  let end = performance.now() + budgetMs
  return () => {
    if (performance.now() < end) return undefined
    return nextTurn().then(() => {
      end = performance.now() + budgetMs
    })
  }
}

/** How long one request keeps the event loop to itself. */
export const sliceMs = 5

/** Begun together: a database answers many in one exchange, and files are read without a pause in between. */
const batchSize = 100

/** Does something with each item, a few at once, and lets others run between the batches. */
export async function inSlices<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const yields = timeSlices(sliceMs)
  for (let at = 0; at < items.length; at += batchSize) {
    await Promise.all(items.slice(at, at + batchSize).map(work))
    await yields()
  }
}

/** Steps after which work counts as long: what led to it may have taken a slice already. */
const shortSteps = 16

/** Runs work step by step to its end. Long work lets others run first, and whenever a slice is spent. */
export async function inTurns<T>(work: Generator<undefined, T>): Promise<T> {
  let yields = timeSlices(sliceMs)
  for (let step = 0; ; step += 1) {
    if (step === shortSteps) {
      await nextTurn()
      yields = timeSlices(sliceMs)
    }
    const {done, value} = work.next()
    if (done) return value
    const pause = yields()
    if (pause) await pause
  }
}
