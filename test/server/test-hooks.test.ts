import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../src/index.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any

describe('server · faults and clock', () => {
  let dataDir: string
  let server: RunningServer
  let token: string
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-hooks-'))
    server = await startServer({dataDir, projectKey: 'shop'})
    const {clientId, clientSecret} = server.client
    const answer = await fetch(`${server.authUrl}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    token = ((await answer.json()) as Body).access_token
  })
  after(async () => {
    await server.stop()
    rmSync(dataDir, {recursive: true, force: true})
  })

  const admin = async (path: string, body?: object): Promise<Response> =>
    fetch(`${server.apiUrl}/_admin/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${readFileSync(join(dataDir, 'admin.token'), 'utf8').trim()}`,
        'content-type': 'application/json',
      },
      ...(body ? {body: JSON.stringify(body)} : {}),
    })
  const call = (path: string, body?: object): Promise<Response> =>
    fetch(`${server.apiUrl}/shop${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
      ...(body ? {body: JSON.stringify(body)} : {}),
    })
  const statuses = async (count: number): Promise<number[]> => {
    const seen: number[] = []
    for (let at = 0; at < count; at += 1) seen.push((await call('/customers')).status)
    return seen
  }

  it('needs the token of the administration', async () => {
    for (const path of ['faults', 'clock', 'status']) {
      const answer = await fetch(`${server.apiUrl}/_admin/${path}`, {headers: {authorization: `Bearer ${token}`}})
      expect(answer.status).to.equal(401)
    }
  })

  it('strikes as often as planned, the same way for the same seed, and says so', async () => {
    const plan = {seed: 7, rules: [{operation: 'queryCustomers', probability: 0.5, status: 503, retryAfterSeconds: 2}]}
    await admin('faults', plan)
    const first = await statuses(30)
    await admin('faults', plan)
    expect(await statuses(30)).to.deep.equal(first)
    expect(first).to.include.members([200, 503])
    const {drawn} = (await (await admin('faults')).json()) as Body
    expect(drawn).to.deep.equal([first.filter((status) => status === 503).length])
    await admin('faults', {rules: [{status: 429, retryAfterSeconds: 3, times: 1}]})
    const limited = await call('/customers')
    expect([limited.status, limited.headers.get('retry-after')]).to.deep.equal([429, '3'])
    expect((await call('/customers')).status).to.equal(200)
  })

  it('drops a connection before or after the effect', async () => {
    const dropped = async (): Promise<boolean> =>
      call('/customers', {email: `drop-${Math.random()}@example.com`, authenticationMode: 'ExternalAuth'}).then(
        () => false,
        () => true,
      )
    const count = async (): Promise<number> => ((await (await call('/customers')).json()) as Body).total
    const before = await count()
    await admin('faults', {rules: [{operation: 'createCustomer', drop: 'before', times: 1}]})
    expect([await dropped(), await count()]).to.deep.equal([true, before])
    await admin('faults', {rules: [{operation: 'createCustomer', drop: 'after', times: 1}]})
    expect([await dropped(), await count()]).to.deep.equal([true, before + 1])
    await admin('faults', {rules: []})
  })

  it('answers LockedField and refuses plans that make no sense', async () => {
    await admin('faults', {rules: [{operation: '/customers', locked: true, times: 1}]})
    const answer = await call('/customers')
    expect(((await answer.json()) as Body).errors[0].code).to.equal('LockedField')
    expect((await admin('faults', {rules: [{probability: 2}]})).status).to.equal(400)
    expect((await admin('faults', {rules: [{status: 200}]})).status).to.equal(400)
  })

  it('moves time: tokens end when their day has come', async () => {
    expect(((await (await admin('clock')).json()) as Body).mode).to.equal('real')
    await admin('clock', {do: 'freeze', at: '2030-01-01T00:00:00.000Z'})
    expect(((await (await admin('clock')).json()) as Body).now).to.equal('2030-01-01T00:00:00.000Z')
    expect((await call('/customers')).status).to.equal(401)
    await admin('clock', {do: 'advance', milliseconds: 86_400_000})
    expect(((await (await admin('clock')).json()) as Body).now).to.equal('2030-01-02T00:00:00.000Z')
    await admin('clock', {do: 'real'})
    expect((await call('/customers')).status).to.equal(200)
    expect((await admin('clock', {do: 'advance', milliseconds: -5})).status).to.equal(400)
  })
})
