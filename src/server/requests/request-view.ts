import * as v from 'valibot'
import type {AnyOperation} from '../../api/operation/operation.js'
import {defined} from '../../domain/equal.js'
import {redactedJson} from '../../domain/redact.js'
import {declaredBody, declaredParameters} from './declared-parts.js'
import {type Caller, callerOf, type Refusal, refusalOf, withoutReceived} from './refusals.js'
import {type KeptBody, type KeptRequest, type RequestLog, shownPath} from './request-log.js'

/** A request that the server has answered, as `server requests` shows it. */
export interface RequestView {
  /** Ascending in the order in which requests ended. */
  readonly number: number
  /** The correlation id, which the answer carries too. */
  readonly id: string
  /** ISO 8601, by the clock of the server. */
  readonly at: string
  readonly durationMs: number
  readonly method: string
  /** Without the query, and with its tokens masked. */
  readonly path: string
  /** Id of the operation; absent for a path that none has. */
  readonly operation?: string
  /** 0 for a connection that a fault on purpose ended. */
  readonly status: number
  readonly caller: Caller
  readonly refusal?: Refusal
  readonly note?: string
  /** Kept if the server keeps bodies; secrets are masked. */
  readonly query?: string
  readonly requestBody?: unknown
  readonly responseBody?: unknown
}

/** Selects requests; all conditions must hold. */
export const RequestQuery = v.object({
  /** Only those that ended after the one with this number. */
  after: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  /** Only those of callers of this project, and those to it of callers who are not known. */
  projectKey: v.exactOptional(v.string()),
  /** A correlation id, or a number. */
  id: v.exactOptional(v.string()),
  /** Only what was refused or failed: statuses from 400, and connections that ended without an answer. */
  refused: v.exactOptional(v.boolean()),
  /** The most recent ones at the most. */
  limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
})

export interface RequestFilter extends Readonly<v.InferOutput<typeof RequestQuery>> {
  /** Leaves out queries and bodies that are kept. */
  readonly withoutBodies?: boolean
}

/** Requests of a log, the oldest first. */
export function requestsOf(
  log: RequestLog,
  {after, projectKey, id, refused, limit = 1_000, withoutBodies}: RequestFilter = {},
): RequestView[] {
  const found: KeptRequest[] = []
  for (const request of log.kept(after)) {
    if (id !== undefined && request.correlationId !== id && String(request.number) !== id) continue
    if (projectKey !== undefined && projectOf(request) !== projectKey) continue
    if (refused && request.status < 400 && request.status !== 0) continue
    found.push(request)
  }
  const last = found.slice(Math.max(0, found.length - limit))
  return last.map((request) => (withoutBodies ? viewOf({...request, ...bare}) : viewOf(request)))
}

const bare = {search: undefined, sent: undefined, answered: undefined}

/** A request belongs to the project of its caller: the path of another project is that caller's mistake. */
const projectOf = (request: KeptRequest): string | undefined =>
  callerOf(request).projectKey ?? request.params?.['projectKey'] ?? request.path.split('/', 2)[1]

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
      query: search === undefined ? undefined : queryOf(search, operation),
      requestBody:
        request.sent &&
        (isForm ? formOf(request.sent, operation) : jsonOf(request.sent, (body) => declaredBody(operation, body))),
      responseBody: request.answered && jsonOf(request.answered, status < 400 ? redactedJson : maskedError),
    }),
  }
}

/** What cannot be read cannot be masked: it is not shown. */
const unshown = ({size}: KeptBody, why: string): string => `(${size} bytes, ${why})`

const textOf = ({bytes}: KeptBody): string => Buffer.from(bytes ?? []).toString('utf8')

/** The body of an error without the action that it repeats, and without what it received in place of what it expected. */
function maskedError(body: unknown): unknown {
  const text = JSON.stringify(redactedJson(body), (name, value: unknown) =>
    name === 'action' ? undefined : typeof value === 'string' ? withoutReceived(value) : value,
  )
  return JSON.parse(text)
}

function jsonOf(body: KeptBody, masked: (value: unknown) => unknown): unknown {
  if (!body.bytes) return unshown(body, 'too large to be kept')
  try {
    return masked(JSON.parse(textOf(body)))
  } catch {
    return unshown(body, 'not JSON')
  }
}

function queryOf(search: string, operation: AnyOperation | undefined): string {
  const parameters = declaredParameters(operation?.query ?? [], new URLSearchParams(search))
  return parameters.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
}

/** Parameters that are well formed. */
function formOf(body: KeptBody, operation: AnyOperation | undefined): unknown {
  if (!body.bytes) return unshown(body, 'too large to be kept')
  const text = textOf(body)
  if (!text.split('&').every((pair) => pair.includes('='))) return unshown(body, 'not a form')
  return Object.fromEntries(declaredParameters(operation?.formParameters ?? [], new URLSearchParams(text)))
}
