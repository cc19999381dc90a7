import {join} from 'node:path'
import {expect} from 'chai'
import {followRequests, requestLine} from '../../../src/cli/server/requests.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

describe('cli · server requests', () => {
  const desk = new Desk()
  let server: RunningServer
  before(async () => {
    const dataDir = join(desk.folder, 'data')
    server = await startServer({dataDir, projectKey: 'shop', settings: {passwordCost: 4}})
  })
  after(async () => {
    await server.stop()
    desk.remove()
  })

  const ask = (path: string, token: string, id: string) =>
    fetch(server.apiUrl + path, {headers: {authorization: `Bearer ${token}`, 'x-correlation-id': id}})

  it('tells why a shop got a 403, by the id of its request', async () => {
    const token = await server.tokenFor(undefined, {scopes: ['manage_my_profile']})
    await ask('/shop/customers', token, 'because-403')
    const whole = await desk.run(['server', 'requests', 'because-403', '--json'])
    expect(whole.code, whole.stderr).to.equal(0)
    expect(whole.json).to.deep.include({status: 403, path: '/shop/customers', operation: 'queryCustomers'})
    expect(whole.stderr).to.contain('--keep-bodies')
    const card = await desk.run(['server', 'requests', 'because-403'])
    expect(card.stdout)
      .to.contain('view_customers:shop')
      .and.contain('the check of permission (insufficient_scope)')
      .and.contain(server.client.clientId)
    const {requests} = {requests: server.requests()}
    const byNumber = await desk.run(['server', 'requests', String(requests.at(-1)?.number), '--json'])
    expect(byNumber.json).to.deep.equal(whole.json)
  })

  it('lists the newest first, and can leave out what was served', async () => {
    const token = await server.tokenFor()
    await ask('/shop/customers', token, 'served-1')
    await ask('/shop/customers/nobody', token, 'missing-1')
    const {stdout} = await desk.run(['server', 'requests', '-n', '2', '-o', 'ids'])
    expect(stdout.trim().split('\n')).to.deep.equal(['missing-1', 'served-1'])
    const refused = (await desk.run(['server', 'requests', '--refused', '--json'])).json as {results: {id: string}[]}
    expect(refused.results.map(({id}) => id))
      .to.include('missing-1')
      .and.not.include('served-1')
    const elsewhere = await desk.run(['server', 'requests', '--project-key', 'other', '--json'])
    expect(elsewhere.json).to.deep.include({count: 0})
  })

  it('follows requests as they end, until it is told to stop', async () => {
    const end = new AbortController()
    const dataDir = join(desk.folder, 'data')
    const token = await server.tokenFor()
    const lines = followRequests(dataDir, {query: {refused: true}, intervalMs: 5, signal: end.signal})
    const next = lines.next()
    // It follows from its first reading on: requests go out until one is seen.
    let seen = false
    void next.then(() => {
      seen = true
    })
    for (let count = 0; count < 1_000 && !seen; count += 1) {
      await ask('/shop/customers', token, 'served-again')
      await ask('/shop/customers/nobody', token, 'followed')
    }
    const {value} = await next
    expect(requestLine(value)).to.match(/404 {2}GET \/shop\/customers\/nobody {2}client \S+ {2}.*not found/)
    end.abort()
  })

  it('ends with 3 for an id that it does not remember', async () => {
    const {code, stderr} = await desk.run(['server', 'requests', 'never'])
    expect(code).to.equal(3)
    expect(stderr).to.contain('never')
  })

  it('ends with 13 where no server runs', async () => {
    const {code} = await desk.run(['server', 'requests', '--data', join(desk.folder, 'other')])
    expect(code).to.equal(13)
  })
})
