import {expect} from 'chai'
import {administer, administerServer} from '../../../src/client/local/admin.js'
import {readAdminToken} from '../../../src/server/local/local-files.js'
import {RequestLog} from '../../../src/server/requests/request-log.js'
import {requestsOf} from '../../../src/server/requests/request-view.js'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {limits} from '../../../src/work/limits.js'
import {newDirectory, rejection, removeDirectories} from '../../store/directory.js'
import {basic, formOf, formType, send} from '../shop/wire.js'

const password = 'a password that is in no log'
const ada = {id: 'ada', key: 'ada', email: 'ada@example.com', password}

describe('security · S the remembered requests', () => {
  let server: RunningServer
  let dataDir: string
  before(async () => {
    dataDir = newDirectory()
    server = await startServer({projectKey: 'shop', dataDir, keepBodies: true, settings: {passwordCost: 4}})
  })
  beforeEach(async () => {
    await server.reset()
    await server.seed({customers: [ada], stores: [{key: 'berlin'}, {key: 'rome'}]})
  })
  after(async () => {
    await server.stop()
    removeDirectories()
  })

  type Options = Omit<Parameters<typeof send>[1], 'path' | 'body'> & {body?: unknown}
  const json = (path: string, token: string | undefined, {body, ...rest}: Options = {}) =>
    send(server.apiUrl, {
      path,
      ...rest,
      headers: {
        ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
        ...(body === undefined ? {} : {'content-type': 'application/json'}),
      },
      ...(body === undefined ? {} : {method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body)}),
    })
  const form = (path: string, values: Record<string, string>, secret = server.client.clientSecret) =>
    send(server.apiUrl, {
      method: 'POST',
      path,
      headers: {authorization: basic(server.client.clientId, secret), 'content-type': formType},
      body: formOf(values),
    })
  const last = () => {
    const request = server.requests().at(-1)
    if (!request) throw new Error('no request is remembered')
    return request
  }

  it('S-72 keep no secret, though bodies are kept', async () => {
    const admin = await server.tokenFor()
    const mine = await server.tokenFor('key=ada')
    const hidden = new Set<string | undefined>([
      password,
      admin,
      mine,
      server.client.clientSecret,
      'sesame-1',
      'sesame-2',
      'sesame-3',
    ])
    const issued = await form('/oauth/shop/customers/token', {grant_type: 'password', username: ada.email, password})
    hidden.add(issued.body.access_token).add(issued.body.refresh_token)
    await form('/oauth/token', {grant_type: 'refresh_token', refresh_token: issued.body.refresh_token})
    await form('/oauth/introspect', {token: issued.body.access_token})
    await form('/oauth/token', {grant_type: 'client_credentials'}, 'sesame-1')
    await json('/shop/customers/password', mine, {
      body: {id: 'ada', version: 1, currentPassword: password, newPassword: 'sesame-2'},
    })
    const token = await json('/shop/customers/password-token', admin, {body: {email: ada.email}})
    hidden.add(token.body.value)
    await json(`/shop/customers/password-token=${token.body.value}`, admin)
    await json(`/shop/customers/password%2Dtoken%3D${token.body.value}`, admin)
    await json(`/shop/customers/password-token=${'sesame-3'}`, admin)
    await json('/shop/customers/password/reset', admin, {body: {tokenValue: token.body.value, newPassword: password}})
    await json('/shop/customers', admin, {body: `{"password": "sesame-2", "email": `})
    await json('/shop/customers', admin, {body: {email: 'bo@example.com', passwordHash: 'sesame-1'}})
    await json(`/shop/customers?access_token=${admin}&password=sesame-1&limit=1`, undefined)
    const client = await json('/shop/api-clients', admin, {body: {name: 'x', scope: 'manage_project:shop'}})
    hidden.add(client.body.secret)
    await json('/shop/messages', admin)
    const body = 'grant_type=password&password%20=sesame-1&sesame-2'
    await send(server.apiUrl, {method: 'POST', path: '/oauth/token', headers: {'content-type': formType}, body})
    hidden.delete(undefined)
    const shown = JSON.stringify(await administerServer(dataDir, 'listRequests', {body: {}}))
    expect(hidden.size).to.be.greaterThan(9)
    expect(server.requests().length).to.be.greaterThan(12)
    for (const secret of hidden) expect(shown, secret).to.not.contain(String(secret))
    expect(shown).to.contain('ada@example.com').and.contain('limit=1')
  })

  it('S-72 keep neither queries nor bodies unless asked to', async () => {
    const plain = await startServer({projectKey: 'shop'})
    await plain.seed({customers: [ada]})
    const authorization = `Bearer ${await plain.tokenFor()}`
    await send(plain.apiUrl, {path: '/shop/customers?where=email%3D%22ada%40example.com%22', headers: {authorization}})
    const [request] = plain.requests()
    expect(request).to.include({path: '/shop/customers', status: 200, operation: 'queryCustomers'})
    expect(JSON.stringify(request)).to.not.contain('ada')
    await plain.stop()
  })

  it('S-73 are shown to the administration of the same machine only', async () => {
    const body = '{}'
    const ask = (authorization?: string) =>
      send(server.apiUrl, {
        method: 'POST',
        path: '/_admin/requests',
        headers: {'content-type': 'application/json', ...(authorization === undefined ? {} : {authorization})},
        body,
      })
    expect((await ask()).status).to.equal(401)
    expect((await ask(`Bearer ${await server.tokenFor()}`)).status).to.equal(401)
    expect((await ask(basic(server.client.clientId, server.client.clientSecret))).status).to.equal(401)
    expect((await ask(`Bearer ${readAdminToken(dataDir)}`)).status).to.equal(200)
    for (const path of ['/shop/_admin/requests', '/_admin/requests/', '/shop/requests']) {
      expect((await json(path, await server.tokenFor())).status, path).to.equal(404)
    }
  })

  it('S-74 of one project are not among those of another', async () => {
    await administer(dataDir, 'addProject', {body: {projectKey: 'other'}})
    await json('/shop/customers', await server.tokenFor())
    await json('/other/customers', await server.tokenFor())
    await json('/other/customers', undefined)
    const of = async (projectKey: string) =>
      (await administerServer(dataDir, 'listRequests', {body: {projectKey}})).requests.map(({path, status}) => [
        path,
        status,
      ])
    expect(await of('shop')).to.deep.equal([
      ['/shop/customers', 200],
      ['/other/customers', 403],
    ])
    expect(await of('other')).to.deep.equal([['/other/customers', 401]])
    expect(await of('sho')).to.deep.equal([])
    expect(server.requests().map(({status}) => status)).to.deep.equal([200, 403])
  })

  it('S-75 are bounded in number and in bytes', () => {
    const log = new RequestLog(true)
    const add = (body: Uint8Array) =>
      log.add(
        {
          correlationId: 'x',
          method: 'POST',
          path: '/shop/customers',
          status: 200,
          durationMs: 1,
          at: 0,
          operation: undefined,
          params: undefined,
          note: undefined,
        },
        '',
        {check: 'rules', body, principal: undefined, error: undefined},
        undefined,
      )
    for (let count = 0; count < 2_500; count += 1) add(new Uint8Array(10))
    const kept = requestsOf(log)
    expect(kept).to.have.length(limits.requestsKept)
    expect([kept[0]?.number, kept.at(-1)?.number]).to.deep.equal([1_501, 2_500])
    const large = new Uint8Array(limits.keptBodyBytes)
    for (let count = 0; count < 1_000; count += 1) add(large)
    const bytes = requestsOf(log).length * limits.keptBodyBytes
    expect(bytes).to.be.within(limits.requestBytesKept * 0.9, limits.requestBytesKept)
    add(new Uint8Array(limits.keptBodyBytes + 1))
    expect(requestsOf(log).at(-1)?.requestBody).to.equal(`(${limits.keptBodyBytes + 1} bytes, too large to be kept)`)
    log.clear()
    add(large)
    expect(requestsOf(log).map(({number}) => number)).to.deep.equal([3_502])
  })

  it('tell who asked, which check refused, and what would have done', async () => {
    const reader = await server.tokenFor(undefined, {scopes: ['view_customers']})
    await json('/shop/customers', reader, {body: {email: 'bo@example.com', password}})
    expect(last()).to.deep.include({operation: 'createCustomer', status: 403})
    expect(last().caller).to.deep.equal({
      kind: 'client',
      clientId: server.client.clientId,
      projectKey: 'shop',
      scopes: ['view_customers:shop'],
    })
    expect(last().refusal).to.include({check: 'permission', code: 'insufficient_scope'})
    expect(last().refusal?.needs).to.deep.equal(['manage_customers:shop', 'manage_project:shop'])

    await json('/shop/in-store/key=berlin/customers', await server.tokenFor(undefined, {scopes: ['manage_my_profile']}))
    expect(last().refusal?.needs).to.include.members(['view_customers:shop', 'view_customers:shop:berlin'])

    await json('/shop/me', await server.tokenFor(undefined, {scopes: ['manage_my_profile']}))
    expect(last().refusal?.why).to.contain('API client')
    expect(last().refusal?.needs).to.deep.equal(['a token of a customer (POST /oauth/shop/customers/token)'])

    await json('/shop/in-store/key=rome/me', await server.tokenFor('key=ada', {storeKey: 'berlin'}))
    expect(last().caller).to.include({kind: 'customer', customerId: 'ada', storeKey: 'berlin'})
    expect(last().refusal?.why).to.contain("issued in the store 'berlin'").and.contain('rome')

    await json('/shopp/customers', reader)
    expect(last().refusal?.why).to.equal(
      "The path names the project 'shopp', the token is for 'shop'. It takes a token of the project of the path or the path /shop/….",
    )
  })

  it('tell why a token did not count', async () => {
    const token = await server.tokenFor('key=ada')
    server.clock.advance(700_000)
    await json('/shop/me', token)
    expect(last().refusal).to.include({check: 'authentication', why: 'The token has expired: ask for another one.'})
    expect(last().caller).to.include({kind: 'customer', customerId: 'ada'})
    server.clock.real()
    await form('/oauth/token/revoke', {token})
    await json('/shop/me', token)
    expect(last().refusal?.why).to.equal('The token was revoked: ask for another one.')
    await json('/shop/me', 'x'.repeat(43))
    expect(last().refusal?.why).to.contain('issued here')
    await json('/shop/me', undefined)
    expect(last().refusal?.why).to.contain('no access token')
    expect(last().caller).to.deep.equal({kind: 'nobody', scopes: []})
  })

  it('name the check that refused, in the order of the checks', async () => {
    const admin = await server.tokenFor()
    const update = (version: number, actions: readonly unknown[]) =>
      json('/shop/customers/ada', admin, {body: {version, actions}})
    await update(7, [])
    expect(last().refusal?.check).to.equal('version')
    await update(1, [{action: 'nothing'}])
    expect(last().refusal?.check).to.equal('body')
    await update(1, [{action: 'changeEmail', email: ''}])
    expect(last().refusal?.check).to.be.oneOf(['body', 'rules'])
    await json('/shop/customers/bo', admin)
    expect(last().refusal?.check).to.equal('existence')
    await send(server.apiUrl, {path: '/shop/customers', headers: {host: 'evil.example'}})
    const {requests} = await administerServer(dataDir, 'listRequests', {body: {refused: true, limit: 1}})
    expect(requests[0]?.refusal).to.include({check: 'address', code: 'Forbidden'})
    server.faults.set({drop: 'before', times: 1})
    await rejection(fetch(`${server.apiUrl}/shop/customers`, {headers: {authorization: `Bearer ${admin}`}}))
    expect((await administerServer(dataDir, 'listRequests', {body: {limit: 1}})).requests[0]).to.include({status: 0})
  })
})
