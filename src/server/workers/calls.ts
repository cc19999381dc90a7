import type {MadeToken} from '../../api/operation/context.js'
import {StateError} from '../../domain/errors.js'
import type {FaultRule, FaultTarget} from '../http/faults.js'
import type {Processes} from '../processes.js'
import type {RequestFilter, RequestView} from '../requests/request-view.js'
import type {ClockSetting} from '../stubs/test-clock.js'

/** What the processes of one server say to each other. */

/** What a worker needs to know to be one of several. */
export interface WorkerSlot {
  /** From 0. */
  readonly slot: number
  readonly workers: number
  readonly port: number
  /** Of the door for this machine alone, where there is one. */
  readonly localPort: number
  readonly adminDigest: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Microseconds of the machine's steady clock, from which requests are numbered. */
  readonly countsFrom: number
  /** Names the server in Via headers, so that each worker knows what another one has handed on. */
  readonly pseudonym: string
}

export interface Addresses {
  readonly origin: string
  readonly localOrigin: string
}

/** Why a worker did not start. */
export interface StartFailure {
  readonly code: string
  readonly message: string
  /** Of a StateError. */
  readonly path?: string
  readonly remedy?: string
}

/** A wrong secret, or an inactive token: counted by every worker. */
export interface CountedFailure {
  readonly counter: 'wrongSecrets' | 'inactiveAnswers'
  readonly key: string
  readonly at: number
}

/** What a worker asks of the primary process: what the administration asks of all processes, and what is its own. */
export interface PrimaryCalls extends Processes {
  slot(): WorkerSlot
  listens(addresses: Addresses): void
  doesNotStart(failure: StartFailure): void
  drawFault(operation: FaultTarget): FaultRule | undefined
  failed(failure: CountedFailure): void
}

/** What the primary process asks of a worker. */
export interface WorkerCalls {
  drain(): void
  ping(): void
  deprecatedUses(): Readonly<Record<string, number>>
  /** The worker's own requests up to a number, which it has all seen end. */
  requests(asked: {readonly filter: RequestFilter; readonly until: number}): RequestView[]
  tokens(projectKey: string): MadeToken[]
  forget(projectKey: string): void
  hasFaults(hasFaults: boolean): void
  clock(setting: ClockSetting): void
  failed(failure: CountedFailure): void
}

export function failureOf(error: unknown): StartFailure {
  if (error instanceof StateError) {
    const {code, message, path, remedy} = error
    return {code, message, path, remedy}
  }
  return {code: '', message: error instanceof Error ? error.message : String(error)}
}

/** The error that a worker met, in the process that tells of it. */
export function errorOf({code, message, path, remedy}: StartFailure): Error {
  if (path !== undefined && remedy !== undefined)
    return new StateError(code as StateError['code'], message, path, remedy)
  return new Error(message)
}

/** Microseconds of a clock that all processes of this machine share, and that nobody sets. */
export const steadyMicroseconds = (): number => Number(process.hrtime.bigint() / 1_000n)

/** The highest number that no request can get any more. */
export const lastNumber = (now: number, {countsFrom, workers}: Pick<WorkerSlot, 'countsFrom' | 'workers'>): number =>
  (now - countsFrom) * workers

/**
 * Numbers requests by the time of their end, so that they ascend over all workers without a word between them. Two of one
 * worker never share a microsecond.
 */
export function requestNumbers({slot, workers, countsFrom}: WorkerSlot, now = steadyMicroseconds): () => number {
  let last = -1
  return () => {
    last = Math.max(last + 1, now() - countsFrom)
    return last * workers + slot + 1
  }
}
