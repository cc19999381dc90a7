import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {basic, formType, send} from '../shop/wire.js'

describe('security · S the remembered requests of callers who mistype', () => {
  let server: RunningServer
  let token: string
  before(async () => {
    server = await startServer({projectKey: 'shop', dataDir: ':memory:', keepBodies: true, settings: {passwordCost: 4}})
    token = await server.tokenFor()
  })
  after(() => server.stop())

  const ask = async (path: string, body?: unknown) => {
    const json = typeof body === 'string' ? body : JSON.stringify(body)
    await send(server.apiUrl, {
      path,
      headers: {authorization: `Bearer ${token}`, ...(body === undefined ? {} : {'content-type': 'application/json'})},
      ...(body === undefined ? {} : {method: 'POST', body: json}),
    })
    return server.requests().at(-1)
  }

  it('S-72 show no member of a body that its operation does not declare', async () => {
    const secret = 'sesame-7'
    for (const [path, body] of [
      ['/shop/customers', {email: 'a@example.com', pwd: secret, pass: secret, passwort: secret, newPasword: [secret]}],
      ['/shop/customers', {email: 'a@example.com', password: 71234567}],
      ['/shop/customers', {email: 'a@example.com', addresses: [{country: 'DE', pin: secret}], stores: [{pwd: secret}]}],
      ['/shop/customers', [secret]],
      ['/shop/customers', JSON.stringify(secret)],
      ['/shop/customers', {email: {pwd: secret}, firstName: `{"password": "${secret}"}`}],
      ['/shop/customers', {email: 'a@example.com', custom: `{"pin": "${secret}"}`}],
      ['/shop/customers', {email: 'a@example.com', custom: {fields: {clientSecret: secret}}}],
      ['/shop/customers/x', {version: 1, actions: [{action: 'changePasword', pwd: secret}]}],
      ['/shop/customers/x', {version: 1, actions: [{action: 'setKey', key: 'k', pwd: secret}]}],
      ['/shop/customers/x', {version: 1, actions: [{action: 'setCustomField', name: 'n', value: {pwd: secret}}]}],
      ['/shop/graphql', {query: `mutation { x(password: "${secret}") { id } }`, variables: {draft: {pwd: secret}}}],
      ['/shop/graphql', {query: `mutation { x(a: 1) }`, variables: `{"pwd": "${secret}"}`}],
      [
        '/shop',
        {version: 1, actions: [{action: 'setExternalOAuth', externalOAuth: {url: `ftp://u:${secret}@x.example`}}]},
      ],
      ['/shop/nothing', {pwd: secret}],
    ] as const) {
      const shown = await ask(path, body)
      expect(JSON.stringify(shown), path + JSON.stringify(shown))
        .to.not.contain(secret)
        .and.not.contain('71234567')
      // What nothing serves is refused before its body is read.
      if (path !== '/shop/nothing') expect(shown).to.include.keys('requestBody')
    }
    const known = await ask('/shop/customers', {
      email: 'known@example.com',
      dateOfBirth: '1990-04-07',
      addresses: [{country: 'DE', city: 'Ulm', mobile: null}],
      custom: {type: {key: 'none', typeId: 'type'}, fields: {colour: 'teal'}},
      isEmailVerified: true,
      note: 'no member',
    })
    expect(known?.requestBody).to.deep.equal({
      email: 'known@example.com',
      dateOfBirth: '1990-04-07',
      addresses: [{country: 'DE', city: 'Ulm', mobile: null}],
      custom: {type: {key: 'none', typeId: 'type'}, fields: {colour: 'teal'}},
      isEmailVerified: true,
      note: '***',
    })
    const updated = await ask('/shop/customers/x', {version: 2, actions: [{action: 'setKey', key: 'k'}]})
    expect(updated?.requestBody).to.deep.equal({version: 2, actions: [{action: 'setKey', key: 'k'}]})
  })

  it('S-72 show no parameter that its operation does not declare, and no credentials of a URL', async () => {
    for (const query of [
      '?p=password-token%3Dsesame-8',
      '?pwd=sesame-8',
      '?sesame-8',
      '?where=password%20%3D%20%22sesame-8%22',
      '?var.password=sesame-8',
      '?expand=https://u:sesame-8@x.example',
    ]) {
      const shown = await ask(`/shop/customers${query}&limit=3`)
      expect(JSON.stringify(shown), query).to.not.contain('sesame-8')
      expect(shown?.query).to.contain('limit=3')
    }
    const clear = 'where=email%20%3D%20%3Ae&var.e=a%40example.com&limit=1'
    expect((await ask(`/shop/customers?${clear}`))?.query).to.equal(clear)
    const {clientId, clientSecret} = server.client
    await send(server.apiUrl, {
      method: 'POST',
      path: '/oauth/token',
      headers: {authorization: basic(clientId, clientSecret), 'content-type': formType},
      body: 'grant_type=password&assertion=sesame-9&scope=manage_project%3Ashop',
    })
    expect(server.requests().at(-1)?.requestBody).to.deep.equal({
      grant_type: 'password',
      assertion: '***',
      scope: 'manage_project:shop',
    })
  })
})
