import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {connect} from '../../../src/client/connect.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {quickRuntime, shop} from '../desk.js'
import {scratch} from '../scratch.js'

/** Passes requests on, and notes the creations: the number of drafts of each. */
async function watched(
  target: string,
  more: (path: string) => Response | undefined,
): Promise<[Server, string, number[]]> {
  const creations: number[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const {url = '', method = ''} = request
    const body = Buffer.concat(chunks).toString()
    if (method === 'POST' && !url.startsWith('/oauth')) {
      const {drafts} = JSON.parse(body) as {drafts?: object[]}
      creations.push(drafts?.length ?? 1)
    }
    const headers = {
      authorization: request.headers.authorization ?? '',
      'content-type': request.headers['content-type'] ?? '',
    }
    const answer = more(url) ?? (await fetch(target + url, {method, headers, ...(method === 'POST' ? {body} : {})}))
    const size = answer.headers.get('x-frontdesk-batch')
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(size === null ? {} : {'x-frontdesk-batch': size}),
    })
    response.end(await answer.text())
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, creations]
}

describe('transfer · creations that share requests', () => {
  const files = scratch()
  const desk = shop()
  let run = 0

  /** Imports rows, and tells how many drafts each creation had. */
  async function creationsOf(
    count: number,
    {
      member = {},
      options = {},
      more = () => undefined,
    }: {
      member?: object
      options?: object
      more?: (path: string) => Response | undefined
    } = {},
  ) {
    run += 1
    const name = `b${run}`
    const rows = Array.from({length: count}, (_, at) =>
      JSON.stringify({
        key: `${name}-${at}`,
        email: `${name}-${at}@x.de`,
        authenticationMode: 'ExternalAuth',
        ...member,
      }),
    )
    const sources = await files.source(`${name}.jsonl`, rows.join('\n'))
    const [server, url, creations] = await watched(desk().server.apiUrl, more)
    const client = await desk().through(url)
    const jobsDir = files.path(`jobs-${name}`)
    const result = await importCustomers(client, sources, {
      jobsDir,
      target: 'test',
      runtime: quickRuntime(),
      ...options,
    })
    server.closeAllConnections()
    server.close()
    const there = (await desk().customers()).filter(({key}) => key?.startsWith(`${name}-`)).length
    expect([result.created, there]).to.deep.equal([count, count])
    return creations
  }

  it('are few where the server says that it takes many customers at once', async () => {
    const creations = await creationsOf(260)
    expect(creations.reduce((sum, size) => sum + size, 0)).to.equal(260)
    expect(Math.max(...creations)).to.equal(100)
    expect(creations.length).to.be.lessThan(12)
  })

  it('are single where a password is hashed, or a rate is asked for', async () => {
    const member = {password: 'correct horse', authenticationMode: 'Password'}
    expect(await creationsOf(20, {member})).to.deep.equal(Array(20).fill(1))
    expect(await creationsOf(20, {options: {ratePerSecond: 1000}})).to.deep.equal(Array(20).fill(1))
  })

  it('are divided when a server refuses so many, and single when it knows no batches any more', async () => {
    const refusal = (status: number, code: string) =>
      Response.json({statusCode: status, message: 'no', errors: [{code, message: 'no'}]}, {status})
    let refusals = 0
    const more = (path: string): Response | undefined => {
      if (!path.includes('_frontdesk') || refusals === 3) return undefined
      refusals += 1
      return refusal(413, 'ContentTooLarge')
    }
    expect((await creationsOf(100, {more})).slice(0, 3)).to.deep.equal([100, 50, 50])
    const gone = (path: string) => (path.includes('_frontdesk') ? refusal(404, 'ResourceNotFound') : undefined)
    expect((await creationsOf(8, {more: gone})).filter((size) => size === 1)).to.have.length(8)
  })

  it('take one place of the limit of requests each', async () => {
    const creations = await creationsOf(250, {options: {concurrency: 1}})
    expect(Math.max(...creations)).to.equal(100)
    const client = await connect({kind: 'embedded', projectKey: 'shop', dataDir: ':memory:'}, {})
    expect(client.batchSize(), 'nothing has been answered').to.equal(1)
    await client.raw('GET', '/shop/customers?limit=1')
    expect(client.batchSize()).to.equal(100)
    await client.close()
  })
})
