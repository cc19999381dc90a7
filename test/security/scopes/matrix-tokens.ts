import {emails, passwords, type Shop} from '../shop/shop.js'
import {basic} from '../shop/wire.js'
import type {Kind, Living} from './matrix-table.js'

/** A token of each kind of the matrix. The project trusts another authorization server afterwards. */
export async function tokensOf(shop: Shop): Promise<ReadonlyMap<Kind, string | null>> {
  const gone = async (token: string): Promise<string> => {
    await shop.post('/oauth/token/revoke', {token}, 'ADM')
    return token
  }
  const expired = await shop.token('ADM')
  shop.clock.now += 172_800_000
  const customer = await shop.session(emails.G, passwords.G)
  const my = 'manage_my_profile:shop'
  const visit = {grant_type: 'client_credentials', scope: my}
  const s10 = await shop.token('ADM', 'manage_customers:shop:S10')
  const visiting = await shop.addClient(`${my} create_anonymous_token:shop`)
  const tokens: Readonly<Record<Living, string>> = {
    view: await shop.token('RO'),
    manage: await shop.token('RW'),
    'manage project': await shop.token('ADM'),
    'view S1': await shop.token('ST1', 'view_customers:shop:S1'),
    'manage S1': await shop.token('ST1', 'manage_customers:shop:S1'),
    'manage S10': s10,
    customer: customer.access_token,
    'customer with manage project': (await shop.session(emails.G, passwords.G, undefined, 'ADM')).access_token,
    'customer in S1': (await shop.session(emails.K1, passwords.K1, 'S1')).access_token,
    visitor: (await shop.post('/oauth/shop/anonymous/token', visit, basic(visiting.id, visiting.secret))).body
      .access_token,
    'client with my scopes': await shop.token('MY'),
    'external customer': 'external.customer',
  }
  await trustExternal(shop)
  return new Map<Kind, string | null>([
    ['none', null],
    ['malformed', 'not a token'],
    ['unknown', 'x'.repeat(43)],
    ['expired', expired],
    ['revoked', await gone(await shop.token('ADM'))],
    ['refresh token', customer.refresh_token],
    ['other project', await shop.token('P2A')],
    ['introspection only', await shop.token('INT')],
    ...(Object.entries(tokens) as [Kind, string][]),
  ])
}

/** The project trusts another server, whose only active token is a customer with its quotes. */
async function trustExternal(shop: Shop): Promise<void> {
  const scope = `manage_my_quotes:shop customer_id:${shop.customers.G.id}`
  Object.assign(shop.runtime, {
    external: async (_: unknown, token: string) => (token === 'external.customer' ? {scope} : undefined),
  })
  const externalOAuth = {url: 'http://127.0.0.1:9/introspect', authorizationHeader: 'Bearer secret'}
  const actions = [{action: 'setExternalOAuth', externalOAuth}]
  await shop.api('POST', '/shop', await shop.token('ADM'), {version: 1, actions})
}
