import {expect} from 'chai'
import {limits} from '../../../src/limits.js'
import {type Body, type Desk, openDesk} from '../harness.js'

describe('customers · a batch of sign-ups', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })

  const path = '/_frontdesk/customers'
  const draft = (name: string, more: object = {}): object => ({
    email: `${name}@example.com`,
    key: `batch-${name}`,
    authenticationMode: 'ExternalAuth',
    ...more,
  })
  const send = async (drafts: readonly unknown[], more: object = {}): Promise<Body> => {
    const {status, body} = await desk.ask('POST', path, {body: {drafts}, ...more})
    expect(status).to.equal(200)
    return body
  }
  const codes = ({results}: Body): unknown[] =>
    results.map(({status, error}: Body) => (status === 201 ? 201 : error.errors[0].code))

  it('makes of each draft what a request of its own would make of it, message and refusal alike', async () => {
    const drafts = [
      draft('ann'),
      draft('ann-again', {email: 'ANN@example.com'}),
      {email: 'no password'},
      'no draft',
      draft('bob', {customerGroup: {typeId: 'customer-group', key: 'nobody'}}),
      draft('cat', {password: 'secret-1', authenticationMode: 'Password'}),
    ]
    const {results, correlationId} = await send(drafts, {headers: {'x-correlation-id': 'batch-1'}})
    expect(correlationId).to.equal('batch-1')
    const twin = await openDesk({seed: true})
    for (const [at, body] of drafts.entries()) {
      const alone = await twin.ask('POST', '/customers', {body})
      expect(results[at].status, `${at}`).to.equal(alone.status)
      if (alone.status !== 201) expect(results[at].error, `${at}`).to.deep.equal(alone.body)
    }
    const {body: ann} = await desk.ask('GET', '/customers/key=batch-ann')
    expect(results[0].customer).to.deep.equal({id: ann.id, version: 1})
    const {body: alone} = await twin.ask('GET', '/customers/key=batch-ann')
    const {id: _, password: __, ...shown} = ann
    const {id: ___, password: ____, ...expected} = alone
    expect(shown).to.deep.equal(expected)
    const where = encodeURIComponent(`resource(id="${ann.id}")`)
    const {body: messages} = await desk.ask('GET', `/messages?where=${where}`)
    expect(messages.results.map(({type, sequenceNumber}: Body) => [type, sequenceNumber])).to.deep.equal([
      ['CustomerCreated', 1],
    ])
    const signedIn = await desk.ask('POST', '/login', {body: {email: 'cat@example.com', password: 'secret-1'}})
    expect(signedIn.status).to.equal(200)
  })

  it('hashes the passwords of the largest batch, as many as a server lets wait and more', async () => {
    const drafts = Array.from({length: limits.batchedDrafts}, (_, at) =>
      draft(`hashed-${at}`, {password: 'right horse', authenticationMode: 'Password'}),
    )
    expect(limits.batchedDrafts).to.be.greaterThan(limits.waitingPasswords)
    expect(new Set(codes(await send(drafts)))).to.deep.equal(new Set([201]))
  })

  it('lets the first of the same identity win, whatever the drafts before it wait for', async () => {
    const group = {typeId: 'customer-group', key: 'vip'}
    await desk.ask('POST', '/customer-groups', {body: {groupName: 'vip', key: 'vip'}})
    const answer = await send([
      draft('ann', {customerGroup: group}),
      draft('ann'),
      draft('bob', {key: 'batch-ann'}),
      draft('cat', {customerNumber: 'N-1', password: 'secret-1', authenticationMode: 'Password'}),
      draft('dan', {customerNumber: 'N-1'}),
    ])
    expect(codes(answer)).to.deep.equal([201, 'DuplicateField', 'DuplicateField', 201, 'DuplicateField'])
  })

  it('refuses a hash from a token that may not bring one, and nobody else', async () => {
    const token = await desk.token('manage_customers')
    const passwordHash = `$2a$10$${'a'.repeat(53)}`
    const answer = await send([draft('ann'), draft('bob', {passwordHash, authenticationMode: 'Password'})], {token})
    expect(codes(answer)).to.deep.equal([201, 'InvalidField'])
  })

  it('puts customers into the store of the path, and no further', async () => {
    const token = await desk.token('manage_customers:demo:berlin')
    const inStore = '/in-store/key=berlin/_frontdesk/customers'
    const drafts = [draft('ann'), draft('bob', {stores: [{typeId: 'store', key: 'london'}]})]
    const {status, body} = await desk.ask('POST', inStore, {token, body: {drafts}})
    expect([status, body.results.map(({status}: Body) => status)]).to.deep.equal([200, [201, 400]])
    const {body: ann} = await desk.ask('GET', '/customers/key=batch-ann')
    expect(ann.stores).to.deep.equal([{typeId: 'store', key: 'berlin'}])
    expect((await desk.ask('POST', path, {token, body: {drafts}})).status).to.equal(403)
  })

  it('is bounded, and named by the answers that a client sees before it writes', async () => {
    const drafts = Array.from({length: limits.batchedDrafts + 1}, (_, at) => draft(`many-${at}`))
    const refused = await desk.ask('POST', path, {body: {drafts}})
    expect([refused.status, refused.body.errors[0].code]).to.deep.equal([400, 'InvalidJsonInput'])
    expect((await desk.ask('POST', path, {body: {drafts: []}})).status).to.equal(400)
    const {headers} = await desk.ask('GET', '/customers?limit=1')
    expect(headers['x-frontdesk-batch']).to.equal(`${limits.batchedDrafts}`)
    expect(codes(await send(drafts.slice(1))).every((code) => code === 201)).to.equal(true)
  })

  it('answers a fault of the server for all, since it tells nothing of any', async () => {
    const {state} = desk.runtime
    const {commit} = state
    state.commit = async (...given) => {
      if (JSON.stringify(given).includes('batch-bob')) throw new Error('the disk is gone')
      return commit.apply(state, given)
    }
    const asked = desk.ask('POST', path, {body: {drafts: [draft('ann'), draft('bob'), draft('cat')]}})
    expect(await asked.catch(({message}: Error) => message)).to.equal('the disk is gone')
    expect((await desk.ask('GET', '/customers/key=batch-cat')).status, 'the others are there').to.equal(200)
  })
})
