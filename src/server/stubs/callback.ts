import type {IncomingMessage} from 'node:http'
import {lockoutsOf} from '../../api/operation/lockouts.js'
import {ApiError} from '../../domain/errors.js'
import {secrets} from '../../secrets/secrets.js'
import {type Answer, type StubOptions, startStub} from './stub-server.js'

/**
 * The callback endpoint of an in-store application: `/cb/<userKey>` returns a token of the customer with that key,
 * `/cb/<cartId>` the cart. A UUID is a cart id, anything else a user key. Source: API › In-store callback.
 */

/** Looks up users and carts; undefined if there is none. */
export interface CallbackBackend {
  token(userKey: string): Promise<object | undefined>
  cart(cartId: string): Promise<object | undefined>
}

/** A callback: its backend, the valid keys and the address. */
export interface CallbackOptions extends StubOptions<{readonly kind: string}> {
  readonly backend: CallbackBackend
  /** SHA-256 digests, base64url, of the currently valid keys: two during a rotation. */
  readonly keyDigests: () => readonly string[]
}

type Called = Answer & {readonly line: {readonly kind: string}}

/** The same reply for every refused key, so that it does not reveal why. */
const refused: Called = {status: 401, body: {error: 'unauthorized'}, line: {kind: 'refused'}}
const unknown: Called = {status: 404, body: {error: 'not_found'}, line: {kind: 'unknown'}}
const wrongMethod: Called = {
  status: 405,
  body: {error: 'method_not_allowed'},
  headers: {allow: 'GET'},
  line: {kind: 'wrong method'},
}

const wrongKeys = {maxFailures: 20, windowMs: 60_000}
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const userKey = /^[A-Za-z0-9_-]{2,256}$/

/**
 * Starts the callback of an in-store application. Throws StateError for a port in use.
 *
 *     const {url, stop} = await startCallback({backend, keyDigests: () => [digestOfTheKey]})
 */
export function startCallback(options: CallbackOptions): Promise<{readonly url: string; stop(): Promise<void>}> {
  const answer = answerer(options)
  const fault: Called = {status: 503, body: {error: 'unavailable'}, line: {kind: 'fault'}}
  return startStub(options, '/cb', (request) => answer(request).catch(() => fault))
}

function answerer({backend, keyDigests, clock = Date.now}: CallbackOptions) {
  const lockouts = lockoutsOf(true, wrongKeys)
  return async (request: IncomingMessage): Promise<Called> => {
    const source = request.socket.remoteAddress ?? ''
    try {
      lockouts.check(source, clock())
    } catch (error) {
      return tooMany(error)
    }
    if (request.method !== 'GET') return wrongMethod
    // All values of the header, since Node joins repeats into one.
    const keys = request.headersDistinct['x-api-key'] ?? []
    if (!isValid(keys, keyDigests())) {
      if (keys.length > 0) lockouts.failed(source, clock())
      return refused
    }
    const id = idOf(request.url ?? '')
    if (id === undefined) return unknown
    const found = uuid.test(id) ? await backend.cart(id.toLowerCase()) : await tokenOf(backend, id)
    return found ? {status: 200, body: found, line: {kind: uuid.test(id) ? 'cart' : 'token'}} : unknown
  }
}

const tokenOf = async (backend: CallbackBackend, id: string): Promise<object | undefined> =>
  userKey.test(id) ? backend.token(id) : undefined

function tooMany(error: unknown): Called {
  const seconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 60) : 60
  return {
    status: 429,
    body: {error: 'too_many_requests'},
    headers: {'retry-after': String(seconds)},
    line: {kind: 'locked'},
  }
}

/** Whether there is exactly one key, with a known digest. Compares all digests, so that timing reveals nothing. */
function isValid([key, ...more]: readonly string[], digests: readonly string[]): boolean {
  const given = secrets.digest(key ?? '')
  const matches = digests.filter((digest) => secrets.sameDigest(digest, given))
  return key !== undefined && key !== '' && more.length === 0 && matches.length > 0
}

/** The single segment after `/cb/`, decoded once. The query is ignored. */
function idOf(url: string): string | undefined {
  const encoded = /^\/cb\/([^/?#]+)(?:\?.*)?$/.exec(url)?.[1]
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
