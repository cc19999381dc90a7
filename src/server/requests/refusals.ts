import type {Binding} from '../../api/documents/token.js'
import type {Bearer} from '../../api/operation/context.js'
import type {Permission} from '../../api/operation/operation.js'
import type {Denial} from '../../api/operation/permit.js'
import type {TokenEnd} from '../../api/pipeline/authenticate.js'
import type {Check} from '../../api/pipeline/exchange.js'
import {defined} from '../../domain/equal.js'
import {hidden, withoutTokens} from '../../domain/redact.js'
import {grants} from '../../oauth/scopes.js'
import {decisions, explanationOf} from './explanations.js'
import type {KeptRequest} from './request-log.js'

/** Why a request was refused, for the person who runs the server. Callers learn less. */
export interface Refusal {
  readonly check: Check
  readonly code: string
  readonly message: string
  /** What the check found and what would have passed, in more words than the caller got. */
  readonly why: string
  /** The decision behind it, in src/decisions.md. */
  readonly decision: number
  /** Each of these would have done. */
  readonly needs?: readonly string[]
}

const ends: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    unknown: 'No token with this value was issued here: it belongs to another server or state, or was mistyped.',
    expired: 'The token has expired: ask for another one.',
    revoked: 'The token was revoked: ask for another one.',
    future: 'The token was issued in the future: the clock of the server was ahead then.',
    client: 'The API client of the token was deleted.',
    grant: 'The refresh token of the same grant was revoked.',
    session: 'The customer has a new password, signs in elsewhere or was deleted since; their sessions have ended.',
  } satisfies Record<TokenEnd | 'unknown', string>),
)

/** What a body held in place of what was expected may be anything. */
export const withoutReceived = (text: string): string => text.replace(/\breceived ["'].*/s, `received ${hidden}`)

/** A text of a refusal without the secrets that it may repeat. */
const shown = (text: string): string => withoutReceived(withoutTokens(text))

/** The refusal of a request; undefined for one that was served. */
export function refusalOf(request: KeptRequest): Refusal | undefined {
  const {refusal, check: reached} = request
  if (!refusal) return undefined
  const {code, told = refusal.message} = refusal
  const explained = explanationOf(code)
  const check = reached === 'rules' ? (explained.check ?? reached) : reached
  const {why = shown(reached === 'fault' ? onPurpose : told), needs} = reasonsOf(request)
  const sentence = needs ? `${why} It takes ${needs.join(' or ')}.` : why
  const decision = explained.decision ?? decisions[check]
  return {check, code, message: shown(refusal.message), why: sentence, decision, ...defined({needs})}
}

const onPurpose =
  'An injected fault came before any check: `server faults` shows its rule, and `server faults clear` ends it.'

function reasonsOf(request: KeptRequest): Reasons {
  const {refusal, principal, operation} = request
  if (refusal?.code === 'invalid_token') return defined({why: ends.get(refusal.because) ?? noHeader})
  if (refusal?.code === 'invalid_client')
    return {why: 'The id and secret of an API client did not come as HTTP Basic, or are wrong.'}
  if (refusal?.code !== 'insufficient_scope') return {}
  const {permission} = operation ?? {}
  const bearer = principal?.kind === 'bearer' ? principal : undefined
  const missing = Array.isArray(refusal.missing) ? (refusal.missing as string[]) : []
  if (!bearer || permission?.kind !== 'bearer') {
    return {why: 'The token has none of the scopes that this path takes.', needs: scopesOf(missing, request)}
  }
  return denied(refusal.because as Denial | undefined, {bearer, permission, missing, request})
}

const noHeader = 'The request had no access token in an Authorization header: Bearer …'

/** Scopes of the path, for the project and for its store. */
function scopesOf(names: readonly string[], {params}: KeptRequest): string[] {
  const {projectKey, storeKey} = params ?? {}
  const project = projectKey === undefined ? '' : `:${projectKey}`
  const wide = names.some((name) => grants(['manage_project:p'], {name, projectKey: 'p'}))
    ? [...new Set([...names, 'manage_project'])]
    : names
  return wide.flatMap((name) =>
    storeKey === undefined || name === 'manage_project'
      ? [`${name}${project}`]
      : [`${name}${project}`, `${name}${project}:${storeKey}`],
  )
}

type Reasons = Partial<Pick<Refusal, 'why' | 'needs'>>

interface Denied {
  readonly bearer: Bearer
  readonly permission: Extract<Permission, {kind: 'bearer'}>
  readonly missing: readonly string[]
  readonly request: KeptRequest
}

function denied(because: Denial | undefined, {bearer, permission, missing, request}: Denied): Reasons {
  const {projectKey = '', storeKey} = request.params ?? {}
  const needs = scopesOf(permission.anyOf, request)
  switch (because) {
    case 'project':
      return {
        why:
          bearer.projectKey === projectKey
            ? `There is no project '${projectKey}'.`
            : `The path names the project '${projectKey}', the token is for '${bearer.projectKey}'.`,
        needs: [`a token of the project of the path`, `the path /${bearer.projectKey}/…`],
      }
    case 'external':
      return {why: 'Another authorization server vouches for the token; this takes a token issued here.', needs}
    case 'strict':
      return {
        why: 'The server has strictTokens: the token of a customer or visitor passes paths below /me only.',
        needs,
      }
    case 'store':
      return {
        why: `The token was issued in the store '${bearer.storeKey}' and passes its paths only${storeKey === undefined ? '' : `, not those of '${storeKey}'`}.`,
        needs: [`the path /${projectKey}/in-store/key=${bearer.storeKey}/…`, 'a token issued outside the store'],
      }
    case 'scope':
      return {why: 'None of the scopes of the token opens this path.', needs}
    case 'binding':
      return {
        why: 'The scopes suffice, but the token belongs to no customer or visitor: it was issued to an API client.',
        needs: tokens(permission.bound, projectKey),
      }
    case undefined:
      return {why: 'What the request does takes more scopes than its path.', needs: scopesOf(missing, request)}
  }
}

function tokens(bound: Denied['permission']['bound'], projectKey: string): string[] {
  const customer = `a token of a customer (POST /oauth/${projectKey}/customers/token)`
  const visitor = `a token of a visitor (POST /oauth/${projectKey}/anonymous/token)`
  return bound === 'customer' ? [customer] : [customer, visitor]
}

/** Who asked, as far as is known. */
export interface Caller extends Binding {
  readonly kind: 'nobody' | 'client' | 'customer' | 'anonymous'
  readonly clientId?: string
  readonly projectKey?: string
  /** Another authorization server vouches for the token. */
  readonly external?: true
  readonly scopes: readonly string[]
}

type Named = Partial<Omit<Bearer, 'kind'>>

function callerBehind({clientId, projectKey, customerId, anonymousId, storeKey, external, scopes = []}: Named): Caller {
  const kind = customerId !== undefined ? 'customer' : anonymousId !== undefined ? 'anonymous' : 'client'
  return {kind, ...defined({clientId, projectKey, customerId, anonymousId, storeKey, external}), scopes}
}

/** The caller of a request; that of a token which is no longer active counts too. */
export function callerOf({principal, refusal}: KeptRequest): Caller {
  if (principal?.kind === 'bearer') return callerBehind(principal)
  if (principal?.kind === 'basic') {
    const {id, projectKey, scope} = principal.client
    return callerBehind({clientId: id, projectKey, scopes: scope.split(' ').filter((name) => name !== '')})
  }
  return refusal?.token === undefined ? {kind: 'nobody', scopes: []} : callerBehind(refusal.token as Named)
}
