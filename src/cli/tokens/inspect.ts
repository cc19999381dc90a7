import type {Client} from '../../client/client.js'
import {introspectToken, revokeToken} from '../../client/operations/oauth.js'

export const introspect = async (client: Client, token: string): Promise<{readonly active: boolean}> =>
  client.form(introspectToken, {token})

export async function revoke(client: Client, token: string, hint: string | undefined): Promise<void> {
  await client.form(revokeToken, {token, token_type_hint: hint})
}
