import {defined} from '../../domain/equal.js'
import {hidden, redactedJson, redactedText} from '../../domain/redact.js'
import {isSecretAnswer} from '../../domain/secret-members.js'
import {type Caller, callerOf, type Refusal, refusalOf} from './refusals.js'
import type {KeptBody, KeptRequest, RequestLog} from './request-log.js'
import {shownPath} from './shown-path.js'

/** A request that the server has answered, as `server requests` shows it. */
export interface RequestView {
  /** Ascending in the order in which requests ended. */
  readonly number: number
  /** The process that answered, where a server is several. */
  readonly worker?: number
  /** The correlation id, which the answer carries too. */
  readonly id: string
  /** ISO 8601, by the clock of the server. */
  readonly at: string
  readonly durationMs: number
  readonly method: string
  /** One-time tokens are left out. */
  readonly path: string
  /** Id of the operation; absent for a path that none has. */
  readonly operation?: string
  /** 0 for a connection that a fault on purpose ended. */
  readonly status: number
  readonly caller: Caller
  readonly refusal?: Refusal
  readonly note?: string
  /** Kept by a server that was told to keep bodies; their secrets are masked. */
  readonly query?: string
  readonly requestBody?: unknown
  readonly responseBody?: unknown
}

export interface RequestFilter {
  /** Only those that ended after the one with this number. */
  readonly after?: number
  /** Only those of callers of this project, and those to it of callers who are not known. */
  readonly projectKey?: string
  /** A correlation id, or a number. */
  readonly id?: string
  /** Only what was refused or failed: statuses from 400, and connections that ended without an answer. */
  readonly refused?: boolean
  /** The most recent ones at the most. */
  readonly limit?: number
}

/** Requests of a log, the oldest first; none with a higher number than `until`. */
export function requestsOf(
  log: RequestLog,
  {after, projectKey, id, refused, limit = 1_000}: RequestFilter = {},
  until = Number.POSITIVE_INFINITY,
): RequestView[] {
  const found: KeptRequest[] = []
  for (const request of log.kept(after)) {
    if (request.number > until) break
    if (id !== undefined && request.correlationId !== id && String(request.number) !== id) continue
    if (projectKey !== undefined && projectOf(request) !== projectKey) continue
    if (refused && request.status < 400 && request.status !== 0) continue
    found.push(request)
  }
  return found.slice(Math.max(0, found.length - limit)).map(viewOf)
}

/** A request belongs to the project of its caller: the path of another project is that caller's mistake. */
const projectOf = (request: KeptRequest): string | undefined =>
  callerOf(request).projectKey ?? request.params?.['projectKey']

function viewOf(request: KeptRequest): RequestView {
  const {number, correlationId, at, durationMs, method, operation, status, note, search} = request
  const isForm = operation?.bodyKind === 'form'
  return {
    number,
    id: correlationId,
    at: new Date(at).toISOString(),
    durationMs: Math.round(durationMs * 100) / 100,
    method,
    path: shownPath(request),
    status,
    caller: callerOf(request),
    ...defined({
      operation: operation?.id,
      refusal: refusalOf(request),
      note,
      query: search === undefined ? undefined : redactedText(search),
      requestBody: request.sent && (isForm ? formOf(request.sent) : jsonOf(request.sent)),
      responseBody: request.answered && jsonOf(request.answered),
    }),
  }
}

/** What cannot be read cannot be masked: it is not shown. */
const unshown = ({size}: KeptBody, why: string): string => `(${size} bytes, ${why})`

const textOf = ({bytes}: KeptBody): string => Buffer.from(bytes ?? []).toString('utf8')

function jsonOf(body: KeptBody): unknown {
  if (!body.bytes) return unshown(body, 'too large to be kept')
  try {
    return redactedJson(JSON.parse(textOf(body)))
  } catch {
    return unshown(body, 'not JSON')
  }
}

/** Parameters that are well formed, their secrets masked. */
function formOf(body: KeptBody): unknown {
  if (!body.bytes) return unshown(body, 'too large to be kept')
  const text = textOf(body)
  if (!text.split('&').every((pair) => pair.includes('='))) return unshown(body, 'not a form')
  const entries = [...new URLSearchParams(text)]
  return Object.fromEntries(entries.map(([name, value]) => [name, isSecretAnswer(name) ? hidden : value]))
}
