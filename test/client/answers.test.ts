import {brotliCompressSync, gzipSync} from 'node:zlib'
import {expect} from 'chai'
import {createCustomer} from '../../src/api/accounts/sign-up.js'
import {getCustomerById, queryCustomers} from '../../src/api/customers/operations.js'
import {requestToken} from '../../src/api/oauth/operations.js'
import {Unreachable} from '../../src/client/client.js'
import {ApiError} from '../../src/domain/errors.js'
import {rejection} from '../store/directory.js'
import {clientTo, type ForeignServer, json, startForeignServer} from './foreign-server.js'

const ada = {id: 'ada', version: 1}

describe('client · answers of other servers', () => {
  let server: ForeignServer
  before(async () => {
    server = await startForeignServer()
  })
  after(() => server.close())
  beforeEach(() => {
    server.asked.length = 0
  })

  const ask = async (options = {}) => {
    const client = await clientTo(server.url, options)
    return client.call(getCustomerById, {id: 'ada'}).finally(() => client.close())
  }
  const failure = async (options = {}): Promise<Error> => (await rejection(ask(options))) as Error

  it('says who asks, and takes compressed answers', async () => {
    server.answer = (response) => response.writeHead(200, json).end(JSON.stringify(ada))
    await ask({userAgent: 'frontdesk/1.2.3 node/20'})
    expect(server.asked[0]?.headers['user-agent']).to.equal('frontdesk/1.2.3 node/20')
    expect(server.asked[0]?.headers['accept-encoding']).to.equal('gzip, br')
    await ask()
    expect(server.asked[1]?.headers['user-agent']).to.match(/^frontdesk\b.* node\/\d+/)
  })

  it('repeats a write too whose token could not be checked, since nothing was done', async () => {
    const unchecked = {code: 'ExternalOAuthFailed', message: 'External OAuth did not respond in time.'}
    const [late, page] = [{statusCode: 504, message: unchecked.message, errors: [unchecked]}, '<html>']
    const create = async (first: string) => {
      server.asked.length = 0
      server.answer = (response) => {
        if (server.asked.length === 1) response.writeHead(504, json).end(first)
        else response.writeHead(201, json).end(JSON.stringify({customer: ada}))
      }
      const client = await clientTo(server.url, {retries: 1})
      const work = client.call(createCustomer, {}, {body: {email: 'a@example.com', password: 'p'}})
      return work.then(() => 'done').finally(() => client.close())
    }
    expect([await create(JSON.stringify(late)), server.asked.length]).to.deep.equal(['done', 2])
    await rejection(create(page))
    expect(server.asked.length).to.equal(1)
  })

  it('sends what stands in a path whole, whatever characters it has', async () => {
    server.answer = (response) => response.writeHead(200, json).end(JSON.stringify(ada))
    const client = await clientTo(server.url)
    await client.call(getCustomerById, {id: 'a/b?c=ä'}, {query: {expand: ['x', 'y&z']}}).finally(() => client.close())
    expect(server.asked[0]?.url).to.match(/\/customers\/a%2Fb%3Fc%3D%C3%A4\?expand=x&expand=y%26z$/)
  })

  it('gives documents the lists that another server leaves out, of a page and within it', async () => {
    const lists = {addresses: [], stores: [], customerGroupAssignments: []}
    const whole = {...ada, ...lists, shippingAddressIds: [], billingAddressIds: []}
    const page = {limit: 20, offset: 0, count: 2, results: [ada, whole]}
    server.answer = (response) => response.writeHead(200, json).end(JSON.stringify(page))
    const client = await clientTo(server.url)
    const {results} = await client.call(queryCustomers, {}, {query: {}}).finally(() => client.close())
    for (const one of results) expect(one).to.deep.include({...ada, ...lists})
  })

  it('refuses a page with an item that is no document, or is none of its kind', async () => {
    const client = await clientTo(server.url)
    for (const item of ['ada', null, {id: 1, version: 1}, {...ada, addresses: 'x'}]) {
      const page = {limit: 20, offset: 0, count: 2, results: [ada, item]}
      server.answer = (response) => response.writeHead(200, json).end(JSON.stringify(page))
      const error = (await rejection(client.call(queryCustomers, {}, {query: {}}))) as Error
      expect(error.message, JSON.stringify(item)).to.include('not from the API')
    }
    await client.close()
  })

  it('refuses members of other types, and takes null for absent', async () => {
    const answers = (members: object) => {
      server.answer = (response) => response.writeHead(200, json).end(JSON.stringify({...ada, ...members}))
    }
    for (const members of [{stores: 'x'}, {stores: [null]}, {email: 7}, {addresses: {}}, {isEmailVerified: 'yes'}]) {
      answers(members)
      expect((await failure()).message, JSON.stringify(members)).to.include('not from the API')
    }
    answers({stores: null, key: null, custom: {type: 7}, more: [null]})
    const read = await ask()
    expect(read).to.deep.include({stores: [], addresses: [], custom: {type: 7}, more: [null]})
    expect(read).to.not.have.property('key')
  })

  const codings: [string, Buffer][] = [
    ['gzip', gzipSync(JSON.stringify(ada))],
    ['GZIP', gzipSync(JSON.stringify(ada))],
    ['br', brotliCompressSync(JSON.stringify(ada))],
    ['gzip, br', brotliCompressSync(gzipSync(JSON.stringify(ada)))],
    ['identity', Buffer.from(JSON.stringify(ada))],
  ]
  for (const [coding, body] of codings) {
    it(`reads an answer in ${coding}`, async () => {
      server.answer = (response) => response.writeHead(200, {...json, 'content-encoding': coding}).end(body)
      expect(await ask()).to.deep.include(ada)
    })
  }

  it('refuses what is compressed otherwise, badly or in part', async () => {
    const cases: [string, Buffer, RegExp][] = [
      ['zstd', Buffer.from('x'), /not asked for: zstd/],
      ['gzip, gzip, gzip', Buffer.from('x'), /not asked for/],
      ['gzip', Buffer.from('{"id":"ada"}'), /Z_DATA_ERROR/],
      ['gzip', gzipSync(JSON.stringify(ada)).subarray(0, 20), /Z_BUF_ERROR/],
      ['br', Buffer.from('nonsense'), /ERR_/],
    ]
    for (const [coding, body, why] of cases) {
      server.answer = (response) => response.writeHead(200, {'content-encoding': coding}).end(body)
      const error = await failure()
      expect(error, coding).to.be.instanceOf(Unreachable)
      expect(error.message).to.match(why)
    }
  })

  it('refuses a small answer that grows without end', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, 32))
    expect(bomb.length).to.be.lessThan(100_000)
    server.answer = (response) => response.writeHead(200, {...json, 'content-encoding': 'gzip'}).end(bomb)
    expect((await failure()).message).to.include('longer than 67108864 bytes')
  })

  it('takes the answer to HEAD for what it is', async () => {
    server.answer = (response) => response.writeHead(200, {'content-encoding': 'gzip'}).end()
    const client = await clientTo(server.url)
    expect(await client.raw('HEAD', '/shop/customers/ada')).to.include({status: 200, body: undefined})
    await client.close()
  })

  it('shows how a page begins, as one line of plain text', async () => {
    const page = `<!DOCTYPE html><html><head><title>Blocked</title><style>b{}</style></head>
      <body><h1>Your request was blocked by the company firewall.</h1>\u001b[31m${'&lt;more&gt; '.repeat(100)}</body></html>`
    server.answer = (response) => response.writeHead(403, {'content-type': 'text/html'}).end(page)
    const refused = await failure()
    expect(refused).to.be.instanceOf(ApiError)
    expect(refused.message).to.match(
      /^The server answered 403 without an error body\. It says: Blocked Your request was blocked by the company firewall\./,
    )
    expect(refused.message)
      .to.include('<more>')
      .and.not.match(/\u001b|\n|<h1>|b\{\}/)
    expect([...refused.message].length).to.be.lessThan(280)
    server.answer = (response) => response.writeHead(404, json).end('{"message":"Route not found","token":"abc"}')
    expect((await failure()).message)
      .to.include('Route not found')
      .and.not.include('abc')
    server.answer = (response) => response.writeHead(200).end('<html>Please sign in</html>')
    expect((await failure()).message).to.equal('The answer is not JSON. It says: Please sign in')
  })

  it('never shows what the request kept secret', async () => {
    const secret = 'p<w>&"x y'
    let body = ''
    server.answer = (response, request) => {
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.once('end', () => response.writeHead(502).end(`${request.url} ${request.headers.authorization} ${body}`))
    }
    const client = await clientTo(server.url)
    const credentials = {kind: 'client', clientId: 'me', secret: async () => secret} as const
    const withSecret = await clientTo(server.url, {}, credentials as never)
    const attempts = [
      () => client.call(createCustomer, {}, {body: {email: 'a@example.com', password: secret}}),
      async () => {
        const {foreign} = await client.raw('GET', `/shop/customers/password-token=${encodeURIComponent(secret)}`)
        throw new Error(foreign)
      },
      () => withSecret.form(requestToken, {grant_type: 'password', password: secret}),
    ]
    for (const attempt of attempts) {
      const {message} = (await rejection(attempt())) as Error
      expect(message).to.include('It says: /').and.include('***')
      for (const part of ['p<w', 'p%3Cw', 'hush', Buffer.from('me:').toString('base64').slice(0, 3)]) {
        expect(message).to.not.include(part)
      }
      body = ''
    }
    await client.close()
    await withSecret.close()
  })

  it('says where a redirect leads, without its parameters', async () => {
    const location = 'https://user:pw@login.example.com/sso/start?ticket=secret#x'
    server.answer = (response) => response.writeHead(302, {location}).end('<html>moved</html>')
    const {message} = await failure()
    expect(message)
      .to.include('302')
      .and.include('https://login.example.com/sso/start;')
      .and.not.match(/secret|pw@/)
    server.answer = (response) => response.writeHead(301, {location: '/elsewhere'}).end()
    expect((await failure()).message).to.include(`${server.url}/elsewhere`)
    server.answer = (response) => response.writeHead(302, {location: 'javascript:alert(1)'}).end()
    expect((await failure()).message).to.not.include('alert')
  })

  it('names what a time-out was', async () => {
    server.answer = () => undefined
    const error = await failure({timeoutMs: 60})
    expect(error).to.include({trouble: 'timeout'})
    expect(error.message).to.include('within 60 ms')
  })

  it('says that the proxy wants credentials', async () => {
    server.answer = (response) => response.writeHead(407, {'proxy-authenticate': 'Basic'}).end()
    expect(await failure()).to.include({trouble: 'proxy', sent: false, message: 'The proxy wants credentials (407).'})
  })
})
