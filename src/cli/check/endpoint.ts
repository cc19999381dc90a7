import {Flags} from '@oclif/core'
import type {Dispatcher} from 'undici'
import {isObject} from '../../domain/equal.js'
import {undici, verifiedTls} from '../../domain/verified-tls.js'
import {jsonIn} from '../output/fields.js'
import {Failure} from '../process/failure.js'
import {textWithin} from '../process/io.js'
import {CheckFailed, type CheckStep, type Fail, type Run, runSteps, type Verdict} from './runner.js'

export const measureFlags = {
  requests: Flags.integer({helpValue: 'N', min: 1, max: 1000, default: 20, summary: 'Number of requests to measure.'}),
}

export interface Probed {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly durationMs: number
}

export interface ProbeOptions {
  readonly method?: string
  /** Several values of a name become headers of their own. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
  readonly timeoutMs?: number | undefined
}

const maxBytes = 65_536

/**
 * Sends one request on a connection of its own: no redirects, five seconds unless said otherwise, 64 KiB. Throws
 * CheckFailed at a limit, or what the connection said if no answer came.
 */
export async function probe(
  url: string,
  {method = 'GET', headers = {}, body, timeoutMs = 5_000}: ProbeOptions,
): Promise<Probed> {
  const {Client} = await undici()
  const {origin} = new URL(url)
  // As it stands: URL would resolve the dots that some checks send on purpose.
  const path = url.slice(origin.length).replace(/^(?!\/)/, '/')
  const client = new Client(origin, {connect: verifiedTls({})})
  const signal = AbortSignal.timeout(timeoutMs)
  const started = performance.now()
  try {
    const answer = await client.request({
      path,
      method: method as Dispatcher.HttpMethod,
      headers: {accept: 'application/json', ...headers} as Record<string, string | string[]>,
      body: body ?? null,
      signal,
    })
    const tooLong = () => new CheckFailed(`The answer is longer than ${maxBytes / 1024} KiB.`)
    const text = await textWithin(answer.body, maxBytes, tooLong)
    return {status: answer.statusCode, headers: answer.headers, body: text, durationMs: performance.now() - started}
  } catch (error) {
    throw signal.aborted ? new CheckFailed(`No whole answer came within ${timeoutMs / 1000} s.`) : error
  } finally {
    await client.destroy()
  }
}

/** Asks an endpoint everything, and nothing more where it is silent from the first. */
export const checkEndpoint = <A>(steps: readonly CheckStep<A>[], on: A): Promise<Run> =>
  runSteps(steps, on, {judge: silent})

/** A connection that fails later is a fault of the endpoint: it has answered before. */
function silent(thrown: unknown, isFirst: boolean): Verdict {
  const {code, message: said} = thrown as NodeJS.ErrnoException
  // undici has codes of its own, or none, where the words say more.
  const reason = code === undefined || code.startsWith('UND_') ? said : code
  const message = `No answer came (${reason}).`
  return {failures: [message], ...(isFirst ? {error: new Failure('unavailable', 'Unreachable', message)} : {})}
}

/** What is said of a step that lacks what it would ask with. */
export const notAsked = (flag: string): string => `not asked: no ${flag}`

/** What is said beside the status of a redirect. */
export const redirect = ({status, headers}: Probed): string =>
  status >= 300 && status < 400 && headers.location !== undefined ? ', a redirect' : ''

/** Whether the status of an answer is as expected; the step fails of another. */
export function hasStatus(fail: Fail, what: string, answer: Probed, ...expected: readonly number[]): boolean {
  const {status} = answer
  if (expected.includes(status)) return true
  fail(`${what} is answered with ${status}${redirect(answer)}, not ${expected.join(' or ')}.`)
  return false
}

/** The JSON object that an answer holds, if it holds one. */
export function objectIn({body}: Probed): Record<string, unknown> | undefined {
  const value = jsonIn(body)
  return isObject(value) ? value : undefined
}

/** How long answers may take: the share of them that must come within the limit. */
export interface TimeLimit {
  readonly requests: number
  readonly share: 0.95 | 0.99
  readonly limitMs: number
}

/** Sends requests one after another and holds their durations against a limit. */
export async function inTime(
  {requests, share, limitMs}: TimeLimit,
  send: () => Promise<Probed>,
  fail: Fail,
): Promise<string> {
  const durations: number[] = []
  for (let at = 0; at < requests; at += 1) durations.push((await send()).durationMs)
  durations.sort((a, b) => a - b)
  const percentile = (part: number): number => durations[Math.max(0, Math.ceil(requests * part) - 1)] ?? 0
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(part).toFixed(0))
  const detail = `p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms of ${requests}`
  if (percentile(share) > limitMs) fail(`Too slow for ${limitMs} ms: ${detail}.`)
  return detail
}
