import {type ByProjectKeyRequestBuilder, createApiBuilderFromCtpClient} from '@commercetools/platform-sdk'
import {ClientBuilder} from '@commercetools/ts-client'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../src/index.js'

/** The public SDK, unchanged, against a server of ours: what a shop under test would do. */
describe('e2e · the public SDK on customers', () => {
  let server: RunningServer
  let project: ByProjectKeyRequestBuilder

  before(async () => {
    server = await startServer({
      dataDir: ':memory:',
      projectKey: 'demo',
      seedDir: 'fixtures/demo',
      settings: {passwordCost: 4},
    })
    const {clientId, clientSecret} = server.client
    const client = new ClientBuilder()
      .withClientCredentialsFlow({
        host: server.authUrl,
        projectKey: 'demo',
        credentials: {clientId, clientSecret},
        scopes: ['manage_project:demo'],
        httpClient: fetch,
      })
      .withHttpMiddleware({host: server.apiUrl, httpClient: fetch})
      .build()
    project = createApiBuilderFromCtpClient(client).withProjectKey({projectKey: 'demo'})
  })
  after(async () => {
    await server.stop()
  })

  it('signs up, reads, queries with variables, updates, signs in and deletes', async () => {
    const email = 'sdk.person@example.com'
    const created = await project
      .customers()
      .post({body: {email, password: 'secret', key: 'sdk-person', firstName: 'Sdk', addresses: [{country: 'DE'}]}})
      .execute()
    expect(created.statusCode).to.equal(201)
    const {customer} = created.body
    const byKey = await project.customers().withKey({key: 'sdk-person'}).get().execute()
    expect(byKey.body.id).to.equal(customer.id)
    const found = await project
      .customers()
      .get({
        queryArgs: {
          where: 'firstName = :name and email in :emails',
          'var.name': 'Sdk',
          'var.emails': [email],
          sort: 'email asc',
        },
      })
      .execute()
    expect(found.body).to.deep.include({count: 1, total: 1})
    const updated = await project
      .customers()
      .withId({ID: customer.id})
      .post({
        body: {
          version: customer.version,
          actions: [
            {action: 'setLastName', lastName: 'Person'},
            {action: 'setCustomerGroup', customerGroup: {typeId: 'customer-group', key: 'wholesale'}},
          ],
        },
        queryArgs: {expand: 'customerGroup'},
      })
      .execute()
    expect(updated.body.version).to.equal(customer.version + 2)
    expect(updated.body.customerGroup?.obj?.key).to.equal('wholesale')
    const signedIn = await project
      .login()
      .post({body: {email: email.toUpperCase(), password: 'secret'}})
      .execute()
    expect(signedIn.body.customer.id).to.equal(customer.id)
    const {version} = (await project.customers().withId({ID: customer.id}).get().execute()).body
    const gone = await project.customers().withId({ID: customer.id}).delete({queryArgs: {version}}).execute()
    expect(gone.body.id).to.equal(customer.id)
    const missing = await project
      .customers()
      .withId({ID: customer.id})
      .get()
      .execute()
      .catch((error: unknown) => error)
    expect(missing).to.include({statusCode: 404})
  })

  it('resets passwords and verifies emails', async () => {
    const email = 'sdk.flows@example.com'
    const {customer} = (
      await project
        .customers()
        .post({body: {email, password: 'old'}})
        .execute()
    ).body
    const token = (
      await project
        .customers()
        .passwordToken()
        .post({body: {email, ttlMinutes: 10}})
        .execute()
    ).body
    const behind = await project.customers().withPasswordToken({passwordToken: token.value}).get().execute()
    expect(behind.body.id).to.equal(customer.id)
    await project
      .customers()
      .passwordReset()
      .post({body: {tokenValue: token.value, newPassword: 'new'}})
      .execute()
    const again = await project
      .login()
      .post({body: {email, password: 'new'}})
      .execute()
    const mail = await project
      .customers()
      .emailToken()
      .post({body: {id: customer.id, version: again.body.customer.version, ttlMinutes: 10}})
      .execute()
    const verified = await project
      .customers()
      .emailConfirm()
      .post({body: {tokenValue: mail.body.value}})
      .execute()
    expect(verified.body.isEmailVerified).to.equal(true)
    const changed = await project
      .customers()
      .password()
      .post({body: {id: customer.id, version: verified.body.version, currentPassword: 'new', newPassword: 'newer'}})
      .execute()
    expect(changed.body.version).to.equal(verified.body.version + 1)
  })

  it('searches customers, and switches the search off and on', async () => {
    const search = project.customers().search()
    await search.head().execute()
    const {body} = await search
      .post({
        body: {
          query: {
            and: [{fullTextPrefix: {field: 'all', value: 'hazel brandv'}}, {filter: [{exists: {field: 'email'}}]}],
          },
          sort: [{field: 'lastName', order: 'asc'}],
          limit: 5,
        },
      })
      .execute()
    expect(body).to.include({total: 1, limit: 5, offset: 0})
    const [found] = body.results
    const hazel = await project
      .customers()
      .withId({ID: found?.id ?? ''})
      .get()
      .execute()
    expect(hazel.body.lastName).to.equal('Brandvold')
    expect((await project.customers().searchIndexingStatus().get().execute()).body.status).to.equal('Ready')
    const switchTo = async (status: 'Activated' | 'Deactivated') => {
      const {version} = (await project.get().execute()).body
      return project.post({body: {version, actions: [{action: 'changeCustomerSearchStatus', status}]}}).execute()
    }
    const off = await switchTo('Deactivated')
    expect(off.body.searchIndexing?.customers?.status).to.equal('Deactivated')
    const refused = await search
      .post({body: {}})
      .execute()
      .catch((error: {body?: {errors?: {code: string}[]}}) => error.body?.errors?.[0]?.code)
    expect(refused).to.equal('SearchNotReady')
    await switchTo('Activated')
  })

  it('changes accounts by GraphQL', async () => {
    const graphql = async (query: string, variables: object) => {
      const {body} = await project.graphql().post({body: {query, variables}}).execute()
      expect(body.errors).to.equal(undefined)
      return body.data
    }
    const up = await graphql(
      'mutation ($draft: CustomerSignUpDraft!) { customerSignUp(draft: $draft) { customer { id version } } }',
      {draft: {email: 'graph.person@example.com', password: 'secret'}},
    )
    const {id, version} = up.customerSignUp.customer
    const changed = await graphql(
      'mutation ($id: String, $version: Long!, $actions: [CustomerUpdateAction!]!) { updateCustomer(id: $id, version: $version, actions: $actions) { firstName } }',
      {id, version, actions: [{setFirstName: {firstName: 'Graph'}}]},
    )
    expect(changed.updateCustomer.firstName).to.equal('Graph')
  })

  it('works below a store', async () => {
    const berlin = project.inStoreKeyWithStoreKeyValue({storeKey: 'berlin'})
    const email = 'sdk.berlin@example.com'
    const {customer} = (
      await berlin
        .customers()
        .post({body: {email, password: 'secret'}})
        .execute()
    ).body
    expect(customer.stores).to.deep.equal([{typeId: 'store', key: 'berlin'}])
    expect(
      (
        await berlin
          .login()
          .post({body: {email, password: 'secret'}})
          .execute()
      ).body.customer.id,
    ).to.equal(customer.id)
    const london = project.inStoreKeyWithStoreKeyValue({storeKey: 'london'})
    const elsewhere = await london
      .customers()
      .withId({ID: customer.id})
      .get()
      .execute()
      .catch((error: unknown) => error)
    expect(elsewhere).to.include({statusCode: 404})
    const global = await project
      .login()
      .post({body: {email, password: 'secret'}})
      .execute()
      .catch((error: unknown) => error)
    expect(global).to.include({statusCode: 400})
    const page = await berlin
      .customers()
      .get({queryArgs: {where: 'stores is not empty', limit: 1}})
      .execute()
    expect(page.body.total).to.equal(3)
  })
})
