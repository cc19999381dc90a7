import {setImmediate as turn} from 'node:timers/promises'

/**
 * Yields to the event loop once the time budget is spent, so that long work does not delay other requests. Call it
 * between steps; it returns undefined, so that nothing is awaited, while there is time left.
 */
export type Yield = () => Promise<void> | undefined

/** Resumes one waiting task per turn of the event loop, so that many together delay others no longer than one. */
function oneByOne(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => turn())
    return last
  }
}

export const nextTurn = oneByOne()

/** As `nextTurn`, for the next piece of a large body: those do not wait for the work of others. */
export const nextRead = oneByOne()

/** The time budget of one request per turn, and of all that begin in the same one. */
export const sliceMs = 5

/** When the slice of those that begin in this turn ends. */
let turnEnd = 0
/** Whether that was asked in this turn. A turn is looked for only where a slice has passed: each look costs half a microsecond. */
let isOfThisTurn = false

function endTurnAt(time: number): void {
  turnEnd = time
  if (isOfThisTurn) return
  isOfThisTurn = true
  setImmediate(() => {
    isOfThisTurn = false
  })
}

/**
 * Whether those that began in this turn have used up its slice at a time of `performance.now`: the others only begin. What is
 * left of the slice of a turn before counts as well, so that a turn lasts two slices at the most.
 */
export function isTurnSpent(now: number): boolean {
  if (now < turnEnd) return false
  if (!isOfThisTurn) endTurnAt(now + sliceMs)
  return now >= turnEnd
}

export const spendTurn = (): void => endTurnAt(0)

/** A `Yield` for one task, with its time budget per turn of the event loop. */
export function timeSlices(budgetMs: number): Yield {
  let end = performance.now() + budgetMs
  let isFirst = true
  return () => {
    const now = performance.now()
    if (now < end && !(isFirst && isTurnSpent(now))) return undefined
    if (isFirst) spendTurn()
    isFirst = false
    return nextTurn().then(() => {
      end = performance.now() + budgetMs
    })
  }
}

/** Items started together: a database can pipeline them, and files are read without pauses. */
const batchSize = 100

/** Processes items in concurrent batches and yields to the event loop between batches. */
export async function inSlices<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const yields = timeSlices(sliceMs)
  for (let at = 0; at < items.length; at += batchSize) {
    await Promise.all(items.slice(at, at + batchSize).map(work))
    await yields()
  }
}

/** Steps after which work counts as long and yields once: its caller may have used up a slice already. */
const shortSteps = 16

/** Runs a generator to its end, and awaits promises that it yields. Long work yields to the event loop, first and whenever its slice is spent. */
export function inTurns<T>(work: Generator<Promise<void> | undefined, T>): T | Promise<T> {
  let yields: Yield | undefined
  for (let step = 0; step < shortSteps; step += 1) {
    const {done, value} = work.next()
    if (done) return value
    if (value) return value.then(() => inSteps(work))
    yields ??= timeSlices(sliceMs)
    const pause = yields()
    if (pause) return pause.then(() => inSteps(work))
  }
  return nextTurn().then(() => inSteps(work))
}

async function inSteps<T>(work: Generator<Promise<void> | undefined, T>): Promise<T> {
  const yields = timeSlices(sliceMs)
  for (;;) {
    const {done, value} = work.next()
    if (done) return value
    const pause = value ?? yields()
    if (pause) await pause
  }
}
