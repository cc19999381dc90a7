import {connect} from 'node:net'
import {networkInterfaces} from 'node:os'
import {expect} from 'chai'
import {bindProblem} from '../../../src/server/http/bind.js'
import {startServer} from '../../../src/server/start.js'
import {openShop, type Shop} from '../shop/shop.js'
import {type Answer, answerOf, formType, raw, send} from '../shop/wire.js'

describe('security · S network surface', () => {
  let shop: Shop
  let admin: string
  before(async () => {
    shop = await openShop()
    admin = await shop.token('ADM')
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const at = (headers: readonly (readonly [string, string])[], path = '/health'): Promise<Answer> =>
    send(shop.origin, {path, headers})
  const port = () => new URL(shop.origin).port
  const codeOf = ({body}: Answer): string => body.errors[0].code

  it('S-01 listens on loopback alone and names the literal address', async () => {
    const server = await startServer({dataDir: ':memory:', projectKey: 'shop', settings: {passwordCost: 4}})
    expect(server.apiUrl).to.match(/^http:\/\/127\.0\.0\.1:\d+$/)
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    const outside = addresses.find(({internal, family}) => !internal && family === 'IPv4')
    if (outside) {
      const refused = await new Promise<boolean>((resolve) => {
        const socket = connect(Number(new URL(server.apiUrl).port), outside.address)
        socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
      })
      expect(refused).to.equal(true)
    }
    await server.stop()
  })

  it('S-02 listens elsewhere only by explicit choice, and takes no seed pack there', async () => {
    for (const host of ['127.0.0.1', '127.8.8.8', '::1', 'localhost']) expect(bindProblem({host})).to.equal(undefined)
    for (const host of ['0.0.0.0', '::', '192.168.1.2', '::ffff:10.0.0.1']) {
      expect(bindProblem({host})).to.match(/insecure HTTP/)
      expect(bindProblem({host, insecureHttp: true})).to.equal(undefined)
      expect(bindProblem({host, insecureHttp: true, seedDir: 'fixtures/demo'})).to.match(/seed/)
    }
    expect(bindProblem({host: 'desk.example'})).to.match(/not an address/)
    let refused: unknown
    try {
      await startServer({dataDir: ':memory:', projectKey: 'shop', host: '0.0.0.0'})
    } catch (error) {
      refused = error
    }
    expect(refused).to.include({code: 'InvalidSetup'})
  })

  it('S-03 answers only under its own names', async () => {
    for (const host of [
      `127.0.0.1:${port()}`,
      `localhost:${port()}`,
      `LOCALHOST:${port()}`,
      `[::1]:${port()}`,
      'localhost',
      'desk.example',
      `Desk.Example:${port()}`,
    ]) {
      expect((await at([['host', host]])).status, host).to.equal(200)
    }
    for (const host of [
      'evil.example',
      `evil.example:${port()}`,
      `127.0.0.1.evil.example:${port()}`,
      `localhost.:${port()}`,
      `0x7f.1:${port()}`,
      `[::ffff:127.0.0.1]:${port()}`,
      `[::1%25lo]:${port()}`,
      `user@localhost:${port()}`,
      'localhost:1',
      '',
    ]) {
      const answer = await at([['host', host]], '/shop/customers')
      expect(answer.status, host).to.equal(403)
      expect(codeOf(answer)).to.equal('Forbidden')
    }
    const host = `127.0.0.1:${port()}`
    expect(
      (
        await at([
          ['host', host],
          ['host', host],
        ])
      ).status,
    ).to.equal(400)
    expect(
      (
        await at([
          ['host', host],
          ['host', 'evil.example'],
        ])
      ).status,
    ).to.equal(400)
    expect(answerOf(await raw(shop.origin, 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n')).status).to.equal(400)
    expect(answerOf(await raw(shop.origin, 'GET /health HTTP/1.0\r\n\r\n')).status).to.equal(400)
  })

  it('S-03 judges every request of a connection by the names and pages that it tells', async () => {
    const requests = [
      '',
      '',
      `Origin: http://evil.example\r\n`,
      'Sec-Fetch-Site: cross-site\r\n',
      'Host: evil.example\r\n',
      'Host: evil.example\r\n',
      '',
    ]
    const text = requests.map((line, at) => {
      const own = line.startsWith('Host') ? '' : `Host: 127.0.0.1:${port()}\r\n`
      const last = at === requests.length - 1 ? 'Connection: close\r\n' : ''
      // Health alone answers under any name, which then counts for nothing else.
      const path = at === 0 || at === 4 ? '/health' : '/openapi.json'
      return `GET ${path} HTTP/1.1\r\n${own}${line}${last}\r\n`
    })
    const answers = await raw(shop.origin, text.join(''))
    expect(answers.match(/HTTP\/1\.1 \d+/g)?.map((line) => Number(line.slice(9)))).to.deep.equal([
      200, 200, 403, 403, 200, 403, 200,
    ])
  })

  it('S-04 gives no origin access, and answers no page of another', async () => {
    const own = await at([['origin', shop.origin]])
    expect(own.status).to.equal(200)
    for (const headers of [
      [['origin', 'https://evil.example']],
      [['origin', 'null']],
      [['origin', `http://localhost:1`]],
      [
        ['origin', shop.origin],
        ['origin', 'https://evil.example'],
      ],
      [['sec-fetch-site', 'cross-site']],
    ] as const) {
      expect((await at(headers)).status).to.equal(403)
    }
    const preflight = await send(shop.origin, {
      method: 'OPTIONS',
      path: '/shop/customers',
      headers: {origin: shop.origin, 'access-control-request-method': 'POST'},
    })
    expect(preflight.status).to.equal(405)
    for (const answer of [own, preflight]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).to.deep.equal([])
    }
  })

  it('S-05 lets no form of a page write, and knows no cookie', async () => {
    const body = 'email=a@example.com'
    for (const type of [formType, 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = {authorization: `Bearer ${admin}`, 'content-type': type}
      expect((await send(shop.origin, {method: 'POST', path: '/shop/customers', headers, body})).status).to.equal(415)
    }
    const cookie = await at([['cookie', `access_token=${admin}`]], '/shop/customers')
    expect(cookie.status).to.equal(401)
    expect(cookie.headers.has('set-cookie')).to.equal(false)
    const owner = await at([['authorization', 'Bearer owner']], '/shop/customers')
    expect(owner.status).to.equal(401)
  })

  it('S-06 limits headers, targets and methods', async () => {
    const many = (count: number) => Array.from({length: count}, (_, index) => [`x-${index}`, '1'] as const)
    expect((await at(many(98))).status).to.equal(200)
    for (const count of [99, 200, 1500]) expect((await at(many(count))).status).to.equal(431)
    expect((await at([['x-large', 'y'.repeat(66_000)]])).status).to.equal(431)
    const hidden = await at([...many(98), ['authorization', 'Bearer a'], ['authorization', 'Bearer b']])
    expect(hidden.status).to.equal(431)
    expect((await at([], `/shop/customers/${'x'.repeat(9_000)}`)).status).to.equal(414)
    expect((await at([], `/health?x=${'x'.repeat(20_000)}`)).status).to.equal(200)
    expect((await at([], `http://127.0.0.1:${port()}/health`)).status).to.equal(400)
    expect((await send(shop.origin, {method: 'OPTIONS', path: '*'})).status).to.equal(400)
    for (const method of ['PATCH', 'TRACE', 'PUT', 'OPTIONS']) {
      const answer = await send(shop.origin, {method, path: '/shop/customers'})
      expect(answer.status, method).to.equal(405)
      expect(answer.headers.get('allow')?.split(', ')).to.have.members(['GET', 'HEAD', 'POST'])
    }
    expect((await send(shop.origin, {method: 'CONNECT', path: 'evil.example:443'})).status).to.equal(405)
    expect((await at([], '/no/such/path')).status).to.equal(404)
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET /health HTTP/9.9\r\n\r\n',
      'GET /a b HTTP/1.1\r\n\r\n',
      '\x16\x03\x01\x00',
    ]) {
      const answer = answerOf(await raw(shop.origin, bytes))
      expect(answer.status).to.equal(400)
      expect(answer.headers.get('cache-control')).to.equal('no-store')
      expect(codeOf(answer)).to.equal('InvalidInput')
    }
  })

  it('S-08 tells of its health and nothing else', async () => {
    expect((await at([])).body).to.deep.equal({status: 'ok'})
  })
})
