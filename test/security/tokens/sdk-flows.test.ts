import {createApiBuilderFromCtpClient} from '@commercetools/platform-sdk'
import {ClientBuilder, type TokenCache, type TokenStore} from '@commercetools/ts-client'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {basic, formType, send} from '../shop/wire.js'

/** The middlewares of the public SDK, as a shop uses them, against a server of ours. */
describe('security · flows of the public SDK', () => {
  const projectKey = 'demo'
  let server: RunningServer
  before(async () => {
    server = await startServer({
      dataDir: ':memory:',
      projectKey,
      seedDir: 'fixtures/demo',
      settings: {passwordCost: 4},
    })
  })
  after(() => server.stop())

  const shopFront = {clientId: 'demo-shopfront-000000001', clientSecret: 'demo-only-secret-of-shopfront'}
  const scopes = ['manage_my_profile:demo', 'manage_my_quotes:demo']
  const asked: string[] = []
  /** The platform's fetch, remembering what the SDK sent to the authorization service. */
  const httpClient: typeof fetch = async (input, init) => {
    if (String(input).includes('/oauth/')) asked.push(`${String(input).split('/oauth/')[1]} ${String(init?.body)}`)
    return fetch(input, init)
  }
  const cached = (): {cache: TokenCache; store: {token: TokenStore | undefined}} => {
    const store: {token: TokenStore | undefined} = {token: undefined}
    const cache: TokenCache = {
      get: async () => store.token,
      set: async (token) => {
        store.token = token
      },
    }
    return {cache, store}
  }
  const base = () => ({host: server.authUrl, projectKey, httpClient})
  const project = (builder: ClientBuilder) =>
    createApiBuilderFromCtpClient(builder.withHttpMiddleware({host: server.apiUrl, httpClient}).build()).withProjectKey(
      {
        projectKey,
      },
    )
  beforeEach(() => {
    asked.length = 0
  })

  it('gets a token for the client and uses it for every call', async () => {
    const {clientId, clientSecret} = server.client
    const credentials = {clientId, clientSecret}
    const shop = project(new ClientBuilder().withClientCredentialsFlow({...base(), credentials}))
    const {body} = await shop.get().execute()
    expect(body.key).to.equal(projectKey)
    await shop.customers().get().execute()
    expect(asked).to.have.lengthOf(1)
  })

  it('signs a customer in with scopes, and refreshes the session', async () => {
    const {cache, store} = cached()
    const user = {username: 'hazel.brandvold@example.com', password: 'demo-only-hazel'}
    const credentials = {...shopFront, user}
    const shop = project(new ClientBuilder().withPasswordFlow({...base(), credentials, scopes, tokenCache: cache}))
    const {body} = await shop.me().get().execute()
    expect(body.email).to.equal(user.username)
    expect((await shop.me().quotes().get().execute()).statusCode).to.equal(200)
    expect(asked).to.have.lengthOf(1)
    const refreshToken = store.token?.refreshToken ?? ''
    expect(refreshToken).to.match(/^demo:/)
    const again = project(new ClientBuilder().withRefreshTokenFlow({...base(), credentials: shopFront, refreshToken}))
    expect((await again.me().get().execute()).body.id).to.equal(body.id)
    expect(asked).to.have.lengthOf(2)
  })

  it('gets a new token when the old one was revoked meanwhile', async () => {
    const {cache, store} = cached()
    const user = {username: 'hazel.brandvold@example.com', password: 'demo-only-hazel'}
    const options = {...base(), credentials: {...shopFront, user}, scopes, tokenCache: cache}
    const shop = project(new ClientBuilder().withPasswordFlow(options))
    await shop.me().get().execute()
    const revoked = store.token?.token ?? ''
    const authorization = basic(shopFront.clientId, shopFront.clientSecret)
    const headers = {authorization, 'content-type': formType}
    await send(server.authUrl, {method: 'POST', path: '/oauth/token/revoke', headers, body: `token=${revoked}`})
    expect((await shop.me().get().execute()).statusCode).to.equal(200)
    expect(store.token?.token).to.not.equal(revoked)
  })

  it('opens an anonymous session with an id of its own choice', async () => {
    const {cache, store} = cached()
    const credentials = {...shopFront, anonymousId: 'sdk-visitor'}
    const options = {...base(), credentials, scopes: ['manage_my_profile:demo'], tokenCache: cache}
    const shop = project(new ClientBuilder().withAnonymousSessionFlow(options))
    const draft = {email: 'sdk.visitor@example.com', password: 'right horse'}
    const {body} = await shop.me().signup().post({body: draft}).execute()
    expect(body.customer.email).to.equal(draft.email)
    expect(asked[0]).to.include('anonymous_id=sdk-visitor')
    expect(store.token?.refreshToken).to.match(/^demo:/)
  })

  it('reports wrong credentials as the API states them', async () => {
    const user = {username: 'hazel.brandvold@example.com', password: 'wrong'}
    const credentials = {...shopFront, user}
    const shop = project(new ClientBuilder().withPasswordFlow({...base(), credentials, scopes}))
    const error = await shop
      .me()
      .get()
      .execute()
      .then(
        () => undefined,
        (reason: unknown) => reason,
      )
    expect(error).to.include({statusCode: 400})
    expect((error as Error).message).to.equal('Customer account with the given credentials not found.')
  })
})
