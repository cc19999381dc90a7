import {isIP} from 'node:net'
import {rootCertificates} from 'node:tls'
import type {Agent} from 'undici'
import type {ExternalIntrospection} from '../../api/operation/context.js'
import {parseJsonBody} from '../../api/pipeline/json-body.js'
import {defined} from '../../domain/equal.js'
import {ApiError} from '../../domain/errors.js'
import {reachOf} from '../../domain/network-reach.js'
import {introspectionUrlProblem} from '../../domain/project/introspection-url.js'
import type {ExternalOAuth} from '../../domain/project/project.js'
import {undici, verifiedTls} from '../../domain/verified-tls.js'
import {type ForeignToken, foreignToken} from '../../oauth/introspection.js'
import {BoundedMap} from '../../work/bounded-map.js'
import {limits} from '../../work/limits.js'
import {guardedLookup, type Resolve, sharedResolver} from './guarded-lookup.js'

export interface ExternalOAuthOptions {
  /** Whether an authorization server may have a private address. */
  readonly allowPrivate?: boolean
  /** PEM of additional certificate authorities. */
  readonly ca?: string
  /** Resolves names; the system's resolver if absent. */
  readonly resolve?: Resolve
  /** Time budget of one introspection: resolving, connecting, sending and reading; half a second if absent. */
  readonly budgetMs?: number
}

interface Tools extends ExternalOAuthOptions {
  readonly clock: () => number
  readonly digest: (text: string) => string
}

const defaultBudgetMs = 500
const cachedMs = 30 * 60_000
const maxCached = 10_000
const maxAnswerBytes = 65_536

const failed = (message: string, cause?: unknown, late = false): ApiError =>
  ApiError.of('ExternalOAuthFailed', {message, late}, defined({cause}))

/**
 * Introspects a token at a project's external authorization server: one request within half a second, without following
 * redirects (decision 30). Active replies are cached for at most half an hour and never past their `exp`; others are
 * not cached. Throws ExternalOAuthFailed without a valid reply.
 */
export function externalIntrospection(tools: Tools): ExternalIntrospection {
  const {clock, digest, budgetMs = defaultBudgetMs} = tools
  const cache = new BoundedMap<string, {readonly found: ForeignToken; readonly until: number}>(maxCached)
  const asking = new Map<string, Promise<ForeignToken | undefined>>()
  const agentFor = agents(tools, budgetMs)
  return async ({key, externalOAuth}, token, correlationId) => {
    if (!externalOAuth) return undefined
    const {url, authorizationHeader} = externalOAuth
    const cacheKey = digest(JSON.stringify([key, url, authorizationHeader, token]))
    const known = cache.get(cacheKey)
    if (known && known.until > clock()) {
      // The least recently used one is evicted.
      cache.set(cacheKey, known)
      return known.found
    }
    const running = asking.get(cacheKey)
    if (running) return running
    if (asking.size >= limits.askingExternally) throw failed('Too many tokens wait for External OAuth.')
    const asked = ask(agentFor, {server: externalOAuth, token, correlationId, clock, budgetMs})
    asking.set(cacheKey, asked)
    try {
      const found = await asked
      const until = Math.min(clock() + cachedMs, found?.expiresAt ?? Number.POSITIVE_INFINITY)
      if (found) cache.set(cacheKey, {found, until})
      return found
    } finally {
      asking.delete(cacheKey)
    }
  }
}

interface Question {
  readonly server: ExternalOAuth
  readonly token: string
  readonly correlationId: string
  readonly clock: () => number
  readonly budgetMs: number
}

/** Sends the request. Whatever is in progress when the time budget ends is abandoned. */
async function ask(agentFor: AgentFor, question: Question): Promise<ForeignToken | undefined> {
  // Loading the library is no part of the budget.
  const {request} = await undici()
  const signal = AbortSignal.timeout(question.budgetMs)
  const overdue = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(failed('External OAuth did not respond in time.', undefined, true)))
  })
  try {
    return await Promise.race([answerTo(agentFor, question, request, signal), overdue])
  } catch (error) {
    throw error instanceof ApiError ? error : failed('External OAuth could not be asked.', error)
  }
}

async function answerTo(
  agentFor: AgentFor,
  {server: {url, authorizationHeader}, token, correlationId, clock}: Question,
  request: typeof import('undici').request,
  signal: AbortSignal,
): Promise<ForeignToken | undefined> {
  const problem = introspectionUrlProblem(url)
  if (problem !== undefined) throw failed(`External OAuth has no usable address. ${problem}`)
  const {statusCode, body} = await request(url, {
    dispatcher: await agentFor(new URL(url)),
    method: 'POST',
    signal,
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
}

function parsed(bytes: Uint8Array): object {
  try {
    return parseJsonBody(bytes)
  } catch (error) {
    throw failed('External OAuth did not answer with a JSON object.', error)
  }
}

type AgentFor = (url: URL) => Promise<Agent>

/** The agents by scheme: plain HTTP connects to this machine only, and none connects to a forbidden address. */
function agents({allowPrivate = false, ca, resolve}: ExternalOAuthOptions, budgetMs: number): AgentFor {
  const resolved = sharedResolver(resolve)
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
    const {Agent} = await undici()
    const agent = new Agent({
      connections: 32,
      maxResponseSize: maxAnswerBytes,
      connect: verifiedTls({
        // Aborting a request does not abort the connection that it waits for.
        timeout: budgetMs,
        lookup: guardedLookup(permits(protocol), resolved),
        ...defined({ca: ca === undefined ? undefined : [...rootCertificates, ca]}),
      }),
    })
    made.set(protocol, agent)
    return agent
  }
}
