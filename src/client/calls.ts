import type {AnyOperation} from '../api/operation/operation.js'
import {defined} from '../domain/equal.js'
import {ApiError} from '../domain/errors.js'
import {type CallOptions, type Client, type Incoming, type QueryValue, type Transport, Unreachable} from './client.js'
import {newRequestId} from './request-id.js'
import {formRequest, type Session} from './session/session.js'
import type {ConnectOptions} from './target.js'
import {refusalOf} from './transports/refusal.js'
import {hasShape, withLists} from './transports/reply-shape.js'

const storePrefix = '/{projectKey}/in-store/key={storeKey}/'

/** The path of an operation for a call; below the client's store if the operation has a twin there. */
function pathOf(operation: AnyOperation, params: Readonly<Record<string, string>>): string {
  const declared: string = operation.path
  const path = operation.inStore && 'storeKey' in params ? declared.replace('/{projectKey}/', storePrefix) : declared
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function searchOf(query: Readonly<Record<string, QueryValue>> | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const entry of Array.isArray(value) ? value : [value]) search.append(name, String(entry))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** The body of an answer that is the API's. A page of a proxy that says 200 is none, and tells nothing of the effect. */
function replyOf(operation: AnyOperation, answer: Incoming, sentId: string): unknown {
  const {status, headers, body, foreign} = answer
  const correlationId = headers['x-correlation-id'] ?? sentId
  const foreignAnswer = (what: string) =>
    new Unreachable(foreign === undefined ? what : `${what} ${foreign}`, true, correlationId, {trouble: 'foreign'})
  const isPage = /\bhtml\b/i.test(headers['content-type'] ?? '') && headers['content-length'] !== '0'
  // The answer to a HEAD has no body that would tell whose it is.
  if (operation.method === 'HEAD' && isPage && (status < 300 || status === 404)) {
    throw foreignAnswer('The answer is a web page.')
  }
  if (status < 200 || status >= 300) throw refusalOf(answer, sentId)
  if (typeof body === 'string') throw foreignAnswer('The answer is not JSON.')
  if (operation.reply === undefined || operation.method === 'HEAD') return body
  if (typeof body !== 'object' || body === null) throw foreignAnswer('The answer holds no document.')
  if (!hasShape(body, operation.reply)) throw foreignAnswer('The answer is not from the API here.')
  return withLists(body, operation.reply)
}

/** What the authorization failed with, said of the request that needed it. */
function unsent(error: unknown): unknown {
  if (error instanceof ApiError) error.unsent = true
  return error instanceof Unreachable ? error.withSent(false) : error
}

/** The clock of the server, read from the headers of its responses. */
class ServerInfo {
  readonly #clock: () => number
  #ahead = 0

  constructor(clock: () => number = Date.now) {
    this.#clock = clock
  }

  take({headers}: Incoming): void {
    const at = Date.parse(headers['date'] ?? '')
    if (Number.isNaN(at)) return
    // A Date header names the second that has begun: a clock within it may be right to the millisecond.
    const behind = at - this.#clock()
    this.#ahead = Math.max(behind, 0) || Math.min(behind + 999, 0)
  }

  now(): number {
    return this.#clock() + this.#ahead
  }
}

export interface ClientParts {
  readonly transport: Transport
  readonly session: Session
  readonly projectKey: string
  readonly storeKey?: string
  readonly clientId?: string
  readonly options: ConnectOptions
}

export function clientOf(parts: ClientParts, hints = new ServerInfo(parts.options.clock)): Client {
  const {transport, session, projectKey, storeKey, clientId, options} = parts
  const send = async (
    method: string,
    path: string,
    {body, correlationId = options.correlationId ?? newRequestId(), signal, isRepeatable}: CallOptions<unknown>,
    target?: {operation: AnyOperation; params: Readonly<Record<string, string>>},
  ): Promise<Incoming> => {
    let authorization: string | undefined
    const attempt = async (): Promise<Incoming> => {
      authorization = await session.authorization(signal).catch((error: unknown) => {
        throw unsent(error)
      })
      return transport.send({
        method,
        path,
        headers: {
          accept: 'application/json',
          'x-correlation-id': correlationId,
          ...defined({authorization, 'content-type': body === undefined ? undefined : 'application/json'}),
        },
        correlationId,
        ...defined({body: body === undefined ? undefined : JSON.stringify(body), signal, isRepeatable, target}),
      })
    }
    const first = await attempt()
    // A token may end before its time: revoked, or its server was reset. Once is enough.
    const answer = first.status === 401 && (await session.renew(authorization)) ? await attempt() : first
    hints.take(answer)
    const notice = answer.headers['x-deprecation-notice']
    if (notice !== undefined) options.onDeprecation?.(notice)
    return answer
  }

  return {
    projectKey,
    ...defined({storeKey, clientId}),
    serverTime: () => hints.now(),
    inStore: (key) => clientOf({...parts, storeKey: key}, hints),
    call: async (operation, params, call = {}) => {
      options.onCall?.(operation)
      const place = {projectKey, ...(operation.inStore && storeKey !== undefined ? {storeKey} : {})}
      const all: Readonly<Record<string, string>> = {...(params as Record<string, string>), ...place}
      const path = pathOf(operation, all) + searchOf(call.query)
      const correlationId = call.correlationId ?? options.correlationId ?? newRequestId()
      const answer = await send(operation.method, path, {...call, correlationId}, {operation, params: all})
      return replyOf(operation, answer, correlationId) as never
    },
    form: async (operation, fields) => {
      options.onCall?.(operation)
      const params: Readonly<Record<string, string>> = {projectKey, ...defined({storeKey})}
      const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const correlationId = options.correlationId ?? newRequestId()
      const body = new URLSearchParams(given).toString()
      const form = formRequest(pathOf(operation, params), await session.basic(), body, correlationId)
      const answer = await transport.send({...form, target: {operation, params}})
      return replyOf(operation, answer, correlationId) as never
    },
    raw: (method, path, call = {}) => send(method, path + searchOf(call.query), call),
    close: () => transport.close(),
  }
}
