import {type LookupAddress, lookup} from 'node:dns'
import {isIP, type LookupFunction} from 'node:net'
import {rootCertificates} from 'node:tls'
import type {Agent} from 'undici'
import type {ExternalIntrospection} from '../api/context.js'
import {parseJsonBody} from '../api/json-body.js'
import {ApiError} from '../domain/errors.js'
import {reachOf} from '../domain/network-reach.js'
import {introspectionUrlProblem} from '../domain/project/introspection-url.js'
import type {ExternalOAuth} from '../domain/project/project.js'
import {type ForeignToken, foreignToken} from '../oauth/introspection.js'
import {boundedCache} from './bounded-cache.js'

export interface ExternalOAuthOptions {
  /** Whether an authorization server may have a private address. */
  readonly allowPrivate?: boolean
  /** PEM of certificate authorities beside the well-known ones. */
  readonly ca?: string
}

interface Tools extends ExternalOAuthOptions {
  readonly clock: () => number
  readonly digest: (text: string) => string
}

/** For everything: resolving, connecting, asking and reading the answer. */
const budgetMs = 500
const cachedMs = 30 * 60_000
const maxCached = 10_000
const maxAsking = 1_000
const maxAnswerBytes = 65_536

const failed = (message: string, cause?: unknown): ApiError =>
  ApiError.of('ExternalOAuthFailed', {message}, cause === undefined ? {} : {cause})

/**
 * Asks a project's other authorization server about a token: once, within half a second, without following redirects
 * (decision 30). Active answers are kept for at most half an hour and never past their `exp`; everything else is asked
 * again. Throws ExternalOAuthFailed when there is no answer that could be believed.
 */
export function externalIntrospection(tools: Tools): ExternalIntrospection {
  const {clock, digest} = tools
  const cache = boundedCache<ForeignToken>(maxCached)
  const asking = new Map<string, Promise<ForeignToken | undefined>>()
  const agentFor = agents(tools)
  return async ({key, externalOAuth}, token, correlationId) => {
    if (!externalOAuth) return undefined
    const {url, authorizationHeader} = externalOAuth
    const place = digest(JSON.stringify([key, url, authorizationHeader, token]))
    const known = cache.get(place, clock())
    if (known) return known
    const running = asking.get(place)
    if (running) return running
    if (asking.size >= maxAsking) throw failed('Too many tokens wait for External OAuth.')
    const asked = ask(agentFor, externalOAuth, token, correlationId, clock)
    asking.set(place, asked)
    try {
      const found = await asked
      const now = clock()
      if (found) cache.set(place, found, Math.min(now + cachedMs, found.expiresAt ?? Number.POSITIVE_INFINITY))
      return found
    } finally {
      asking.delete(place)
    }
  }
}

async function ask(
  agentFor: AgentFor,
  {url, authorizationHeader}: ExternalOAuth,
  token: string,
  correlationId: string,
  clock: () => number,
): Promise<ForeignToken | undefined> {
  const problem = introspectionUrlProblem(url)
  if (problem !== undefined) throw failed(`External OAuth has no usable address. ${problem}`)
  const {request} = await import('undici')
  const dispatcher = await agentFor(new URL(url))
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), budgetMs)
  try {
    const {statusCode, body} = await request(url, {
      dispatcher,
      method: 'POST',
      signal: ended.signal,
      headers: {
        authorization: authorizationHeader,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'x-correlation-id': correlationId,
      },
      body: new URLSearchParams({token}).toString(),
    })
    const bytes = await body.bytes()
    if (statusCode !== 200) throw failed(`External OAuth answered with status ${statusCode}.`)
    return foreignToken(parsed(bytes), clock())
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw ended.signal.aborted
      ? failed('External OAuth did not respond in time.', error)
      : failed('External OAuth could not be asked.', error)
  } finally {
    clearTimeout(timer)
  }
}

function parsed(bytes: Uint8Array): object {
  try {
    return parseJsonBody(bytes)
  } catch (error) {
    throw failed('External OAuth did not answer with a JSON object.', error)
  }
}

type AgentFor = (url: URL) => Promise<Agent>

/** Connections by scheme: plain ones reach this machine only, and no scheme reaches what is forbidden. */
function agents({allowPrivate = false, ca}: ExternalOAuthOptions): AgentFor {
  const made = new Map<string, Agent>()
  const permits = (protocol: string) => (address: string) => {
    const reach = reachOf(address)
    if (reach === 'loopback') return true
    return protocol === 'https:' && (reach === 'public' || (reach === 'private' && allowPrivate))
  }
  return async ({protocol, hostname}) => {
    const literal = hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !permits(protocol)(literal)) throw failed('External OAuth has a forbidden address.')
    const present = made.get(protocol)
    if (present) return present
    const undici = await import('undici')
    const agent = new undici.Agent({
      connections: 32,
      maxResponseSize: maxAnswerBytes,
      connect: {
        lookup: guardedLookup(permits(protocol)),
        // Said explicitly, since an environment variable could switch it off.
        rejectUnauthorized: true,
        ...(ca === undefined ? {} : {ca: [...rootCertificates, ca]}),
      },
    })
    made.set(protocol, agent)
    return agent
  }
}

/** Resolves a name and refuses it if any of its addresses is refused; what is connected to is what was checked. */
function guardedLookup(permits: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, {...options, all: true}, (error, addresses: LookupAddress[]) => {
      const [first] = addresses
      if (error || !first) callback(error ?? new Error(`${hostname} has no address`), '', 0)
      else if (!addresses.every(({address}) => permits(address))) {
        callback(new Error(`${hostname} has a forbidden address`), '', 0)
      } else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
