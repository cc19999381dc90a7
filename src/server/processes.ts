import type {MadeToken, Platform} from '../api/operation/context.js'
import type {FaultPlan, Faults} from './http/faults.js'
import type {RequestLog} from './requests/request-log.js'
import {type RequestFilter, type RequestView, requestsOf} from './requests/request-view.js'
import {type ClockChange, changeClock, type TestClock} from './stubs/test-clock.js'
import type {EntryCodes} from './window/entry.js'
import type {Outbox} from './window/outbox.js'

/** Who answers for a server, and what its requests used. */
export interface ProcessStatus {
  /** The process that holds the state's folder, and that a signal ends. */
  readonly pid: number
  /** The processes that answer requests, if they are others. */
  readonly workers?: readonly number[]
  readonly deprecatedUses: Readonly<Record<string, number>>
}

/**
 * What a server keeps in memory beside its state, over all of its processes. The administration asks here, so that it
 * does not matter which process a request of its reached.
 */
export interface Processes {
  status(): Promise<ProcessStatus>
  /** The last requests, the oldest first. */
  requests(filter: RequestFilter): Promise<RequestView[]>
  /** Replaces the faults on purpose if a plan is given. */
  faults(plan?: FaultPlan): Promise<Faults['state']>
  /** Changes the time if a change is given. */
  clock(change?: ClockChange): Promise<TestClock['state']>
  /** The one-time tokens of a project that were made last, the newest first. */
  tokens(projectKey: string): Promise<MadeToken[]>
  /** A new code that lets one browser into the window. */
  entryCode(): Promise<string>
  /** Uses such a code up; false for one that lets nobody in. */
  redeemed(code: string): Promise<boolean>
  /** Forgets what it kept of a project that was emptied, and every counted failure and deprecated use. */
  forget(projectKey: string): Promise<void>
}

/** What one process forgets when a project was emptied. */
export function forget(
  {deprecatedUses, wrongSecrets, inactiveAnswers}: OwnMemory,
  outbox: Outbox,
  projectKey: string,
): void {
  deprecatedUses.clear()
  wrongSecrets.clearAll()
  inactiveAnswers.clearAll()
  outbox.clear(projectKey)
}

type OwnMemory = Pick<Platform, 'deprecatedUses' | 'wrongSecrets' | 'inactiveAnswers'>

interface Own extends OwnMemory {
  readonly faults: Faults
  readonly testClock: TestClock
  readonly requestLog: RequestLog
  readonly outbox: Outbox
  readonly entryCodes: EntryCodes
}

/** A server that is one process. */
export const oneProcess = ({faults, testClock, requestLog, outbox, entryCodes, ...platform}: Own): Processes => ({
  status: async () => ({pid: process.pid, deprecatedUses: Object.fromEntries(platform.deprecatedUses)}),
  requests: async (filter) => requestsOf(requestLog, filter),
  faults: async (plan) => {
    if (plan) faults.set(plan)
    return faults.state
  },
  clock: async (change) => {
    if (change) changeClock(testClock, change)
    return testClock.state
  },
  tokens: async (projectKey) => outbox.of(projectKey),
  entryCode: async () => entryCodes.issue(),
  redeemed: async (code) => entryCodes.redeem(code),
  forget: async (projectKey) => forget(platform, outbox, projectKey),
})
