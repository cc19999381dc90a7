import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {callbackSteps} from '../../src/cli/check/callback.js'
import {checkEndpoint} from '../../src/cli/check/endpoint.js'
import {patienceMs} from '../patience.js'

const key = 'an-invented-callback-key'
const user = 'known-user'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface Flaws {
  readonly anyKey?: true
  readonly noKey?: true
  readonly keyInQuery?: true
  readonly firstOfTwo?: true
  readonly telling?: true
  readonly cached?: true
  readonly anyMethod?: true
  readonly crashing?: true
  readonly everybody?: true
  readonly token?: string
  readonly silent?: true
  readonly answer?: Handler
}

const say = (response: ServerResponse, status: number, body: string, headers = {}): void => {
  response.writeHead(status, {'content-type': 'application/json', ...headers}).end(body)
}

/** A right endpoint, but for its flaws. */
const endpoint = (flaws: Flaws): Handler => {
  return (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const id = path.split('/').at(-1) ?? ''
    if (request.method !== 'GET' && !flaws.anyMethod) return say(response, 405, '{}')
    const given = request.headers['x-api-key']
    const values = request.rawHeaders.filter((_, at) => request.rawHeaders[at - 1]?.toLowerCase() === 'x-api-key')
    const isRight =
      given === key ||
      (flaws.anyKey && given !== undefined) ||
      (flaws.noKey && given === undefined) ||
      (flaws.keyInQuery && query.includes(key)) ||
      (flaws.firstOfTwo && values[0] === key)
    if (!isRight) return say(response, 401, flaws.telling && id !== user ? '{"who":"nobody"}' : '{}')
    if (flaws.answer && id === user) return flaws.answer(request, response)
    if (flaws.crashing && id.length > 200) return say(response, 500, '{}')
    if (id !== user && !flaws.everybody) return say(response, 404, '{}')
    say(response, 200, flaws.token ?? '{"access_token":"t"}', flaws.cached ? {} : {'cache-control': 'no-store'})
  }
}

describe('callback · check', () => {
  const servers: Server[] = []
  after(() => {
    for (const server of servers) server.close()
  })

  const failedOf = async (
    handler: Handler,
    timeoutMs = patienceMs,
  ): Promise<readonly (readonly [string, string])[]> => {
    const server = createServer(handler)
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cb`
    const asked = {url, key, user, cart: undefined, requests: 3, maxP95Ms: patienceMs, timeoutMs}
    const {checks} = await checkEndpoint(callbackSteps, asked)
    return checks.filter(({result}) => result !== 'passed').map(({name, failures}) => [name, failures.join(' ')])
  }

  it('finds nothing wrong with an endpoint that does as it should', async () => {
    expect(await failedOf(endpoint({}))).to.deep.equal([])
  })

  const broken: readonly (readonly [string, Flaws, string, RegExp])[] = [
    ['takes any key', {anyKey: true}, 'a wrong key is refused', /answered with 200/],
    ['takes no key', {noKey: true}, 'a missing key is refused', /answered with 200/],
    ['takes keys from the query', {keyInQuery: true}, 'a key in the query is refused', /answered with 200/],
    ['takes the first of two keys', {firstOfTwo: true}, 'two keys are refused', /answered with 200/],
    [
      'tells who is known',
      {telling: true},
      'a refusal tells nothing about users',
      /known user is answered differently/,
    ],
    ['lets tokens be cached', {cached: true}, 'a token is never cached', /lacks no-store/],
    ['takes any method', {anyMethod: true}, 'another method is not allowed', /A POST is answered with 200/],
    ['breaks at long ids', {crashing: true}, 'a hostile id is not found', /answered with 500/],
    ['knows everybody', {everybody: true}, 'an unknown id is not found', /answered with 200, not 404/],
    ['answers without a token', {token: '{}'}, 'a right key and a known user: a token', /no access_token/],
    ['answers with HTML', {token: '<html>'}, 'a right key and a known user: a token', /no JSON object/],
    [
      'redirects',
      {answer: (_, response) => say(response, 302, '', {location: 'https://elsewhere.example/'})},
      'a right key and a known user: a token',
      /302, a redirect/,
    ],
    [
      'talks without end',
      {answer: (_, response) => say(response, 200, `{"access_token":"${'x'.repeat(70_000)}"}`)},
      'a right key and a known user: a token',
      /longer than 64 KiB/,
    ],
    [
      'never answers',
      {silent: true, answer: () => undefined},
      'a right key and a known user: a token',
      /No whole answer came within/,
    ],
  ]
  for (const [what, flaws, name, why] of broken) {
    it(`finds the flaw of an endpoint that ${what}`, async () => {
      const failed = new Map(await failedOf(endpoint(flaws), flaws.silent ? 100 : patienceMs))
      expect(failed.get(name), [...failed.keys()].join(', ')).to.match(why)
    })
  }

  it('never follows a redirect with the key', async () => {
    const seen: string[] = []
    const other = createServer((request, response) => {
      seen.push(String(request.headers['x-api-key']))
      response.end()
    })
    servers.push(other)
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    await failedOf((_, response) => say(response, 307, '', {location}))
    expect(seen).to.deep.equal([])
  })

  it('skips the rest where nobody answers', async () => {
    const asked = {url: 'http://127.0.0.1:9/cb', key, user, cart: undefined, requests: 1, maxP95Ms: 1}
    const {checks, error} = await checkEndpoint(callbackSteps, asked)
    expect(error).to.have.property('exitCode', 7)
    expect(checks.map(({result}) => result)).to.deep.equal(['error', ...Array(11).fill('skipped')])
  })
})
