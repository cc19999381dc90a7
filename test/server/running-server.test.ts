import {expect} from 'chai'
import {administer} from '../../src/client/local/admin.js'
import {connect, operations, type RunningServer, startServer} from '../../src/index.js'
import {newDirectory, rejection, removeDirectories} from '../store/directory.js'

const password = 'an-invented-one'

describe('server · the object of a test suite', () => {
  let server: RunningServer
  before(async () => {
    server = await startServer({projectKey: 'shop'})
  })
  beforeEach(() => server.reset())
  after(() => server.stop().then(removeDirectories))

  const ask = async (path: string, token: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') => {
    const answer = await fetch(`${server.apiUrl}/shop${path.startsWith('?') ? '' : '/'}${path}`, {
      method,
      headers: {authorization: `Bearer ${token}`, ...(body === undefined ? {} : {'content-type': 'application/json'})},
      ...(body === undefined ? {} : {body: JSON.stringify(body)}),
    })
    return {status: answer.status, body: (await answer.json()) as Record<string, unknown>}
  }

  it('keeps its state in memory unless it is told where', () => {
    expect(server.client).to.have.all.keys('clientId', 'clientSecret')
    expect(server).to.not.have.property('seeded')
  })

  it('adds to the project what it is given, all or nothing', async () => {
    const data = {
      customers: [{key: 'ada', email: 'ada@example.com', password}],
      'customer-groups': [{key: 'vip', name: 'VIP'}],
      project: {countries: ['DE']},
    }
    expect(await server.seed(data)).to.deep.equal({seeded: true, counts: {customer: 1, 'customer-group': 1}})
    expect(data.customers[0]).to.have.all.keys('key', 'email', 'password')
    const token = await server.tokenFor()
    expect((await ask('customers/key=ada', token)).body).to.include({email: 'ada@example.com', version: 1})
    expect((await ask('customer-groups/key=vip', token)).body).to.include({name: 'VIP'})
    expect((await ask('?', token)).body).to.deep.include({countries: ['DE'], version: 2})
    expect((await ask('login', token, {email: 'ada@example.com', password})).status).to.equal(200)
    const again = {
      customers: [
        {key: 'bo', email: 'bo@example.com'},
        {key: 'ada', email: 'other@example.com'},
      ],
    }
    expect(await rejection(server.seed(again))).to.include({code: 'InvalidSetup'})
    expect((await ask('customers/key=bo', token)).status).to.equal(404)
    expect(await rejection(server.seed({custmers: []}))).to.include({code: 'InvalidSetup'})
    expect(await rejection(server.seed({customers: [{key: 'x'}]}))).to.include({code: 'InvalidSetup'})
  })

  it('leaves no resources of a pack whose settings another one has changed meanwhile', async () => {
    const packs = ['ada', 'bo', 'cy'].map((key) => ({
      customers: [{key, email: `${key}@example.com`}],
      project: {name: key},
    }))
    const results = await Promise.allSettled(packs.map((pack) => server.seed(pack)))
    const token = await server.tokenFor()
    for (const [at, {customers}] of packs.entries()) {
      const {status} = await ask(`customers/key=${customers[0]?.key}`, token)
      expect(status).to.equal(results[at]?.status === 'fulfilled' ? 200 : 404)
    }
    expect(results.map(({status}) => status))
      .to.include('fulfilled')
      .and.include('rejected')
  })

  it('takes over a pack of a folder for its own project', async () => {
    const demo = await startServer({projectKey: 'demo'})
    const {counts} = await demo.seed('fixtures/demo')
    expect(counts['customer']).to.be.greaterThan(10)
    expect(await demo.tokenFor('key=hazel-brandvold')).to.be.a('string')
    await demo.stop()
    expect(await rejection(server.seed({project: {key: 'demo'}}))).to.include({code: 'InvalidSetup'})
  })

  it('empties the project and keeps its address and its first client', async () => {
    await server.seed({customers: [{key: 'ada', email: 'ada@example.com', password}]})
    const [token, ada] = [await server.tokenFor(), await server.tokenFor('key=ada')]
    for (let count = 0; count < 10; count += 1) await ask('login', token, {email: 'bo@example.com', password})
    expect((await ask('login', token, {email: 'bo@example.com', password})).status).to.equal(429)
    server.faults.set({status: 503})
    server.clock.advance(3_600_000)
    const before = server.client
    await server.reset()
    expect(server.client).to.equal(before)
    expect((await ask('customers', token)).status).to.equal(401)
    expect((await ask('me', ada)).status).to.equal(401)
    const fresh = await server.tokenFor()
    expect((await ask('customers', fresh)).body).to.include({total: 0})
    expect((await ask('login', fresh, {email: 'bo@example.com', password})).status).to.equal(400)
    expect(await server.messages()).to.deep.equal([])
    expect(Math.abs(server.clock.now() - Date.now())).to.be.lessThan(60_000)
    const {clientId, clientSecret} = server.client
    const issued = await fetch(`${server.authUrl}/oauth/token`, {
      method: 'POST',
      headers: {authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`},
      body: new URLSearchParams({grant_type: 'client_credentials'}),
    })
    expect(issued.status).to.equal(200)
  })

  it('gives a customer without a password a session, that ends with all others and with the customer', async () => {
    const admin = await server.tokenFor()
    const draft = {email: 'ext@example.com', key: 'ext', authenticationMode: 'ExternalAuth'}
    const {id} = (await ask('customers', admin, draft)).body['customer'] as {id: string}
    await server.seed({customers: [{key: 'seeded', email: 'seeded@example.com'}]})
    for (const reference of ['key=ext', 'key=seeded']) {
      const both = await Promise.all([server.tokenFor(reference), server.tokenFor(reference)])
      for (const token of both) expect((await ask('me', token)).status, reference).to.equal(200)
    }
    const own = await server.tokenFor('key=ext')
    const sessions = `_frontdesk/customers/${id}/sessions`
    expect((await ask(sessions, admin)).body['sessions']).to.equal(3)
    expect((await ask(sessions, admin, undefined, 'DELETE')).body).to.deep.equal({ended: 3})
    expect((await ask('me', own)).status).to.equal(401)
    const again = await server.tokenFor('key=ext')
    expect((await ask('me', again)).status).to.equal(200)
    expect((await ask('customers/key=ext?version=1', admin, undefined, 'DELETE')).status).to.equal(200)
    expect((await ask('me', again)).status).to.equal(401)
    expect(await rejection(server.tokenFor(`id=${id}`))).to.include({code: 'ResourceNotFound'})
  })

  it('leaves other projects as they are', async () => {
    const dataDir = newDirectory()
    const first = await startServer({projectKey: 'one', dataDir})
    await first.seed({customers: [{key: 'ada', email: 'ada@example.com'}]})
    await administer(dataDir, 'addProject', {body: {projectKey: 'two'}})
    const other = await connect({kind: 'embedded', dataDir, projectKey: 'two'})
    const body = {email: 'bo@example.com', password}
    await other.call(operations.createCustomer, {}, {body})
    await first.reset()
    expect((await other.call(operations.queryCustomers, {}, {query: {limit: 1}})).total).to.equal(1)
    await other.close()
    await first.stop()
  })

  it('issues tokens for the people of the project and for its client', async () => {
    await server.seed({
      customers: [
        {id: 'a', key: 'ada', email: 'ada@example.com', customerNumber: '7', externalId: 'crm-1'},
        {key: 'bo', email: 'bo@example.com', stores: [{typeId: 'store', key: 'berlin'}]},
      ],
      stores: [{key: 'berlin'}],
    })
    const named = ['key=ada', 'email=ada@example.com', 'number=7', 'externalId=crm-1', 'id=a']
    for (const reference of [...named, 'ada@example.com', 'a', 'ada', '7']) {
      expect((await ask('me', await server.tokenFor(reference))).body, reference).to.include({key: 'ada'})
    }
    expect(await rejection(server.tokenFor('key=nobody'))).to.include({code: 'ResourceNotFound'})
    const inStore = await server.tokenFor('key=bo', {storeKey: 'berlin'})
    expect((await ask('in-store/key=berlin/me', inStore)).status).to.equal(200)
    const narrow = await server.tokenFor(undefined, {scopes: ['view_customers']})
    expect((await ask('customers', narrow)).status).to.equal(200)
    expect((await ask('customers', narrow, {email: 'c@example.com', password})).status).to.equal(403)
  })

  it('fails on purpose and moves its time', async () => {
    const token = await server.tokenFor()
    server.faults.set([{operation: 'queryCustomers', status: 503, times: 1}], {seed: 7})
    expect((await ask('customers', token)).status).to.equal(503)
    expect((await ask('customers', token)).status).to.equal(200)
    expect(server.faults.state).to.deep.include({seed: 7, drawn: [1]})
    expect(() => server.faults.set({status: 200 as 503}))
      .to.throw()
      .with.property('code', 'InvalidJsonInput')
    server.faults.clear()
    expect(server.faults.state.rules).to.deep.equal([])
    server.clock.set('2031-01-01T00:00:00Z')
    expect(new Date(server.clock.now()).toISOString()).to.match(/^2031-01-01T00:00:0/)
    expect((await ask('customers', token)).status).to.equal(401)
    server.clock.freeze()
    expect(server.clock.now()).to.equal(server.clock.now())
    expect(() => server.clock.set('never'))
      .to.throw()
      .with.property('code', 'InvalidSetup')
    server.clock.real()
    expect((await ask('customers', token)).status).to.equal(200)
  })

  it('shows the one-time tokens that a shop would have mailed', async () => {
    await server.seed({customers: [{key: 'ada', email: 'ada@example.com', password}]})
    const made = await ask('customers/password-token', await server.tokenFor(), {email: 'ada@example.com'})
    expect(server.outbox()).to.have.length(1)
    expect(server.outbox()[0]).to.include({purpose: 'password', email: 'ada@example.com', value: made.body['value']})
  })

  it('shows the messages of the project in their order', async () => {
    const token = await server.tokenFor()
    for (const name of ['ada', 'bo', 'cy']) {
      expect((await ask('customers', token, {key: name, email: `${name}@example.com`, password})).status).to.equal(201)
    }
    const all = await server.messages()
    expect(all.map(({type}) => type)).to.deep.equal(['CustomerCreated', 'CustomerCreated', 'CustomerCreated'])
    const [first] = all
    expect(await server.messages({resource: first?.resource.id ?? ''})).to.deep.equal([first])
    expect(await server.messages({type: 'CustomerDeleted'})).to.deep.equal([])
  })

  it('has no faults and no clock where other machines reach it', async () => {
    const open = await startServer({projectKey: 'shop', host: '0.0.0.0', insecureHttp: true})
    expect(() => open.faults.set({status: 503}))
      .to.throw()
      .with.property('code', 'InvalidSetup')
    expect(() => open.clock.advance(1))
      .to.throw()
      .with.property('code', 'InvalidSetup')
    await open.stop()
  })

  it('ends at the end of a block', async () => {
    const other = await startServer({projectKey: 'shop'})
    await other[Symbol.asyncDispose]()
    expect(await rejection(fetch(other.apiUrl))).to.be.instanceOf(Error)
  })
})
