import type {NewToken, Runtime} from '../api/operation/context.js'
import type {FaultPlan, Faults} from './http/faults.js'
import type {RequestLog} from './requests/request-log.js'
import {type RequestFilter, type RequestView, requestsOf} from './requests/request-view.js'
import type {Outbox} from './stubs/outbox.js'
import {type ClockChange, changeClock, type TestClock} from './stubs/test-clock.js'
import type {Entries} from './window/entry.js'

/** What a server keeps in memory beside its state, as its administration and its window ask for it. */
export interface ServerMemory {
  /** How often each deprecated way was used, by its id. */
  deprecatedUses(): Readonly<Record<string, number>>
  /** The last requests, the oldest first. */
  requests(filter: RequestFilter): RequestView[]
  /** Replaces the faults on purpose if a plan is given. */
  faults(plan?: FaultPlan): Faults['state']
  /** Changes the time if a change is given. */
  clock(change?: ClockChange): TestClock['state']
  /** The one-time tokens of a project that were made last, the newest first. */
  tokens(projectKey: string): NewToken[]
  /** A new code that lets one browser into the window. */
  entryCode(): string
  /** Exchanges such a code for the token of a session; undefined for an invalid one. */
  entered(code: string): string | undefined
  /** Whether a token is that of a session that lasts. */
  isInside(token: string): boolean
  /** Forgets what it kept of a project that was emptied, and every counted failure and deprecated use. */
  forget(projectKey: string): void
}

interface Parts extends Pick<Runtime, 'deprecatedUses' | 'wrongSecrets' | 'inactiveAnswers'> {
  readonly faults: Faults
  readonly testClock: TestClock
  readonly requestLog: RequestLog
  readonly outbox: Outbox
  readonly entries: Entries
}

export function serverMemory({faults, testClock, requestLog, outbox, entries, ...runtime}: Parts): ServerMemory {
  const {deprecatedUses, wrongSecrets, inactiveAnswers} = runtime
  return {
    deprecatedUses: () => Object.fromEntries(deprecatedUses),
    requests: (filter) => requestsOf(requestLog, filter),
    faults: (plan) => {
      if (plan) faults.set(plan)
      return faults.state
    },
    clock: (change) => {
      if (change) changeClock(testClock, change)
      return testClock.state
    },
    tokens: (projectKey) => outbox.of(projectKey),
    entryCode: () => entries.issue(),
    entered: (code) => entries.redeem(code),
    isInside: (token) => entries.isInside(token),
    forget: (projectKey) => {
      deprecatedUses.clear()
      wrongSecrets.clearAll()
      inactiveAnswers.clearAll()
      outbox.clear(projectKey)
    },
  }
}
