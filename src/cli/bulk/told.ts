import {defined} from '../../domain/equal.js'
import type {CauseMembers} from '../../transfer/check/causes.js'
import type {Listener} from '../../transfer/run/events.js'

/** What the events of a run add to its result. */
export interface Told extends CauseMembers {
  /** `--resume` found the job at its end; the counts are those of then. */
  readonly alreadyFinished?: true
  readonly finishedAt?: string
  /** Answers 429 and 503, and how long in all the server asked to be left alone. */
  readonly throttled?: {readonly answers: number; readonly pausedMs: number}
}

/** The result of a run of the engine, with what its events tell of it as a whole. */
export async function withTold<R>(onEvent: Listener, run: (onEvent: Listener) => Promise<R>): Promise<R & Told> {
  let told: Told = {}
  const result = await run((event) => {
    if (event.type === 'causes') told = {...told, ...event.causes}
    if (event.type === 'throttled') {
      const {answers, pausedMs} = event.pressure
      told = {...told, throttled: {answers, pausedMs}}
    }
    if (event.type === 'already-finished') told = {...told, alreadyFinished: true, ...defined({finishedAt: event.at})}
    onEvent(event)
  })
  // Most runs have nothing to add, and some results are plain numbers.
  return (Object.keys(told).length === 0 ? result : {...result, ...told}) as R & Told
}
