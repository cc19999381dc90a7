import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {httpFront} from '../../../src/server/http/listeners.js'
import {emails, openShop, passwords, type Shop} from '../shop/shop.js'
import {dead, type Kind, living, matrix} from './matrix-table.js'
import {tokensOf} from './matrix-tokens.js'

const values: Readonly<Record<string, string>> = {projectKey: 'shop', storeKey: 'S1'}
const filled = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'none-such')

const isRoute = ({path}: {readonly path: string}): boolean => !path.startsWith('/oauth/')
const routes = operations.filter(isRoute).map(({method, path}) => `${method} ${path}`)
const rows = matrix.flatMap(({methods, paths, passes}) =>
  methods.flatMap((method) => paths.map((path) => ({method, path, passes: new Set<Kind>(passes)}))),
)

const askedAtOnce = 8

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
    expect(() => httpFront({runtime: shop.runtime, operations: open, allowedHosts: []})).to.throw(/forgotten/)
    const empty = [{...first, id: 'nobody', permission: {kind: 'bearer', anyOf: []}}] as never
    expect(() => httpFront({runtime: shop.runtime, operations: empty, allowedHosts: []})).to.throw(/nobody/)
  })

  const kinds = [...(Object.keys(dead) as (keyof typeof dead)[]), ...living]
  for (const kind of kinds) {
    it(`gives a token of the kind '${kind}' what the table says, on all ${rows.length} routes`, async () => {
      const token = tokens.get(kind)
      const wrong: string[] = []
      const left = [...rows]
      const ask = async (): Promise<void> => {
        for (let row = left.shift(); row; row = left.shift()) {
          const {method, path, passes} = row
          const {status} = await shop.api(method, filled(path), token, method === 'POST' ? {} : undefined)
          const expected = passes.has(kind) ? 'passes' : String(Object.hasOwn(dead, kind) ? dead[kind as never] : 403)
          const outcome = status === 401 || status === 403 ? String(status) : 'passes'
          if (outcome !== expected) wrong.push(`${method} ${path}: ${status}, expected ${expected}`)
        }
      }
      // A few at a time: how many wait for an answer does not depend on the speed of the machine.
      await Promise.all(Array.from({length: askedAtOnce}, ask))
      expect(wrong).to.deep.equal([])
    })
  }

  it('strictTokens narrows bound tokens to /me', async () => {
    const strict = await openShop({settings: {strictTokens: true}})
    const {access_token} = await strict.session(emails.G, passwords.G, undefined, 'ADM')
    expect((await strict.api('GET', '/shop/customers', access_token)).status).to.equal(403)
    expect((await strict.api('GET', '/shop/me', access_token)).status).to.equal(200)
    const asked = {query: '{ me { customer { email } } customers { total } }'}
    const {body} = await strict.api('POST', '/shop/graphql', access_token, asked)
    expect(body).to.have.nested.property('errors[0].extensions.code', 'insufficient_scope')
    expect(
      (await strict.api('POST', '/shop/graphql', access_token, {query: '{ me { customer { email } } }'})).body,
    ).to.deep.equal({data: {me: {customer: {email: emails.G}}}})
    expect((await strict.api('GET', '/shop/customers', await strict.token('ADM'))).status).to.equal(200)
    await strict.close()
  })
})
