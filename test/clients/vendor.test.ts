import {createRequire} from 'node:module'
import {type CustomerUpdateAction, createApiBuilderFromCtpClient} from '@commercetools/platform-sdk'
import * as clientV2 from '@commercetools/sdk-client-v2'
import * as tsClient from '@commercetools/ts-client'
import {expect} from 'chai'
import {failure, openShop, type Shop} from './shop.js'

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
}

/** The package has no types of its own. */
interface SdkAuth {
  clientCredentialsFlow(): Promise<Tokens>
  anonymousFlow(): Promise<Tokens>
  customerPasswordFlow(person: {username: string; password: string}): Promise<Tokens>
  refreshTokenFlow(token: string): Promise<Tokens>
  introspectToken(token: string): Promise<{active: boolean; scope?: string}>
}

const require = createRequire(import.meta.url)
const {default: sdkAuth} = require('@commercetools/sdk-auth') as {default: new (options: object) => SdkAuth}
const {createSyncCustomers} = require('@commercetools/sync-actions') as {
  createSyncCustomers: () => {buildActions(now: object, before: object): CustomerUpdateAction[]}
}

/** The newest clients of the vendor that run on every Node that we support, unchanged. */
describe('clients · of the vendor', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.server.stop())

  const builders = {'ts-client': tsClient.ClientBuilder, 'sdk-client-v2': clientV2.ClientBuilder}
  for (const [name, Builder] of Object.entries(builders) as [string, typeof tsClient.ClientBuilder][]) {
    const open = (user?: {username: string; password: string}) => {
      const {server, id: clientId, secret: clientSecret} = shop
      const flow = {host: server.authUrl, projectKey: 'shop', scopes: ['manage_project:shop'], httpClient: fetch}
      const credentials = {clientId, clientSecret}
      const builder = new Builder()
        .withHttpMiddleware({host: server.apiUrl, httpClient: fetch})
        .withUserAgentMiddleware({})
      builder.withCorrelationIdMiddleware({generate: () => `shop/${crypto.randomUUID()}`})
      if (user) builder.withPasswordFlow({...flow, credentials: {...credentials, user}})
      else builder.withClientCredentialsFlow({...flow, credentials})
      const client = builder.build()
      return {client, project: createApiBuilderFromCtpClient(client).withProjectKey({projectKey: 'shop'})}
    }

    it(`${name}: a customer signs up, is changed by what sync-actions builds, signs in and leaves`, async () => {
      const {project} = open()
      const {email, password} = shop.person()
      const body = {email, password, key: `key-${name}`, firstName: 'Ada', addresses: [{key: 'home', country: 'DE'}]}
      const {customer} = (await project.customers().post({body}).execute()).body
      const now = {...customer, lastName: 'L', addresses: [{...customer.addresses[0], city: 'Bonn'}]}
      const {buildActions} = createSyncCustomers()
      const actions = buildActions(now, customer)
      const one = project.customers().withId({ID: customer.id})
      const changed = (await one.post({body: {version: customer.version, actions}}).execute()).body
      expect([changed.lastName, changed.addresses[0]?.city]).to.deep.equal(['L', 'Bonn'])
      expect(buildActions(now, changed)).to.deep.equal([])
      const mine = (await open({username: email, password}).project.me().get().execute()).body
      expect(mine.id).to.equal(customer.id)
      const late = await failure(one.delete({queryArgs: {version: 1}}).execute())
      expect(late).to.include({statusCode: 409})
      await one.delete({queryArgs: {version: changed.version}}).execute()
      expect(await failure(one.get().execute())).to.include({statusCode: 404})
    })

    it(`${name}: process() reads every page`, async () => {
      const {client, project} = open()
      for (let count = 0; count < 5; count += 1) await project.customers().post({body: shop.person()}).execute()
      const {total} = (await project.customers().get().execute()).body
      const pages: number[] = []
      // The newer client has it as a function, the older one as a method too.
      const {process} = client as unknown as {process: typeof clientV2.Process}
      await process(
        {uri: '/shop/customers?limit=2&withTotal=false', method: 'GET'},
        async (page: unknown) => {
          pages.push((page as {body: {results: unknown[]}}).body.results.length)
        },
        {accumulate: false},
      )
      expect(pages.reduce((sum, one) => sum + one, 0)).to.equal(total)
      expect(pages.length).to.be.greaterThan(2)
    })
  }

  it('sdk-auth: every flow gets its token', async () => {
    const {server, id: clientId, secret: clientSecret} = shop
    const auth = (scopes: string[]) =>
      new sdkAuth({host: server.authUrl, projectKey: 'shop', credentials: {clientId, clientSecret}, scopes, fetch})
    const own = auth(['manage_project:shop', 'introspect_oauth_tokens:shop'])
    const {access_token: token} = await own.clientCredentialsFlow()
    const {email, password} = shop.person()
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
    await fetch(shop.url('/shop/customers'), {method: 'POST', headers, body: JSON.stringify({email, password})})
    const my = auth(['manage_my_profile:shop'])
    const mine = await my.customerPasswordFlow({username: email, password})
    expect(mine.scope).to.match(/^manage_my_profile:shop customer_id:/)
    const renewed = await my.refreshTokenFlow(mine.refresh_token)
    expect(renewed.access_token).to.not.equal(mine.access_token)
    expect((await my.anonymousFlow()).scope).to.include('anonymous_id:')
    expect(await own.introspectToken(renewed.access_token)).to.include({active: true})
    const wrong = my.customerPasswordFlow({username: email, password: 'wrong'})
    expect(await failure(wrong)).to.include({message: 'Customer account with the given credentials not found.'})
  })
})
