import * as v from 'valibot'
import {defined} from '../../domain/equal.js'
import {isoDay} from '../../domain/iso-time.js'
import {type Change, Missing, REALM, type Requirement, UniqueConflict, VersionConflict} from '../../store/store.js'
import {type ApiClient, heldBy} from '../documents/api-client.js'
import {
  type AccessToken,
  accessTokens,
  type Binding,
  type RefreshToken,
  refreshTokens,
  scopeText,
} from '../documents/token.js'
import type {Context} from '../operation/context.js'

/** The reply of a token endpoint. Source: RFC 6749 §5.1. */
export const TokenReply = v.object({
  access_token: v.string(),
  expires_in: v.number(),
  scope: v.string(),
  refresh_token: v.exactOptional(v.string()),
  token_type: v.literal('Bearer'),
})

export type TokenAnswer = Readonly<v.InferOutput<typeof TokenReply>>

export interface Grant extends Binding {
  readonly projectKey: string
  readonly scopes: readonly string[]
  readonly sessionEpoch?: number
  /** Digest of the refresh token that the access token comes from. */
  readonly refreshDigest?: string
}

export const idleSecondsOf = ({runtime}: Context, client: ApiClient): number =>
  client.refreshTokenValiditySeconds ?? runtime.settings.refreshTokenIdleSeconds

/** A new access token and, if wanted, a refresh token, both stored as digests (decision 22). */
function mintTokens(context: Context, client: ApiClient, grant: Grant, withRefresh: boolean) {
  const {secrets, settings} = context.runtime
  const {projectKey, refreshDigest, scopes: granted, ...binding} = grant
  const held = heldBy(client, secrets)
  const scopes = granted === held.scopes ? held.digest : granted
  const expiresIn = client.accessTokenValiditySeconds ?? settings.accessTokenSeconds
  const access = secrets.token(32)
  const refresh = withRefresh ? `${projectKey}:${secrets.token(32)}` : undefined
  const shared = {version: 1, projectKey, clientId: client.id, scopes, ...binding, issuedAt: context.now}
  const accessToken = defined({
    id: secrets.digest(access),
    ...shared,
    expiresAt: context.now + expiresIn * 1000,
    grant: refresh === undefined ? refreshDigest : secrets.digest(refresh),
  }) as AccessToken
  const changes: Change[] = [{kind: accessTokens, expect: 0, doc: accessToken}]
  if (refresh !== undefined) {
    const expiresAt = context.now + idleSecondsOf(context, client) * 1000
    const doc: RefreshToken = {id: secrets.digest(refresh), ...shared, expiresAt, lastUsedAt: context.now}
    changes.push({kind: refreshTokens, expect: 0, doc})
  }
  const answer: TokenAnswer = {
    access_token: access,
    expires_in: expiresIn,
    scope: scopeText(granted, binding),
    ...defined({refresh_token: refresh}),
    token_type: 'Bearer',
  }
  return {answer, changes}
}

/** Records a day as that of the client's last use. No change if somebody has just recorded it. */
async function clientUsed({runtime}: Context, {id}: ApiClient, today: string): Promise<readonly Change[]> {
  const client = await runtime.state.get<ApiClient>(REALM, 'api-client', id)
  if (!client || client.lastUsedAt === today) return []
  const doc: ApiClient = {...client, version: client.version + 1, lastUsedAt: today}
  return [{kind: 'api-client', expect: client.version, doc}]
}

/** Commits; if another request updated the client first, commits again without the client's last use. */
async function commitUse(
  context: Context,
  client: ApiClient,
  changes: readonly (Change | Requirement)[],
): Promise<void> {
  const {state} = context.runtime
  const today = isoDay(context.now)
  // So that it is written once a day.
  const used = client.lastUsedAt === today ? [] : await clientUsed(context, client, today)
  try {
    await state.commit(REALM, [...changes, ...used])
  } catch (error) {
    if (!(error instanceof VersionConflict) || error.kind !== 'api-client') throw error
    await state.commit(REALM, changes)
  }
}

/** Rethrows the failure to issue tokens for a customer who was or is being deleted as the refusal of the grant. */
export const orGone = (refusal: () => Error) => (error: unknown) => {
  throw error instanceof Missing || error instanceof UniqueConflict ? refusal() : error
}

/** Issues tokens; they are durable once it resolves. Throws Missing for a customer who was deleted meanwhile. */
export async function issueTokens(
  context: Context,
  client: ApiClient,
  grant: Grant,
  withRefresh: boolean,
  also: readonly (Change | Requirement)[] = [],
): Promise<TokenAnswer> {
  const {answer, changes} = mintTokens(context, client, grant, withRefresh)
  const {customerId: id, projectKey: project} = grant
  // A deletion removes the tokens of its customer: none may come behind it.
  const required = id === undefined ? [] : [{kind: 'customer', require: id, project}]
  await commitUse(context, client, [...required, ...changes, ...also])
  const {sweeper} = context.runtime
  sweeper.due(context.now)
  if (withRefresh) await sweeper.refreshTokenAdded(context.now)
  return answer
}
