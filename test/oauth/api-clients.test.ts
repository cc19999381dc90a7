import {expect} from 'chai'
import type {ApiClient} from '../../src/api/documents/api-client.js'
import {REALM} from '../../src/store/store.js'
import {type Answer, type Body, type Desk, errorOf, openDesk} from '../api/harness.js'

const basic = ({id, secret}: Body): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

describe('oauth · API clients', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
  })
  afterEach(() => desk.runtime.state.close())

  const create = (members: object = {}, token?: string): Promise<Answer> => {
    const body = {name: 'till', scope: 'view_customers:shop', ...members}
    return desk.ask('POST', '/api-clients', {body, ...(token === undefined ? {} : {token})})
  }
  const tokenOf = (client: Body): Promise<Answer> =>
    desk.ask('POST', '//oauth/token', {
      raw: 'grant_type=client_credentials',
      contentType: 'application/x-www-form-urlencoded',
      token: null,
      headers: {authorization: basic(client)},
    })

  it('tells the secret once and keeps a digest', async () => {
    const {status, body} = await create({accessTokenValiditySeconds: 3600})
    expect(status).to.equal(201)
    expect(body).to.have.all.keys('id', 'name', 'scope', 'createdAt', 'secret', 'accessTokenValiditySeconds')
    const read = await desk.ask('GET', `/api-clients/${body.id}`)
    expect(read.body).to.not.have.any.keys('secret', 'secretDigest', 'version', 'projectKey')
    const stored = await desk.runtime.state.get<ApiClient>(REALM, 'api-client', body.id)
    expect(JSON.stringify(stored)).to.not.include(body.secret)
    expect((await tokenOf(body)).body).to.include({expires_in: 3600, scope: 'view_customers:shop'})
  })

  it('gives nobody more than they have', async () => {
    const manager = await desk.token('manage_api_clients view_customers manage_orders:shop:S1')
    for (const scope of ['view_customers:shop', 'view_customers:shop:S1', 'view_orders:shop:S1']) {
      expect((await create({scope}, manager)).status, scope).to.equal(201)
    }
    for (const scope of [
      'manage_customers:shop',
      'manage_project:shop',
      'view_orders:shop',
      'view_customers:shop view_types:shop',
    ]) {
      const answer = await create({scope}, manager)
      expect(answer.status, scope).to.equal(403)
      expect(errorOf(answer).code).to.equal('insufficient_scope')
    }
    const bound = await desk.token('manage_project', {storeKey: 'S1'})
    expect((await create({}, bound)).status).to.equal(403)
  })

  it('names what is wrong with a draft', async () => {
    const wrong = [
      [{scope: 'view_customers:other'}, 'scope'],
      [{scope: 'fly:shop'}, 'scope'],
      [{scope: '  '}, 'scope'],
      [{name: ''}, 'name'],
      [{accessTokenValiditySeconds: 3599}, 'accessTokenValiditySeconds'],
      [{accessTokenValiditySeconds: 604_801}, 'accessTokenValiditySeconds'],
      [{refreshTokenValiditySeconds: 29}, 'refreshTokenValiditySeconds'],
      [{refreshTokenValiditySeconds: 31_536_001}, 'refreshTokenValiditySeconds'],
      [{deleteDaysAfterCreation: 0}, 'deleteDaysAfterCreation'],
    ] as const
    for (const [members, field] of wrong) {
      const answer = await create(members)
      expect(answer.status).to.equal(400)
      expect(errorOf(answer)).to.include({code: 'InvalidField', field})
      expect(errorOf(answer).invalidValue).to.equal(Object.values(members)[0])
    }
    for (const members of [{scope: 7}, {name: null}, {accessTokenValiditySeconds: '3600'}]) {
      expect(errorOf(await create(members)).code).to.equal('InvalidJsonInput')
    }
  })

  it('finds clients of the project alone, by simple fields', async () => {
    const {body} = await create({name: 'needle'})
    await create({name: 'hay'})
    const where = encodeURIComponent('name="needle"')
    const found = await desk.ask('GET', `/api-clients?where=${where}&sort=name+asc`)
    expect(found.body).to.include({count: 1, total: 1, limit: 20, offset: 0})
    expect(found.body.results[0].id).to.equal(body.id)
    expect((await desk.ask('HEAD', `/api-clients?where=${where}`)).status).to.equal(200)
    expect((await desk.ask('HEAD', '/api-clients?where=name%3D%22none%22')).status).to.equal(404)
    expect((await desk.ask('HEAD', `/api-clients/${body.id}`)).status).to.equal(200)
    expect((await desk.ask('GET', '/api-clients?where=secretDigest%3D%22x%22')).status).to.equal(400)
    await desk.runtime.state.commit(REALM, [
      {kind: 'api-client', expect: 0, doc: {id: 'theirs', version: 1, projectKey: 'other', name: 'needle'} as never},
    ])
    expect((await desk.ask('GET', `/api-clients?where=${where}`)).body.total).to.equal(1)
    expect((await desk.ask('GET', '/api-clients/theirs')).status).to.equal(404)
    expect((await desk.ask('DELETE', '/api-clients/theirs')).status).to.equal(404)
  })

  it('ends the tokens of a deleted client at once', async () => {
    const {body: client} = await create()
    const token = (await tokenOf(client)).body.access_token
    expect((await desk.ask('GET', '/customers', {token})).status).to.equal(200)
    const {status, body} = await desk.ask('DELETE', `/api-clients/${client.id}`)
    expect(status).to.equal(200)
    expect(body).to.include({id: client.id, name: 'till'})
    expect(body).to.not.have.property('secret')
    expect((await desk.ask('GET', '/customers', {token})).status).to.equal(401)
    expect((await tokenOf(client)).status).to.equal(401)
    expect((await desk.ask('DELETE', `/api-clients/${client.id}`)).status).to.equal(404)
  })

  it('notes the day of the last use once', async () => {
    const {body: client} = await create()
    const version = async () => (await desk.runtime.state.get(REALM, 'api-client', client.id))?.version
    await Promise.all(Array.from({length: 5}, () => tokenOf(client)))
    expect(await version()).to.equal(2)
    expect((await desk.ask('GET', `/api-clients/${client.id}`)).body.lastUsedAt).to.equal('2026-11-20')
    desk.clock.now += 86_400_000
    await tokenOf(client)
    expect(await version()).to.equal(3)
    expect((await desk.ask('GET', `/api-clients/${client.id}`)).body.lastUsedAt).to.equal('2026-11-21')
  })

  it('lets a client end on its day', async () => {
    const {body: client} = await create({deleteDaysAfterCreation: 2})
    expect(client.deleteAt).to.equal('2026-11-22T10:00:00.000Z')
    const token = (await tokenOf(client)).body.access_token
    desk.clock.now += 2 * 86_400_000
    expect((await tokenOf(client)).status).to.equal(401)
    expect((await desk.ask('GET', '/customers', {token})).status).to.equal(401)
    expect((await desk.ask('GET', `/api-clients/${client.id}`)).status).to.equal(404)
    expect((await desk.ask('GET', '/api-clients')).body.results).to.have.lengthOf(1)
  })
})
