import * as v from 'valibot'
import {defined} from '../domain/equal.js'
import {type Change, REALM} from '../store/store.js'
import type {Context} from './context.js'
import type {ApiClient} from './documents/api-client.js'
import {scopeText, type Token} from './documents/token.js'

/** What a token endpoint answers. Source: RFC 6749 §5.1. */
export const TokenReply = v.object({
  access_token: v.string(),
  expires_in: v.number(),
  scope: v.string(),
  refresh_token: v.exactOptional(v.string()),
  token_type: v.literal('Bearer'),
}) as v.GenericSchema<TokenAnswer>

export interface TokenAnswer {
  readonly access_token: string
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
  readonly token_type: 'Bearer'
}

/** What a token opens, and for whom. */
export interface Grant {
  readonly projectKey: string
  readonly scopes: readonly string[]
  readonly customerId?: string
  readonly anonymousId?: string
  readonly storeKey?: string
  readonly sessionEpoch?: number
  /** Digest of the refresh token that the access token comes from. */
  readonly refreshDigest?: string
}

interface Minted {
  readonly answer: TokenAnswer
  readonly changes: readonly Change[]
}

/** A new access token and, if wanted, a refresh token, both stored as digests (decision 22). */
export function mintTokens(context: Context, client: ApiClient, grant: Grant, withRefresh: boolean): Minted {
  const {secrets, settings} = context.platform
  const {projectKey, refreshDigest, ...opens} = grant
  const expiresIn = client.accessTokenValiditySeconds ?? settings.accessTokenSeconds
  const idle = client.refreshTokenValiditySeconds ?? settings.refreshTokenIdleSeconds
  const access = secrets.token(32)
  const refresh = withRefresh ? `${projectKey}:${secrets.token(32)}` : undefined
  const shared = {version: 1, projectKey, clientId: client.id, ...opens}
  const grantDigest = refresh === undefined ? refreshDigest : secrets.digest(refresh)
  const accessToken = defined({
    id: secrets.digest(access),
    ...shared,
    use: 'access' as const,
    expiresAt: context.now + expiresIn * 1000,
    grant: grantDigest,
  }) as Token
  const changes: Change[] = [{kind: 'token', expect: 0, doc: accessToken}]
  if (refresh !== undefined) {
    const doc: Token = {id: secrets.digest(refresh), ...shared, use: 'refresh', expiresAt: context.now + idle * 1000}
    changes.push({kind: 'token', expect: 0, doc})
  }
  const answer: TokenAnswer = {
    access_token: access,
    expires_in: expiresIn,
    scope: scopeText(accessToken),
    ...(refresh === undefined ? {} : {refresh_token: refresh}),
    token_type: 'Bearer',
  }
  return {answer, changes}
}

/** Mints and stores; the tokens are durable when it resolves. */
export async function issueTokens(
  context: Context,
  client: ApiClient,
  grant: Grant,
  withRefresh: boolean,
  also: readonly Change[] = [],
): Promise<TokenAnswer> {
  const {answer, changes} = mintTokens(context, client, grant, withRefresh)
  await context.platform.state.commit(REALM, [...changes, ...also])
  return answer
}
