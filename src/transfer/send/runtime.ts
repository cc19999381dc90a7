import {randomBytes, randomInt} from 'node:crypto'
import {setTimeout as sleep} from 'node:timers/promises'
import {defined} from '../../domain/equal.js'

/** Clock, waiting and randomness of a run, so that tests have none. */
export interface Runtime {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Ends early, by rejecting, when the signal is aborted. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** From 0 up to 1. */
  readonly random: () => number
  /** Of a strength that passwords need. */
  readonly bytes: (count: number) => Buffer
}

export const systemRuntime: Runtime = {
  now: Date.now,
  wait: (milliseconds, signal) => sleep(milliseconds, undefined, defined({signal})),
  random: () => randomInt(2 ** 32) / 2 ** 32,
  bytes: randomBytes,
}
