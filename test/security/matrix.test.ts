import {expect} from 'chai'
import {operations} from '../../src/api/index.js'
import {httpFront} from '../../src/server/http-front.js'
import {dead, type Kind, type Living, living, matrix} from './matrix-table.js'
import {emails, openShop, passwords, type Shop} from './shop.js'

const values: Readonly<Record<string, string>> = {projectKey: 'shop', storeKey: 'S1'}
const filled = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'none-such')

const isRoute = ({path}: {readonly path: string}): boolean => !path.startsWith('/oauth/')
const routes = operations.filter(isRoute).map(({method, path}) => `${method} ${path}`)
const rows = matrix.flatMap(({methods, paths, passes}) =>
  methods.flatMap((method) => paths.map((path) => ({method, path, passes: new Set<Kind>(passes)}))),
)

describe('security · permission matrix', () => {
  let shop: Shop
  let tokens: ReadonlyMap<Kind, string | null>
  before(async () => {
    shop = await openShop()
    tokens = await tokensOf(shop)
  })
  after(() => shop.close())

  it('S-86 lists every route once, and none that is not there', () => {
    const listed = rows.map(({method, path}) => `${method} ${path}`)
    expect(new Set(listed).size, 'a route is listed twice').to.equal(listed.length)
    expect(
      routes.filter((route) => !listed.includes(route)),
      'routes missing in the table',
    ).to.deep.equal([])
    expect(
      listed.filter((route) => !routes.includes(route)),
      'routes that the API lacks',
    ).to.deep.equal([])
  })

  it('S-86 does not start with a route that declares no permission', () => {
    const [first] = operations
    const open = [{...first, id: 'forgotten', permission: undefined}] as never
    expect(() => httpFront({platform: shop.platform, operations: open, allowedHosts: []})).to.throw(/forgotten/)
    const empty = [{...first, id: 'nobody', permission: {kind: 'bearer', anyOf: []}}] as never
    expect(() => httpFront({platform: shop.platform, operations: empty, allowedHosts: []})).to.throw(/nobody/)
  })

  const kinds = [...(Object.keys(dead) as (keyof typeof dead)[]), ...living]
  for (const kind of kinds) {
    it(`gives a token of the kind '${kind}' what the table says, on all ${rows.length} routes`, async () => {
      const token = tokens.get(kind)
      const found = await Promise.all(
        rows.map(async ({method, path, passes}) => {
          const {status} = await shop.api(method, filled(path), token, method === 'POST' ? {} : undefined)
          const expected = passes.has(kind) ? 'passes' : String(Object.hasOwn(dead, kind) ? dead[kind as never] : 403)
          const outcome = status === 401 || status === 403 ? String(status) : 'passes'
          return outcome === expected ? [] : [`${method} ${path}: ${status}, expected ${expected}`]
        }),
      )
      expect(found.flat()).to.deep.equal([])
    })
  }

  it('strictTokens narrows bound tokens to /me', async () => {
    const strict = await openShop({settings: {strictTokens: true}})
    const {access_token} = await strict.session(emails.G, passwords.G, undefined, 'ADM')
    expect((await strict.api('GET', '/shop/customers', access_token)).status).to.equal(403)
    expect((await strict.api('GET', '/shop/me', access_token)).status).to.equal(200)
    expect((await strict.api('GET', '/shop/customers', await strict.token('ADM'))).status).to.equal(200)
    await strict.close()
  })
})

async function tokensOf(shop: Shop): Promise<ReadonlyMap<Kind, string | null>> {
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
    visitor: (await shop.post('/oauth/shop/anonymous/token', visit)).body.access_token,
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
  Object.assign(shop.platform, {
    external: async (_: unknown, token: string) => (token === 'external.customer' ? {scope} : undefined),
  })
  const externalOAuth = {url: 'http://127.0.0.1:9/introspect', authorizationHeader: 'Bearer secret'}
  const actions = [{action: 'setExternalOAuth', externalOAuth}]
  await shop.api('POST', '/shop', await shop.token('ADM'), {version: 1, actions})
}
