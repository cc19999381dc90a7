import type {Client} from '../../client/client.js'
import {introspectToken, revokeToken} from '../../client/operations/oauth.js'
import type {Settlement} from '../../client/settle.js'

export const introspect = async (client: Client, token: string): Promise<{readonly active: boolean}> =>
  client.form(introspectToken, {token})

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
