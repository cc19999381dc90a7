import {setTimeout as pause} from 'node:timers/promises'
import {ApiError} from '../domain/errors.js'
import {Unreachable} from './client.js'

/**
 * One way to settle a write. A request whose answer is lost, foreign or made by something in between may have had its
 * effect; one reading tells. It happened, or it did not (and is sent again where that is safe), or nobody can tell.
 */

/** What one reading says about a write. The texts are sentences for people, with what was seen. */
export type Reading<T> =
  | {readonly happened: T}
  | {readonly unchanged: string}
  /** `harmless`: what may have happened serves nobody, so that another try may follow. */
  | {readonly open: string; readonly harmless?: true}

/** How to find out whether a write took effect after its answer was lost. */
export interface Settlement<T> {
  /** Looks whether the write had its effect. What it throws means that nobody can tell. */
  readonly read: () => Promise<Reading<T>>
  /** Sending again does no harm even if the first request arrives late: a version, a unique value or a one-time token fences it. */
  readonly fenced: boolean
  /** The command that shows what was to be written. */
  readonly look: string
}

/**
 * The request was sent, and neither an answer nor a reading says whether it took effect. `cause` is the error of the
 * request.
 */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  /** What the reading saw, as a sentence. */
  readonly seen: string
  readonly look: string

  constructor(cause: Error, seen: string, look: string) {
    super(cause.message, {cause})
    this.seen = seen
    this.look = look
  }
}

/** The request failed without an answer that tells, and a reading showed that nothing has changed. */
export class WriteNotApplied extends Error {
  override readonly name = 'WriteNotApplied'
  readonly seen: string

  constructor(cause: Error, seen: string) {
    super(cause.message, {cause})
    this.seen = seen
  }
}

/** Whether a failed request may have had its effect. Refusals of the API, those of a token too, and requests that never left had none. */
export function mayHaveActed(error: unknown): boolean {
  if (error instanceof Unreachable) return error.sent
  if (!(error instanceof ApiError) || error.unsent || error.is('ExternalOAuthFailed')) return false
  const {statusCode, isForeign} = error
  return statusCode !== 429 && (isForeign || statusCode >= 500 || statusCode < 400)
}

/** Whether the request may still be at work: somebody stopped waiting for it, and nobody ended it. */
const mayBeUnderWay = (error: ApiError | Unreachable): boolean =>
  error instanceof Unreachable
    ? error.trouble === 'timeout'
    : error.statusCode === 504 || error.statusCode === 408 || error.is('LockedField')

/** 503 has been repeated by the transport already; what a foreign page refuses, it will refuse again. */
const isPassing = (error: ApiError | Unreachable): boolean =>
  error instanceof Unreachable || error.statusCode === 502 || error.statusCode === 504 || error.is('LockedField')

export interface Repeats {
  /** After the first try. */
  readonly retries: number
  readonly wait?: (milliseconds: number) => Promise<unknown>
  readonly random?: () => number
}

const [baseMs, maxMs] = [100, 5000]

/**
 * The result of a write; `isRead` if it is from a reading, since the answer itself was lost. Throws what refused it; WriteNotApplied if it certainly had no effect, OutcomeUnknown if nobody can tell. A
 * refusal after a try without an answer is not final: that try may have caused it.
 */
export async function settled<T>(
  request: () => Promise<T>,
  settlement: Settlement<T>,
  {retries, wait = pause, random = Math.random}: Repeats,
): Promise<{readonly result: T; readonly isRead: boolean}> {
  let isOpen = false
  let isUnderWay = false
  for (let attempt = 0; ; attempt += 1) {
    let failure: ApiError | Unreachable
    try {
      return {result: await request(), isRead: false}
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof Unreachable)) throw error
      isOpen ||= mayHaveActed(error) || (error instanceof ApiError && error.afterOpenTry === true)
      if (!isOpen) throw error
      failure = error
    }
    isUnderWay ||= mayBeUnderWay(failure)
    // What was cut off may reach the server a moment later.
    await wait(Math.min(maxMs, baseMs * 2 ** attempt) * (1 + random()))
    const reading = await readingOf(settlement, failure)
    if ('happened' in reading) return {result: reading.happened, isRead: true}
    const mayRepeat = isPassing(failure) && attempt < retries
    if ('open' in reading) {
      if (reading.harmless && mayRepeat) continue
      throw new OutcomeUnknown(failure, reading.open, settlement.look)
    }
    if (settlement.fenced && mayRepeat) continue
    if (isRefusal(failure)) throw failure
    if (isUnderWay)
      throw new OutcomeUnknown(failure, `${reading.unchanged} The request may still be under way.`, settlement.look)
    throw new WriteNotApplied(failure, reading.unchanged)
  }
}

/** An answer of the API itself, which is final once a reading says that no earlier try had its effect. */
const isRefusal = (error: ApiError | Unreachable): error is ApiError =>
  error instanceof ApiError && !mayHaveActed(error) && !error.is('LockedField')

async function readingOf<T>({read, look}: Settlement<T>, failure: Error): Promise<Reading<T>> {
  try {
    return await read()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new OutcomeUnknown(failure, `Looking for its effect failed, too: ${why}`, look)
  }
}
