import type {Client} from '../client/client.js'
import {introspectToken, requestToken} from '../client/operations/oauth.js'

export interface Identity {
  readonly clientId: string | undefined
  readonly scope: string
  /** ISO 8601. */
  readonly expiresAt: string | undefined
}

/** Gets a token as the API client of the target and asks what it opens. */
export async function testTarget(client: Client): Promise<Identity> {
  const token = await client.form(requestToken, {grant_type: 'client_credentials'})
  const answer = await client.form(introspectToken, {token: token.access_token})
  if (!answer.active) return {clientId: undefined, scope: token.scope, expiresAt: undefined}
  return {clientId: answer.client_id, scope: answer.scope, expiresAt: new Date(answer.exp).toISOString()}
}
