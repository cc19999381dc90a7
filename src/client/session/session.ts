import {ApiError} from '../../domain/errors.js'
import {type Incoming, type Outgoing, type Transport, Unreachable} from '../client.js'
import {newRequestId} from '../request-id.js'
import type {ConnectOptions, Credentials, RemoteTarget} from '../target.js'
import {refusalOf} from '../transports/refusal.js'
import {singleFlight} from './single-flight.js'
import {cachedToken, cacheKey, cacheToken, dropToken, flightPath, isOfSecret, proofOf} from './token-cache.js'

/**
 * The access token of a connection: requested once for all processes that share a cache, reused until a minute before it
 * expires, dropped on 401.
 */
export interface Session {
  /** The value of the Authorization header; undefined without credentials. */
  authorization(signal?: AbortSignal): Promise<string | undefined>
  /** The Authorization header of the API client itself. Throws invalid_client if the credentials are none of a client. */
  basic(): Promise<string>
  /**
   * Replaces a refused token, so that `authorization` gives another one. False if these credentials cannot get another.
   * Requests that were refused together share one token request.
   */
  renew(refused: string | undefined): Promise<boolean>
}

const marginMs = 60_000

/** Id and secret as RFC 6749 §2.3.1 has them. */
export const basicAuthorization = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

/** A form for the authorization service. Sent twice, it does no harm. */
export const formRequest = (path: string, authorization: string, body: string, correlationId: string): Outgoing => ({
  method: 'POST',
  path,
  headers: {
    accept: 'application/json',
    authorization,
    'content-type': 'application/x-www-form-urlencoded',
    'x-correlation-id': correlationId,
  },
  body,
  correlationId,
  isRepeatable: true,
})

type ClientCredentials = Extract<Credentials, {kind: 'client'}>

export function sessionOf(
  transport: Transport,
  credentials: Credentials,
  place: Pick<RemoteTarget, 'authUrl' | 'projectKey'>,
  options: ConnectOptions,
): Session {
  const basic = async (): Promise<string> => {
    // Who has no credentials at all is told that, and not that they are wrong.
    if (credentials.kind === 'token') await credentials.token()
    if (credentials.kind !== 'client') throw ApiError.of('invalid_client', {})
    return basicAuthorization(credentials.clientId, await credentials.secret())
  }
  if (credentials.kind === 'client') return {...clientSession(transport, credentials, place, options), basic}
  let token: Promise<string> | undefined
  const authorization = async (): Promise<string | undefined> => {
    if (credentials.kind === 'token') token ??= credentials.token()
    return token && `Bearer ${await token}`
  }
  return {authorization, basic, renew: async () => false}
}

function clientSession(
  transport: Transport,
  credentials: ClientCredentials,
  place: Pick<RemoteTarget, 'authUrl' | 'projectKey'>,
  {tokenCacheDir, clock = Date.now, correlationId}: ConnectOptions,
): Omit<Session, 'basic'> {
  const key = cacheKey([place.authUrl, place.projectKey, credentials.clientId, credentials.scopes])
  let pending: SharedRequest | undefined
  /** The token that `pending` resolved to; undefined while one is being requested. */
  let held: string | undefined

  /** The cached token, only for the secret that it was requested with: another or a wrong secret does not unlock it. */
  const kept = async (folder: string): Promise<string | undefined> => {
    const cached = cachedToken(folder, key)
    if (!cached || cached.expiresAt - marginMs <= clock()) return undefined
    return isOfSecret(cached, await credentials.secret()) ? cached.accessToken : undefined
  }
  const request = async (signal: AbortSignal): Promise<string> => {
    const id = correlationId ?? newRequestId()
    const scope = credentials.scopes === undefined ? '' : `&scope=${encodeURIComponent(credentials.scopes)}`
    const secret = await credentials.secret()
    const authorization = basicAuthorization(credentials.clientId, secret)
    const body = `grant_type=client_credentials${scope}`
    const form = formRequest('/oauth/token', authorization, body, id)
    const answer = await transport.send({...form, signal})
    const {accessToken, expiresInSeconds} = tokenIn(answer, id)
    if (tokenCacheDir !== undefined && expiresInSeconds !== undefined) {
      const expiresAt = clock() + expiresInSeconds * 1000
      cacheToken(tokenCacheDir, key, {accessToken, expiresAt, proof: proofOf(accessToken, secret)})
    }
    return accessToken
  }

  const keptOrRequested = (signal: AbortSignal): Promise<string> =>
    tokenCacheDir === undefined
      ? request(signal)
      : singleFlight(flightPath(tokenCacheDir, key), {
          found: () => kept(tokenCacheDir),
          work: () => request(signal),
          signal,
          // Whoever requests the token waits for the state that this process holds.
          mayWait: () => !transport.isHolding,
        })

  const begin = (): SharedRequest => {
    const left = (): void => {
      if (pending === begun) pending = undefined
    }
    const begun = sharedRequest(keptOrRequested, left)
    begun.result.then((token) => {
      if (pending === begun) held = token
    }, left)
    pending = begun
    return begun
  }

  return {
    authorization: async (signal) => `Bearer ${held ?? (await (pending ?? begin()).awaited(signal))}`,
    renew: async (refused) => {
      if (held !== undefined && refused === `Bearer ${held}`) {
        if (tokenCacheDir !== undefined) dropToken(tokenCacheDir, key, held)
        held = undefined
        begin()
      }
      return true
    },
  }
}

type SharedRequest = ReturnType<typeof sharedRequest>

/** A request of several callers: a signal ends the wait of its own caller, and the request when nobody waits any more. */
function sharedRequest(work: (signal: AbortSignal) => Promise<string>, left: () => void) {
  const controller = new AbortController()
  const result = work(controller.signal)
  let waiting = 0
  const awaited = async (signal?: AbortSignal): Promise<string> => {
    waiting += 1
    let leave = (): void => undefined
    const end = new Promise<never>((_, reject) => {
      leave = () => reject(signal?.reason as Error)
    })
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave)
    try {
      return await Promise.race([result, end])
    } finally {
      // One signal may be that of a thousand requests.
      signal?.removeEventListener('abort', leave)
      waiting -= 1
      if (waiting === 0 && signal?.aborted) {
        left()
        controller.abort(signal.reason)
      }
    }
  }
  return {result, awaited}
}

/** Characters of a bearer token (RFC 6750 §2.1); anything else could not be sent as a header. */
const bearerToken = /^[A-Za-z0-9\-._~+/]+=*$/
const longestSeconds = 86_400 * 365 * 100

/**
 * The token in an answer (RFC 6749 §5.1), and how long it is valid: one of which the service does not say so is not kept.
 * Throws what was refused, and Unreachable if the answer is none of an authorization service.
 */
function tokenIn(answer: Incoming, correlationId: string) {
  if (answer.status !== 200) throw refusalOf(answer, correlationId)
  const {access_token: accessToken, expires_in: expiresIn} = (answer.body ?? {}) as {
    access_token?: unknown
    expires_in?: unknown
  }
  if (typeof accessToken !== 'string' || !bearerToken.test(accessToken)) {
    const said = answer.foreign === undefined ? '' : ` ${answer.foreign}`
    const message = `The authorization service did not answer with a token.${said}`
    throw new Unreachable(message, false, correlationId, {trouble: 'foreign'})
  }
  const seconds = typeof expiresIn === 'string' && /^\d+$/.test(expiresIn) ? Number(expiresIn) : expiresIn
  const isKnown = typeof seconds === 'number' && seconds > 0 && seconds <= longestSeconds
  return {accessToken, expiresInSeconds: isKnown ? seconds : undefined}
}
