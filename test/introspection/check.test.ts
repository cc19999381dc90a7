import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {checkEndpoint} from '../../src/cli/check/endpoint.js'
import {introspectionSteps} from '../../src/cli/check/introspection.js'
import {startIntrospectionStub} from '../../src/server/stubs/introspection-stub.js'
import {patienceMs} from '../patience.js'

const header = 'Bearer an-invented-header'
const token = 'active-token'
const asked = {header, token, projectKey: 'shop', requests: 3, budgetMs: patienceMs, timeoutMs: patienceMs}

type Handler = (body: string, request: IncomingMessage, response: ServerResponse) => void

const say = (response: ServerResponse, status: number, body: object, headers = {}): void => {
  response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(body))
}

interface Flaws {
  readonly unknown?: object
  readonly active?: object
  readonly anyHeader?: true
  readonly anyForm?: true
  readonly crashing?: true
  readonly traced?: true
  readonly type?: string
  readonly delayMs?: number
  readonly answer?: Handler
}

/** A right endpoint, but for its flaws. */
const endpoint =
  (flaws: Flaws): Handler =>
  (body, request, response) => {
    if (flaws.answer) return flaws.answer(body, request, response)
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded' && request.method === 'POST'
    const all = flaws.anyForm
      ? `${request.url?.split('?')[1] ?? ''}&${body.replace(/[{}"]/g, '').replace(':', '=')}`
      : body
    if (!isForm && !flaws.anyForm) return say(response, 405, {})
    if (request.headers.authorization !== header && !flaws.anyHeader) return say(response, 401, {})
    const given = new URLSearchParams(all).get('token') ?? ''
    if (flaws.crashing && given.length > 200) return say(response, 500, {})
    if (flaws.traced && request.headers['x-correlation-id'] !== undefined) return say(response, 400, {})
    const live = {active: true, scope: 'openid view_customers:shop', exp: 4_000_000_000}
    const answer = given === token ? (flaws.active ?? live) : (flaws.unknown ?? {active: false})
    setTimeout(() => say(response, 200, answer, flaws.type ? {'content-type': flaws.type} : {}), flaws.delayMs ?? 0)
  }

