import {introspectToken, revokeToken} from '../../api/oauth/operations.js'
import type {Client} from '../../client/client.js'
import type {Settlement} from '../../client/settle.js'
import {ApiError} from '../../domain/errors.js'
import {Failure} from '../process/failure.js'
import {issueToken} from './issue.js'

export async function introspect(client: Client, token: string): Promise<{readonly active: boolean}> {
  const answer = await client.form(introspectToken, {token})
  if (typeof answer.active === 'boolean') return answer
  throw new Failure('unavailable', 'NoIntrospection', 'The service does not say whether the token is active.', {
    hints: ['Check the address of the authorization service: `frontdesk profiles show`.'],
  })
}

export async function revoke(client: Client, token: string, hint: string | undefined): Promise<void> {
  await client.form(revokeToken, {token, token_type_hint: hint})
}

/** Refresh tokens name their project; introspection calls them inactive while they live (decision 29). */
const isAccess = (token: string, hint: string | undefined): boolean =>
  hint === 'access_token' || (hint === undefined && !token.includes(':'))

/** Settles a revocation by introspection, where that tells; revoking twice does no harm. */
export const revocation = (
  client: Client,
  token: string,
  {hint, look}: {readonly hint: string | undefined; readonly look: string},
): Settlement<void> => ({
  fenced: true,
  look,
  read: async () => {
    if (!isAccess(token, hint))
      return {open: 'The token may be revoked; nothing shows it of a refresh token.', harmless: true}
    const {active} = await introspect(client, token)
    return active ? {unchanged: 'The token is still active.'} : {happened: undefined}
  },
})

/** What is to be revoked, and which kind it is as far as that is known. */
export interface Revocable {
  readonly token: string
  readonly hint: 'access_token' | 'refresh_token' | undefined
}

/** Whether a token still opens something. A refresh token is tried: introspection knows access tokens only. */
export async function isAlive(client: Client, {token, hint}: Revocable): Promise<boolean> {
  if (isAccess(token, hint)) return (await introspect(client, token)).active
  try {
    const {access_token: made} = await issueToken(client, {flow: 'refresh', refreshToken: token})
    await revoke(client, made, 'access_token')
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_grant') return false
    throw error
  }
}
