import {type Connections, NotRun, type Run} from './connections.js'
import {isLost} from './faults.js'

/** Statements of one request, none of which needs the answer of another, and who waits for what they find. */
export interface Reading {
  readonly work: (run: Run) => Promise<() => void>
  reject(error: unknown): void
}

/** How trips are made, and readings that are repeated alone. */
export type Shared = Pick<Connections, 'pipelining' | 'reading' | 'isDistributed'>

/** A reading that calls `found` with what `work` finds. */
export const reading = <T>(
  work: (run: Run) => Promise<T>,
  found: (answer: T) => void,
  reject: (error: unknown) => void,
): Reading => ({
  work: async (run) => {
    const answer = await work(run)
    return () => found(answer)
  },
  reject,
})

/**
 * Runs all readings in one round trip. Whoever fails, fails alone: those behind are not run by the database, and run once
 * more each for itself. Resolves when the trip is over, and never rejects.
 */
export async function sharedTrip(connections: Shared, readings: readonly Reading[]): Promise<void> {
  let ends: readonly PromiseSettledResult<() => void>[]
  try {
    ends = await connections.pipelining((run) => together(run, readings))
  } catch (error) {
    for (const {reject} of readings) reject(error)
    return
  }
  for (const [at, end] of ends.entries()) {
    const one = readings[at] as Reading
    if (end.status === 'fulfilled') end.value()
    else if (end.reason instanceof NotRun) void alone(connections, one)
    else one.reject(end.reason)
  }
}

/** Throws if the connection was lost, so that the trip is made once more. */
async function together(run: Run, readings: readonly Reading[]): Promise<PromiseSettledResult<() => void>[]> {
  const ends = await Promise.allSettled(readings.map(({work}) => work(run)))
  const lost = ends.find((end) => end.status === 'rejected' && isLost(end.reason))
  if (lost?.status === 'rejected') throw lost.reason
  return ends
}

const alone = (connections: Shared, {work, reject}: Reading): Promise<void> =>
  connections.reading(work).then((found) => found(), reject)