describe('introspection · check', () => {
  const servers: Server[] = []
  after(() => {
    for (const server of servers) server.close()
  })

  const checked = async (handler: Handler, more: object = {}, path = '/introspect') => {
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += String(chunk)
      })
      request.on('end', () => handler(body, request, response))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    return checkEndpoint(introspectionSteps, {...asked, url, ...more})
  }
  const failedOf = async (handler: Handler, more: object = {}): Promise<readonly (readonly [string, string])[]> => {
    const {checks} = await checked(handler, more)
    return checks.filter(({result}) => result !== 'passed').map(({name, failures}) => [name, failures.join(' ')])
  }

  it('asks an origin without a path', async () => {
    const {checks} = await checked(endpoint({}), {}, '')
    expect(checks.flatMap(({failures}) => failures)).to.deep.equal([])
  })

  it('finds nothing wrong with an endpoint that does as it should', async () => {
    const {checks} = await checked(endpoint({}))
    expect(checks.filter(({result}) => result !== 'passed')).to.deep.equal([])
    const details = new Map(checks.map(({name, detail}) => [name, detail]))
    expect(details.get('scopes of the project are among them')).to.equal('1 of 2 count; ignored: openid')
    expect(details.get('answers come in time')).to.match(/^p50 \d+ ms, p95 \d+ ms, p99 \d+ ms of 3$/)
  })

  const live = {active: true, scope: 'view_customers:shop'}
  const broken: readonly (readonly [string, Flaws, string, RegExp])[] = [
    ['knows every token', {unknown: live}, 'an unknown token is inactive', /not answered with "active": false/],
    ['says inactive in words', {unknown: {active: 'false'}}, 'an unknown token is inactive', /"active": false/],
    ['tells why', {unknown: {active: false, reason: 'expired'}}, 'an inactive answer tells nothing else', /reason/],
    ['takes any header', {anyHeader: true}, 'the Authorization header counts', /answered with 200, not 401/],
    ['stumbles over a correlation id', {traced: true}, 'a correlation id changes nothing', /differently/],
    [
      'says active in words',
      {active: {...live, active: 'true'}},
      'a token is active, with a scope',
      /"true", not true/,
    ],
    ['lists scopes', {active: {...live, scope: ['a']}}, 'a token is active, with a scope', /no string/],
    [
      'writes its end as text',
      {active: {...live, exp: '2030'}},
      'the other members have their form',
      /"exp" is no number/,
    ],
    ['says what is over', {active: {...live, exp: 1}}, 'the other members have their form', /"exp" is over/],
    ['answers as text', {type: 'text/plain'}, 'the other members have their form', /not JSON/],
    ['names other scopes', {active: {...live, scope: 'openid'}}, 'scopes of the project are among them', /refused/],
    ['takes any form', {anyForm: true}, 'only a form in the body counts', /A GET is answered like a form/],
    [
      'breaks at odd tokens',
      {crashing: true},
      'a hostile token is inactive, not an error',
      /500: calls of the API would fail/,
    ],
  ]
  for (const [what, flaws, name, reason] of broken) {
    it(`tells of one that ${what}`, async () => {
      const failed = new Map(await failedOf(endpoint(flaws)))
      expect(failed.get(name)).to.match(reason)
    })
  }

  it('tells of one that is slow', async () => {
    const failed = new Map(await failedOf(endpoint({delayMs: 40}), {budgetMs: 20}))
    expect(failed.get('answers come in time')).to.match(/Too slow for 20 ms/)
  })

  const useless: readonly (readonly [string, Handler, RegExp])[] = [
    ['fails', (_, __, response) => say(response, 500, {}), /answered with 500/],
    ['redirects', (_, __, response) => say(response, 302, {}, {location: 'https://x.example/'}), /a redirect/],
    ['talks HTML', (_, __, response) => void response.end('<html>'), /not answered with a JSON object/],
    ['talks too much', (_, __, response) => void response.end('x'.repeat(70_000)), /longer than 64 KiB/],
    ['keeps silent', () => undefined, /No whole answer came/],
    ['hangs up', (_, request) => void request.socket.destroy(), /No answer came \(other side closed\)/],
    ['talks no HTTP', (_, request) => void request.socket.end('220 smtp\r\n'), /No answer came \(.*Expected HTTP/],
  ]
  for (const [what, answer, reason] of useless) {
    it(`tells what calls of the API would meet when the endpoint ${what}`, async () => {
      const failed = new Map(await failedOf(endpoint({answer}), what === 'keeps silent' ? {timeoutMs: 150} : {}))
      expect(failed.get('an unknown token is inactive')).to.match(reason)
    })
  }

  it('asks less without a token and without a header, and says so', async () => {
    const {checks} = await checked(endpoint({anyHeader: true}), {token: undefined, header: undefined})
    expect(checks.filter(({result}) => result !== 'passed')).to.deep.equal([])
    expect(checks.filter(({detail}) => detail?.startsWith('not asked'))).to.have.lengthOf(5)
  })

  it('ends when nobody answers', async () => {
    const {checks, error} = await checkEndpoint(introspectionSteps, {...asked, url: 'http://127.0.0.1:1/introspect'})
    expect(error).to.include({code: 'Unreachable'})
    expect(checks.filter(({result}) => result === 'skipped')).to.have.lengthOf(checks.length - 1)
  })
})

describe('introspection · stub', () => {
  const serving = async (
    options: Parameters<typeof startIntrospectionStub>[0],
    work: (url: string) => Promise<void>,
  ) => {
    const stub = await startIntrospectionStub(options)
    try {
      await work(stub.url)
    } finally {
      await stub.stop()
    }
  }

  it('passes its own check', () =>
    serving({authorization: header, scope: 'view_customers:shop'}, async (url) => {
      const {checks} = await checkEndpoint(introspectionSteps, {...asked, url})
      expect(checks.filter(({result}) => result !== 'passed')).to.deep.equal([])
    }))

  it('fails as it was told to', async () => {
    for (const options of [{status: 500}, {delayMs: 40}, {}]) {
      await serving({authorization: header, ...options}, async (url) => {
        const {checks} = await checkEndpoint(introspectionSteps, {...asked, url, budgetMs: 20})
        expect(checks.some(({result}) => result === 'failed')).to.equal(true)
      })
    }
  })

  it('logs requests without their tokens', async () => {
    const lines: object[] = []
    await serving({scope: 'a:b', onRequest: (line) => lines.push(line)}, async (url) => {
      const headers = {'content-type': 'application/x-www-form-urlencoded', 'x-correlation-id': 'trace'}
      await fetch(url, {method: 'POST', headers, body: 'token=active-canary'})
    })
    expect(lines).to.deep.equal([{method: 'POST', status: 200, active: true, correlationId: 'trace'}])
  })
})
