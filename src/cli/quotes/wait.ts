import {setTimeout as pause} from 'node:timers/promises'
import {Flags} from '@oclif/core'
import {quoteStates} from '../../domain/quotes/states.js'

export const stateFlag = Flags.option({
  options: quoteStates,
  required: true,
  multiple: true,
  multipleNonGreedy: true,
  summary: 'The state to wait for (repeatable: any of them).',
})()

const firstPauseMs = 100
const longestPauseMs = 2_000
const growth = 1.5

export interface Waiting {
  readonly timeoutMs: number
  readonly clock: () => number
  /** Aborts the wait. */
  readonly signal: AbortSignal
}

/**
 * Polls with growing pauses until a value satisfies the condition or the time is up, with a last read at the end. Returns
 * the last value and whether it satisfies the condition.
 */
export async function waitUntil<T>(
  read: () => Promise<T>,
  isWanted: (value: T) => boolean,
  {timeoutMs, clock, signal}: Waiting,
): Promise<{readonly value: T; readonly reached: boolean}> {
  const end = clock() + timeoutMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * growth, longestPauseMs)) {
    const value = await read()
    const leftMs = end - clock()
    if (isWanted(value)) return {value, reached: true}
    if (leftMs <= 0 || signal.aborted) return {value, reached: false}
    await pause(Math.min(pauseMs, leftMs), undefined, {signal}).catch(() => undefined)
  }
}
