import {type ByProjectKeyRequestBuilder, createApiBuilderFromCtpClient, type Quote} from '@commercetools/platform-sdk'
import {ClientBuilder} from '@commercetools/ts-client'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../src/index.js'

/** The public SDK's builder of a customer's own quotes, unchanged, with a token from a real sign-in. */
describe('e2e · the public SDK on my quotes', () => {
  let server: RunningServer

  before(async () => {
    server = await startServer({
      dataDir: ':memory:',
      projectKey: 'demo',
      seedDir: 'fixtures/demo',
      settings: {passwordCost: 4},
    })
  })
  after(async () => {
    await server.stop()
  })

  function builder(build: (client: ClientBuilder) => ClientBuilder): ByProjectKeyRequestBuilder {
    const client = build(new ClientBuilder()).withHttpMiddleware({host: server.apiUrl, httpClient: fetch}).build()
    return createApiBuilderFromCtpClient(client).withProjectKey({projectKey: 'demo'})
  }

  const flow = () => ({
    host: server.authUrl,
    projectKey: 'demo',
    scopes: ['manage_my_quotes:demo'],
    httpClient: fetch,
  })
  const credentials = () => ({
    clientId: server.client.clientId,
    clientSecret: server.client.clientSecret,
  })

  const quotesOf = (username: string, password: string) =>
    builder((client) =>
      client.withPasswordFlow({...flow(), credentials: {...credentials(), user: {username, password}}}),
    )
      .me()
      .quotes()

  const statusOf = async (call: Promise<{statusCode?: number | undefined}>): Promise<number | undefined> =>
    call.then(
      ({statusCode}) => statusCode,
      (error: {statusCode?: number}) => error.statusCode,
    )

  it('reads by id and key, queries, and tells what exists', async () => {
    const quotes = quotesOf('hazel.brandvold@example.com', 'demo-only-hazel')
    const byKey = await quotes
      .withKey({key: 'hazel-open'})
      .get({queryArgs: {expand: 'customer'}})
      .execute()
    expect(byKey.body.customer?.obj?.email).to.equal('hazel.brandvold@example.com')
    const ID = byKey.body.id
    const byId = await quotes.withId({ID}).get().execute()
    expect(byId.body).to.deep.include({id: ID, quoteState: 'Pending', totalPrice: byKey.body.totalPrice})
    const found = await quotes
      .get({
        queryArgs: {
          where: ['quoteState = :state', 'totalPrice(centAmount > 0)'],
          'var.state': 'Pending',
          sort: 'createdAt desc',
          limit: 2,
          expand: ['quoteRequest', 'stagedQuote'],
        },
      })
      .execute()
    expect(found.body).to.include({limit: 2, count: 2})
    expect(found.body.results[0]?.quoteRequest.obj?.quoteRequestState).to.equal('Accepted')
    expect(await statusOf(quotes.withId({ID}).head().execute())).to.equal(200)
    expect(await statusOf(quotes.withKey({key: 'hazel-open'}).head().execute())).to.equal(200)
    expect(await statusOf(quotes.head({queryArgs: {where: 'quoteState = "Accepted"'}}).execute())).to.equal(200)
    expect(await statusOf(quotes.head({queryArgs: {where: 'key = "none"'}}).execute())).to.equal(404)
    expect(await statusOf(quotes.withKey({key: 'haruka-yen'}).head().execute())).to.equal(404)
  })

  it('accepts by id, declines by key, and hears of conflicts', async () => {
    const quotes = quotesOf('hazel.brandvold@example.com', 'demo-only-hazel')
    const answer = (quoteState: 'Accepted' | 'Declined', version: number) => ({
      body: {version, actions: [{action: 'changeMyQuoteState' as const, quoteState}]},
    })
    const {body: open} = await quotes.withKey({key: 'hazel-open'}).get().execute()
    const accepted = await quotes.withId({ID: open.id}).post(answer('Accepted', open.version)).execute()
    expect(accepted.body).to.include({quoteState: 'Accepted', version: open.version + 1})
    expect(await statusOf(quotes.withId({ID: open.id}).post(answer('Declined', open.version)).execute())).to.equal(409)
    expect(
      await statusOf(
        quotes
          .withId({ID: open.id})
          .post(answer('Declined', open.version + 1))
          .execute(),
      ),
    ).to.equal(400)
    const {body: second} = await quotes.withKey({key: 'hazel-second-round'}).get().execute()
    const declined = await quotes
      .withKey({key: 'hazel-second-round'})
      .post(answer('Declined', second.version))
      .execute()
    expect(declined.body.quoteState).to.equal('Declined')
  })

  it('lets one of two simultaneous answers win', async () => {
    const quotes = quotesOf('hazel.brandvold@example.com', 'demo-only-hazel')
    const {body} = await quotes.get({queryArgs: {where: 'quoteState = "Pending"', limit: 1}}).execute()
    const [{id: ID, version} = {id: '', version: 0} as Quote] = body.results
    const answers = await Promise.all(
      (['Accepted', 'Declined'] as const).map((quoteState) =>
        statusOf(
          quotes
            .withId({ID})
            .post({body: {version, actions: [{action: 'changeMyQuoteState', quoteState}]}})
            .execute(),
        ),
      ),
    )
    expect(answers).to.have.members([200, 409])
  })

  it('is told what a business unit does not permit', async () => {
    const quotes = quotesOf('petra.vance@harrow-mill.example', 'demo-only-petra')
    const {body} = await quotes.withKey({key: 'petra-may-not-accept'}).get().execute()
    const refused = await quotes
      .withId({ID: body.id})
      .post({body: {version: body.version, actions: [{action: 'changeMyQuoteState', quoteState: 'Accepted'}]}})
      .execute()
      .catch((error: {body: {errors: {code: string; permissions: string[]}[]}}) => error.body.errors[0])
    expect(refused).to.deep.include({code: 'AssociateMissingPermission', permissions: ['AcceptMyQuotes']})
  })

  it('is closed to clients and visitors', async () => {
    const client = builder((one) => one.withClientCredentialsFlow({...flow(), credentials: credentials()}))
    const visitor = builder((one) => one.withAnonymousSessionFlow({...flow(), credentials: credentials()}))
    for (const project of [client, visitor]) {
      expect(await statusOf(project.me().quotes().get().execute())).to.equal(403)
    }
  })
})
