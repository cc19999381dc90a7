import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {connect} from '../../../src/client/connect.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {scratch} from '../scratch.js'

const wanted = 48

/** A service that answers no creation before as many are open at once as were asked for. */
function gate() {
  const open: ServerResponse[] = []
  let most = 0
  const answer = (response: ServerResponse, body: object): void => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }
  const created = (response: ServerResponse): void => answer(response, {customer: {id: 'c', version: 1}})
  const server = createServer((request, response) => {
    request.resume()
    if (request.method !== 'POST') return answer(response, {limit: 1, offset: 0, count: 0, results: []})
    open.push(response)
    most = Math.max(most, open.length)
    if (most >= wanted) for (const waiting of open.splice(0)) created(waiting)
  })
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`, most: () => most}
}

describe('transfer · concurrency', () => {
  const files = scratch()
  const service = gate()

  it('sends as many requests at once as it was told to, and no connection pool cuts it', async () => {
    const rows = Array.from({length: 60}, (_, at) => ({
      key: `k-${at}`,
      email: `k${at}@x.de`,
      authenticationMode: 'ExternalAuth',
    }))
    const sources = await files.source('a.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
    const [apiUrl, credentials] = [service.url(), {kind: 'token', token: async () => 'token'} as const]
    const target = {kind: 'remote', projectKey: 'shop', apiUrl, authUrl: apiUrl, credentials} as const
    const client = await connect(target, {retries: 0, timeoutMs: 20_000})
    const {created} = await importCustomers(client, sources, {
      jobsDir: files.path('jobs'),
      target: 'gate',
      concurrency: wanted,
      retries: 0,
    })
    await client.close()
    expect([created, service.most()]).to.deep.equal([60, wanted])
  })
})
