import {expect} from 'chai'
import {json, openStub, type Stub} from '../shop/authorization-stub.js'
import {forbidden} from '../shop/expectations.js'
import {openShop, type Shop} from '../shop/shop.js'
import type {Answer} from '../shop/wire.js'

/** Who decides about trust: setting External OAuth takes `manage_project`, and what it vouches for extends no trust. */

describe('security · trust in another authorization server', () => {
  let shop: Shop
  let stub: Stub
  before(async () => {
    ;[shop, stub] = await Promise.all([openShop(), openStub()])
    stub.answer = json({active: true, scope: 'manage_project:shop manage_api_clients:shop'})
  })
  after(() => Promise.all([shop.close(), stub.close()]))

  const act = async (token: string, ...actions: object[]): Promise<Answer> => {
    const {version} = (await shop.api('GET', '/shop', await shop.token('ADM'))).body
    return shop.api('POST', '/shop', token, {version, actions})
  }
  const trust = () => ({
    action: 'setExternalOAuth',
    externalOAuth: {url: stub.url, authorizationHeader: 'Basic Y2FuYXJ5'},
  })
  const languages = {action: 'changeLanguages', languages: ['en']}
  const isTrusted = async () => {
    const {body} = await shop.api('GET', '/shop', await shop.token('ADM'))
    return body.externalOAuth !== undefined
  }
  const settingsToken = async (): Promise<string> => {
    const {id, secret} = await shop.addClient('manage_project_settings:shop manage_api_clients:shop')
    const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    return (await shop.post('/oauth/token', {grant_type: 'client_credentials'}, basic)).body.access_token
  }

  it('takes manage_project to set or remove it, whatever else stands in the update', async () => {
    const settings = await settingsToken()
    expect((await act(settings, languages)).status).to.equal(200)
    for (const actions of [[trust()], [languages, trust()], [{action: 'setExternalOAuth'}]]) {
      const answer = await act(settings, ...actions)
      forbidden(answer)
      expect(answer.headers.get('www-authenticate')).to.include('scope="manage_project"')
      expect(await isTrusted()).to.equal(false)
    }
    expect((await act(await shop.token('ADM'), trust())).status).to.equal(200)
    forbidden(await act(settings, {action: 'setExternalOAuth'}))
    expect(await isTrusted()).to.equal(true)
  })

  it('refuses before it looks at the version, so that nothing is learnt', async () => {
    forbidden(await shop.api('POST', '/shop', await settingsToken(), {version: 999, actions: [trust()]}))
  })

  it('lets a caller that it vouches for neither mint nor delete API clients, nor change it', async () => {
    expect((await act(await shop.token('ADM'), trust())).status).to.equal(200)
    const external = 'vouched.for'
    expect((await shop.api('GET', '/shop/customers', external)).status).to.equal(200)
    expect((await act(external, languages)).status).to.equal(200)
    forbidden(await shop.api('POST', '/shop/api-clients', external, {name: 'mine', scope: 'view_customers:shop'}))
    forbidden(await shop.api('DELETE', `/shop/api-clients/${shop.clients.RO.id}`, external))
    expect((await shop.api('GET', `/shop/api-clients/${shop.clients.RO.id}`, external)).status).to.equal(200)
    forbidden(
      await act(external, {...trust(), externalOAuth: {url: 'https://evil.example/', authorizationHeader: 'xxx'}}),
    )
    forbidden(await act(external, {action: 'setExternalOAuth'}))
    const before = await shop.api('GET', '/shop', external)
    expect(before.body.externalOAuth.url).to.equal(stub.url)
  })
})
