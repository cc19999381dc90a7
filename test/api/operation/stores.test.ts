import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {type Answer, acted, type Body, type Desk, draft, errorOf, openDesk, signedUp} from '../harness.js'

/** What a caller with nothing but a store's scope may do (decision 27), and that twins are derived. */
describe('api · stores', () => {
  let desk: Desk
  let token: string
  let global: Body
  let ofBerlin: Body
  let ofLondon: Body

  before(async () => {
    desk = await openDesk({seed: true})
    token = await desk.token('manage_customers:demo:berlin')
    global = await signedUp(desk)
    ofBerlin = await signedUp(desk, {stores: [{key: 'berlin'}]})
    ofLondon = await signedUp(desk, {stores: [{key: 'london'}]})
  })

  const berlin = (method: string, path: string, body?: object, query = ''): Promise<Answer> =>
    desk.ask(method, `/in-store/key=berlin${path}${query}`, {token, ...(body ? {body} : {})})
  const update = (customer: Body, ...actions: object[]): object => ({version: customer.version, actions})

  it('has a twin for every operation that declares one, from one declaration', () => {
    const twins = operations.filter(({id}) => id.endsWith('InStore') && id !== 'requestCustomerTokenInStore')
    const declaring = operations.filter(({inStore, id}) => inStore === true && !id.endsWith('InStore'))
    expect(twins).to.have.length(declaring.length)
    for (const operation of declaring) {
      const twin = twins.find(({id}) => id === `${operation.id}InStore`)
      expect(twin?.handle).to.equal(operation.handle)
      expect(twin?.path).to.equal(operation.path.replace('{projectKey}/', '{projectKey}/in-store/key={storeKey}/'))
    }
  })

  it('reads customers of the store and global ones, and no others', async () => {
    expect((await berlin('GET', `/customers/${global.id}`)).status).to.equal(200)
    expect((await berlin('GET', `/customers/${ofBerlin.id}`)).status).to.equal(200)
    expect((await berlin('GET', `/customers/${ofLondon.id}`)).status).to.equal(404)
    expect((await berlin('HEAD', `/customers/${ofLondon.id}`)).status).to.equal(404)
  })

  it('writes customers of the store only', async () => {
    const act = (customer: Body): Promise<Answer> =>
      berlin('POST', `/customers/${customer.id}`, update(customer, {action: 'setTitle', title: 'Dr'}))
    const done = await act(ofBerlin)
    expect(done.status).to.equal(200)
    ofBerlin = done.body
    expect((await act(global)).status).to.equal(403)
    expect((await act(ofLondon)).status).to.equal(404)
    expect((await berlin('DELETE', `/customers/${global.id}`, undefined, '?version=1')).status).to.equal(403)
    expect((await berlin('DELETE', `/customers/${ofLondon.id}`, undefined, '?version=1')).status).to.equal(404)
  })

  it('makes tokens for customers of the store only', async () => {
    const password = (customer: Body): Promise<Answer> =>
      berlin('POST', '/customers/password-token', {email: customer.email})
    const email = (customer: Body): Promise<Answer> =>
      berlin('POST', '/customers/email-token', {id: customer.id, ttlMinutes: 5})
    for (const make of [password, email]) {
      expect((await make(ofBerlin)).status).to.equal(200)
      expect((await make(global)).status).to.equal(403)
      expect((await make(ofLondon)).status).to.equal(404)
    }
  })

  it('moves nobody in or out', async () => {
    for (const action of [
      {action: 'setStores', stores: []},
      {action: 'addStore', store: {key: 'london'}},
      {action: 'removeStore', store: {key: 'berlin'}},
    ]) {
      const refused = await berlin('POST', `/customers/${ofBerlin.id}`, update(ofBerlin, action))
      expect(errorOf(refused).code).to.equal('insufficient_scope')
    }
    const same = update(ofBerlin, {action: 'setStores', stores: [{key: 'berlin'}]})
    expect((await berlin('POST', `/customers/${ofBerlin.id}`, same)).status).to.equal(200)
    const wide = await acted(desk, ofBerlin, {action: 'addStore', store: {key: 'london'}})
    expect(wide.body.stores).to.have.length(2)
  })

  it('signs up into the store, and into more stores only with a scope of the project', async () => {
    const both = {body: draft({stores: [{key: 'berlin'}, {key: 'london'}]})}
    expect((await desk.ask('POST', '/in-store/key=berlin/customers', {...both, token})).status).to.equal(403)
    expect((await desk.ask('POST', '/in-store/key=berlin/customers', both)).status).to.equal(201)
    expect((await berlin('POST', '/customers', draft())).body.customer.stores).to.deep.equal([
      {typeId: 'store', key: 'berlin'},
    ])
  })

  it('signs in customers of the store and global ones; others look like a wrong password', async () => {
    const signIn = (path: string, customer: Body, password = 'correct horse'): Promise<Answer> =>
      desk.ask('POST', path, {body: {email: customer.email, password}})
    expect((await signIn('/in-store/key=berlin/login', ofBerlin)).status).to.equal(200)
    expect((await signIn('/in-store/key=berlin/login', global)).status).to.equal(200)
    const [elsewhere, globally, wrong] = [
      await signIn('/in-store/key=berlin/login', ofLondon),
      await signIn('/login', ofLondon),
      await signIn('/login', global, 'wrong'),
    ]
    expect(errorOf(wrong).code).to.equal('InvalidCredentials')
    for (const answer of [elsewhere, globally]) expect(answer.body).to.deep.equal(wrong.body)
  })

  it('is closed outside the store, at stores whose name begins alike, and at unknown ones', async () => {
    expect((await desk.ask('GET', '/customers', {token})).status).to.equal(403)
    for (const key of ['london', 'berlin2', 'ber', 'nowhere']) {
      expect((await desk.ask('GET', `/in-store/key=${key}/customers`, {token})).status).to.equal(403)
    }
    const unknown = await desk.token('manage_customers:demo:nowhere')
    expect((await desk.ask('GET', '/in-store/key=nowhere/customers', {token: unknown})).status).to.equal(403)
    expect((await desk.ask('GET', '/in-store/key=nowhere/customers')).status).to.equal(404)
  })
})
