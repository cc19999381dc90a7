import type {IncomingMessage} from 'node:http'
import {setTimeout as after} from 'node:timers/promises'
import {checkMediaType, parseFormBody} from '../../api/pipeline/oauth-form.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {secrets} from '../../secrets/secrets.js'
import {bodyReader} from '../http/request-body.js'
import {type Answer, type StubOptions, startStub} from './stub-server.js'

/** An introspection endpoint for tests (RFC 7662) with one fixed reply, which can be slow or broken. */
export interface IntrospectionStubOptions extends StubOptions<Introspected> {
  /** The required Authorization header. Absent: any. */
  readonly authorization?: string
  /** Scopes of every token that begins with `active`; all others are inactive. Absent: no token is active. */
  readonly scope?: string
  readonly expiresInSeconds?: number
  /** Replies with this status instead. */
  readonly status?: number
  readonly delayMs?: number
}

interface Introspected {
  readonly active?: boolean
  readonly correlationId?: string
}

const path = '/introspect'
const maxFormBytes = 65_536

/**
 * Starts an introspection endpoint. Throws StateError for a port in use.
 *
 *     const {url, stop} = await startIntrospectionStub({scope: 'view_customers:shop'})
 */
export const startIntrospectionStub = (
  options: IntrospectionStubOptions,
): Promise<{readonly url: string; stop(): Promise<void>}> =>
  startStub(options, path, async (request) => {
    const answer = await answerTo(options, request).catch(answerOf)
    const {active} = (answer.body ?? {}) as {active?: boolean}
    const correlationId = request.headersDistinct['x-correlation-id']?.join(', ')
    const headers = defined({'x-correlation-id': correlationId}) as Record<string, string>
    return {...answer, headers, line: defined({active, correlationId})}
  })

const answerOf = (error: unknown): Answer =>
  error instanceof ApiError
    ? {status: error.statusCode, body: {error: error.code, error_description: error.message}}
    : {status: 500}

async function answerTo(options: IntrospectionStubOptions, request: IncomingMessage): Promise<Answer> {
  const {authorization, delayMs = 0, status, clock = Date.now} = options
  if (request.url !== path) return {status: 404}
  if (request.method !== 'POST') return {status: 405}
  const body = await bodyReader(request, maxFormBytes)()
  if (delayMs > 0) await after(delayMs)
  if (status !== undefined) return {status}
  if (authorization !== undefined && !isSame(request.headers.authorization, authorization)) return {status: 401}
  checkMediaType(request.headers['content-type'], 'application/x-www-form-urlencoded')
  const token = parseFormBody(body, ['token']).get('token')
  if (token === undefined) throw ApiError.of('invalid_request', {message: 'Missing required parameter: token.'})
  return {status: 200, body: introspected(options, token, clock())}
}

const isSame = (given: string | undefined, wanted: string): boolean =>
  secrets.sameDigest(secrets.digest(given ?? ''), secrets.digest(wanted))

function introspected({scope, expiresInSeconds = 1800}: IntrospectionStubOptions, token: string, now: number): object {
  if (scope === undefined || !token.startsWith('active')) return {active: false}
  return {active: true, scope, exp: Math.floor(now / 1000) + expiresInSeconds, client_id: 'introspection-stub'}
}
