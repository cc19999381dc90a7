import {expect} from 'chai'
import {accessTokens} from '../../../src/api/documents/token.js'
import {REALM} from '../../../src/store/store.js'
import {emails, openShop, passwords, type Shop} from '../shop/shop.js'

/** A token that was used is known: nothing of it is read again until something that it depends on has changed. */
describe('security · J tokens that are known', () => {
  let shop: Shop
  let reads: string[]
  beforeEach(async () => {
    shop = await openShop()
    const {state} = shop.runtime
    const get = state.get.bind(state)
    reads = []
    state.get = (project, kind, id) => {
      reads.push(kind)
      return get(project, kind, id)
    }
  })
  afterEach(() => shop.close())

  const me = async (token: string) => (await shop.api('GET', '/shop/me', token)).status
  const list = async (token: string) => (await shop.api('GET', '/shop/customers?limit=1', token)).status
  /** Uses a token until it is known. */
  const known = async (token: string, use = list): Promise<string> => {
    expect([await use(token), await use(token)]).to.deep.equal([200, 200])
    return token
  }
  const session = async () => shop.session(emails.G, passwords.G)

  it('are not read again while nothing changes, for any number of tokens', async () => {
    const token = await known(await shop.token('RO'))
    reads.length = 0
    expect([await list(token), await list(token)]).to.deep.equal([200, 200])
    expect(reads).to.deep.equal([])
  })

  it('end when they are revoked', async () => {
    const token = await known(await shop.token('RO'))
    expect((await shop.post('/oauth/token/revoke', {token}, 'RO')).status).to.equal(200)
    expect(await list(token)).to.equal(401)
  })

  it('end with their client, and at its day', async () => {
    const [gone, ending] = [await shop.addClient('view_customers:shop'), await shop.addClient('view_customers:shop')]
    const tokenOf = async ({id, secret}: typeof gone): Promise<string> => {
      const by = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
      return (await shop.post('/oauth/token', {grant_type: 'client_credentials'}, by)).body.access_token
    }
    const admin = await shop.token('ADM', 'manage_api_clients:shop')
    await shop.changeClient(ending, {deleteAt: new Date(shop.clock.now + 60_000).toISOString()})
    const [first, second] = [await tokenOf(gone), await tokenOf(ending)]
    await known(first)
    expect((await shop.api('DELETE', `/shop/api-clients/${gone.id}`, admin)).status).to.equal(200)
    expect(await list(first)).to.equal(401)
    await known(second)
    shop.clock.now += 60_000
    expect(await list(second)).to.equal(401)
  })

  it('end by the clock, and are not taken from the future', async () => {
    const token = await known(await shop.token('RO'))
    shop.clock.now -= 61_000
    expect(await list(token)).to.equal(401)
    shop.clock.now += 61_000
    await known(token)
    shop.clock.now += 172_800_000
    expect(await list(token)).to.equal(401)
  })

  it('end with the session and with the refresh token of their grant', async () => {
    const [first, second, admin] = [await session(), await session(), await shop.token('ADM')]
    await known(first.access_token, me)
    await known(second.access_token, me)
    await shop.post('/oauth/token/revoke', {token: first.refresh_token}, 'MY')
    expect([await me(first.access_token), await me(second.access_token)]).to.deep.equal([401, 200])
    const {body} = await shop.api('POST', '/shop/customers/password-token', admin, {email: emails.G})
    const reset = {tokenValue: body.value, newPassword: 'another horse'}
    expect(await me(second.access_token)).to.equal(200)
    expect((await shop.api('POST', '/shop/customers/password/reset', admin, reset)).status).to.equal(200)
    expect(await me(second.access_token)).to.equal(401)
  })

  it('see a project as it is now', async () => {
    const token = await known(await shop.token('ADM'))
    const named = async () => (await shop.api('GET', '/shop', token)).body
    const {version} = await named()
    const actions = [{action: 'changeName', name: 'Another name'}]
    expect((await shop.api('POST', '/shop', token, {version, actions})).status).to.equal(200)
    expect((await named()).name).to.equal('Another name')
    const project = await shop.runtime.state.get(REALM, 'project', 'shop')
    await shop.runtime.state.commit(REALM, [{kind: 'project', expect: project?.version ?? 0, remove: 'shop'}])
    expect(await list(token)).to.equal(403)
  })

  it('do not outlive a revocation that comes while they are read', async () => {
    const token = await shop.token('RO')
    const {state, secrets} = shop.runtime
    const get = state.get
    const digest = secrets.digest(token)
    state.get = async <D>(project: string, kind: string, id: string) => {
      const found = await get(project, kind, id)
      if (id === digest) {
        state.get = get
        const doc = {...found, version: 2, revokedAt: shop.clock.now}
        await state.commit(REALM, [{kind: accessTokens, expect: 1, doc: doc as never}])
      }
      return found as D | undefined
    }
    await list(token)
    expect([await list(token), await list(token)]).to.deep.equal([401, 401])
  })
})
