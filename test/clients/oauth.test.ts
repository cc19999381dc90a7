import {createRequire} from 'node:module'
import {expect} from 'chai'
import {GraphQLClient} from 'graphql-request'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import {failure, openShop, type Shop} from './shop.js'

interface AccessToken {
  readonly token: {readonly access_token: string; readonly scope: string}
  refresh(): Promise<AccessToken>
  revoke(kind: 'access_token' | 'refresh_token'): Promise<void>
}

/** The package has no types of its own. */
interface Simple {
  readonly ClientCredentials: new (options: object) => {getToken(params: object): Promise<AccessToken>}
  readonly ResourceOwnerPassword: new (options: object) => {getToken(params: object): Promise<AccessToken>}
}

const require = createRequire(import.meta.url)
const simple = require('simple-oauth2') as Simple

/** Clients of OAuth 2.0 and of GraphQL that know nothing of the platform, unchanged. */
describe('clients · of OAuth and GraphQL', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.server.stop())

  const scope = 'manage_project:shop introspect_oauth_tokens:shop'
  const endpoints = (token: string) => ({
    issuer: shop.server.authUrl,
    token_endpoint: shop.url(token),
    introspection_endpoint: shop.url('/oauth/introspect'),
    revocation_endpoint: shop.url('/oauth/token/revoke'),
  })
  /** Signs a person up with a token. */
  async function signUp(token: string) {
    const person = shop.person()
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
    await fetch(shop.url('/shop/customers'), {method: 'POST', headers, body: JSON.stringify(person)})
    return {...person, username: person.email}
  }
  const emailOf = async (answer: Response): Promise<unknown> => ((await answer.json()) as {email: unknown}).email

  it('openid-client: tokens by client and by password, refreshed, introspected, used and revoked', async () => {
    const configured = (token: string) => {
      const config = new openid.Configuration(endpoints(token), shop.id, {}, openid.ClientSecretBasic(shop.secret))
      openid.allowInsecureRequests(config)
      return config
    }
    const service = configured('/oauth/token')
    const {access_token: token} = await openid.clientCredentialsGrant(service, {scope})
    const {username, password} = await signUp(token)
    const customers = configured('/oauth/shop/customers/token')
    const granted = await openid.genericGrantRequest(customers, 'password', {username, password})
    const renewed = await openid.refreshTokenGrant(service, granted.refresh_token ?? '')
    const me = () => openid.fetchProtectedResource(service, renewed.access_token, new URL(shop.url('/shop/me')), 'GET')
    expect(await emailOf(await me())).to.equal(username)
    expect(await openid.tokenIntrospection(service, renewed.access_token)).to.include({active: true})
    await openid.tokenRevocation(service, renewed.access_token)
    expect(await openid.tokenIntrospection(service, renewed.access_token)).to.deep.equal({active: false})
    const wrong = openid.genericGrantRequest(customers, 'password', {username, password: 'wrong'})
    expect(await failure(wrong)).to.include({error: 'invalid_customer_account_credentials', status: 400})
  })

  it('oauth4webapi: tokens by client and by password, refreshed, introspected, used and revoked', async () => {
    const as = endpoints('/oauth/token')
    const client = {client_id: shop.id}
    const secret = oauth.ClientSecretBasic(shop.secret)
    const plain = {[oauth.allowInsecureRequests]: true} as const
    const byClient = await oauth.clientCredentialsGrantRequest(as, client, secret, new URLSearchParams({scope}), plain)
    const {access_token: token} = await oauth.processClientCredentialsResponse(as, client, byClient)
    const {username, password} = await signUp(token)
    const customers = endpoints('/oauth/shop/customers/token')
    const byPassword = (given: string) =>
      oauth.genericTokenEndpointRequest(customers, client, secret, 'password', {username, password: given}, plain)
    const granted = await oauth.processGenericTokenEndpointResponse(customers, client, await byPassword(password))
    const refreshing = await oauth.refreshTokenGrantRequest(as, client, secret, granted.refresh_token ?? '', plain)
    const renewed = (await oauth.processRefreshTokenResponse(as, client, refreshing)).access_token
    const me = new URL(shop.url('/shop/me'))
    expect(
      await emailOf(await oauth.protectedResourceRequest(renewed, 'GET', me, undefined, undefined, plain)),
    ).to.equal(username)
    const active = async () =>
      (
        await oauth.processIntrospectionResponse(
          as,
          client,
          await oauth.introspectionRequest(as, client, secret, renewed, plain),
        )
      ).active
    expect(await active()).to.equal(true)
    await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, secret, renewed, plain))
    expect(await active()).to.equal(false)
    const wrong = await byPassword('wrong')
    const refused = await failure(oauth.processGenericTokenEndpointResponse(customers, client, wrong))
    expect(refused).to.include({error: 'invalid_customer_account_credentials', status: 400})
  })

  it('simple-oauth2: tokens by client and by password, refreshed and revoked', async () => {
    const options = (tokenPath: string) => ({
      client: {id: shop.id, secret: shop.secret},
      auth: {tokenHost: shop.server.authUrl, tokenPath, refreshPath: '/oauth/token', revokePath: '/oauth/token/revoke'},
    })
    const service = await new simple.ClientCredentials(options('/oauth/token')).getToken({scope})
    const {username, password} = await signUp(service.token.access_token)
    const customers = new simple.ResourceOwnerPassword(options('/oauth/shop/customers/token'))
    const renewed = await (await customers.getToken({username, password})).refresh()
    const headers = {authorization: `Bearer ${renewed.token.access_token}`}
    expect(await emailOf(await fetch(shop.url('/shop/me'), {headers}))).to.equal(username)
    await renewed.revoke('access_token')
    expect((await fetch(shop.url('/shop/me'), {headers})).status).to.equal(401)
    expect(String((await failure(customers.getToken({username, password: 'wrong'})))['message'])).to.include('400')
  })

  it('graphql-request: a customer signs up, is read, changed and deleted; refusals have their place', async () => {
    const service = await new simple.ClientCredentials({
      client: {id: shop.id, secret: shop.secret},
      auth: {tokenHost: shop.server.authUrl},
    }).getToken({scope})
    const headers = {authorization: `Bearer ${service.token.access_token}`}
    const client = new GraphQLClient(shop.url('/shop/graphql'), {headers})
    const signedUp = await client.request<{customerSignUp: {customer: {id: string; version: number}}}>(
      'mutation ($draft: CustomerSignUpDraft!) { customerSignUp(draft: $draft) { customer { id version } } }',
      {draft: shop.person()},
    )
    const {id, version} = signedUp.customerSignUp.customer
    const change = `mutation ($id: String!, $version: Long!) {
      updateCustomer(id: $id, version: $version, actions: [{setFirstName: {firstName: "Ada"}}]) { version firstName } }`
    const changed = await client.request<{updateCustomer: {version: number; firstName: string}}>(change, {id, version})
    expect(changed.updateCustomer.firstName).to.equal('Ada')
    const late = await failure(client.request(change, {id, version}))
    const {errors} = late['response'] as {errors: {extensions: object; locations: unknown[]}[]}
    expect(errors[0]?.extensions).to.include({code: 'ConcurrentModification', currentVersion: 2})
    expect(errors[0]?.locations).to.deep.equal([{line: 2, column: 7}])
    const unknown = await failure(client.request('{ customers { nothing } }'))
    const {status, errors: refused} = unknown['response'] as {status: number; errors: {locations: unknown[]}[]}
    expect([status, refused[0]?.locations]).to.deep.equal([400, [{line: 1, column: 15}]])
    const gone = `mutation { deleteCustomer(id: "${id}", version: ${changed.updateCustomer.version}) { id } }`
    expect(await client.request(gone)).to.deep.equal({deleteCustomer: {id}})
  })
})
