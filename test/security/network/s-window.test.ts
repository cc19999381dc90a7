import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {secrets} from '../../../src/secrets/secrets.js'
import {Entries} from '../../../src/server/local/window-entries.js'
import {limits} from '../../../src/work/limits.js'
import {send} from '../shop/wire.js'

const root = '/_frontdesk/window'

describe('security · S the window', () => {
  let server: RunningServer
  let other: RunningServer
  before(async () => {
    server = await startServer({projectKey: 'shop'})
    other = await startServer({projectKey: 'shop'})
  })
  after(async () => {
    await server.stop()
    await other.stop()
  })

  type Headers = Readonly<Record<string, string>>

  const enter = (at: RunningServer, code: string) =>
    send(at.apiUrl, {
      method: 'POST',
      path: `${root}/enter`,
      headers: {origin: at.apiUrl, 'x-frontdesk-window': code, 'content-length': '0'},
    })
  const codeOf = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('code') ?? ''

  /** What a page holds once it was let in. */
  async function entered(at = server): Promise<Headers> {
    return {'x-frontdesk-window': (await enter(at, codeOf(await at.windowUrl()))).text}
  }

  const origin = () => server.apiUrl
  const freeze = (headers: Headers) =>
    send(server.apiUrl, {
      method: 'POST',
      path: `${root}/api/_admin/clock`,
      headers: {'content-type': 'application/json', origin: origin(), ...headers},
      body: '{"do":"real"}',
    })

  it('S-330 lets a page in once by the code of a link, and gives no cookie, which other ports would get', async () => {
    const code = codeOf(await server.windowUrl())
    const first = await enter(server, code)
    expect([first.status, first.headers.get('set-cookie')]).to.deep.equal([200, undefined])
    expect(first.text).to.match(/^[\w-]{43}$/)
    const inside = {'x-frontdesk-window': first.text}
    expect((await freeze(inside)).status).to.equal(200)
    for (const given of [code, 'guessed', '', first.text]) expect((await enter(server, given)).status).to.equal(401)
    expect((await freeze({'x-frontdesk-window': code})).status, 'a code is no token').to.equal(401)
    expect((await freeze({cookie: `x-frontdesk-window=${first.text}`})).status, 'nor is a cookie').to.equal(401)
  })

  it('S-330 ends a code after ten minutes, a session after twelve hours, and the oldest where too many are open', () => {
    let now = 0
    const entries = new Entries(secrets, () => now)
    const late = entries.issue()
    const token = entries.redeem(entries.issue()) ?? ''
    now = 10 * 60_000
    expect(entries.redeem(late)).to.equal(undefined)
    now = 12 * 3_600_000 - 1
    expect(entries.isInside(token)).to.equal(true)
    now += 1
    expect(entries.isInside(token)).to.equal(false)
    const [oldest = '', ...others] = Array.from({length: 17}, () => entries.issue())
    expect(entries.redeem(oldest)).to.equal(undefined)
    const [first = '', ...last] = [...others, entries.issue()].map((code) => entries.redeem(code) ?? '')
    expect([entries.isInside(first), ...last.map((one) => entries.isInside(one))]).to.deep.equal([
      false,
      ...last.map(() => true),
    ])
  })

  it('S-331 tells nothing without a token, or with that of another server: its files have no secret', async () => {
    const foreign = await entered(other)
    const inside = await entered()
    const token = inside['x-frontdesk-window'] ?? ''
    for (const path of ['/events', '/api/_admin/status', '/api/shop/customers', '/api/nothing']) {
      for (const given of [{}, foreign, {'x-frontdesk-window': `${token}x`}, {cookie: `frontdesk-token=${token}`}]) {
        const {status, text} = await send(server.apiUrl, {path: `${root}${path}`, headers: given})
        expect(status, `${path} ${JSON.stringify(given)}`).to.equal(401)
        expect(text).to.contain('frontdesk server open')
      }
    }
    const [file, same] = [
      await send(server.apiUrl, {path: root}),
      await send(server.apiUrl, {path: root, headers: inside}),
    ]
    expect(file.status).to.equal(200)
    expect(file.text).to.equal(same.text)
  })

  it('S-332 refuses a change with the token of another server, or with none', async () => {
    const inside = await entered()
    const foreign = await entered(other)
    expect((await freeze(inside)).status).to.equal(200)
    for (const given of [{}, foreign, {'x-frontdesk-window': `${inside['x-frontdesk-window']}x`}]) {
      expect((await freeze(given)).status).to.equal(401)
    }
  })

  it('S-333 answers no page of another origin or another port, and no change of an unknown one', async () => {
    const inside = await entered()
    const port = new URL(server.apiUrl).port
    const origins = [
      other.apiUrl,
      'http://attacker.example',
      'null',
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
    ]
    for (const given of origins) expect((await freeze({...inside, origin: given})).status, given).to.equal(403)
    const unsaid = {method: 'POST', path: `${root}/api/_admin/clock`, body: '{"do":"real"}'}
    const headers = {...inside, 'content-type': 'application/json'}
    expect((await send(server.apiUrl, {...unsaid, headers})).status).to.equal(403)
    for (const site of ['cross-site', 'same-site']) {
      for (const path of ['', '/events', '/window.mjs', '/api/_admin/status']) {
        const asked = {path: `${root}${path}`, headers: {...inside, 'sec-fetch-site': site}}
        expect((await send(server.apiUrl, asked)).status, `${site} ${path}`).to.equal(403)
      }
      const link = {...inside, 'sec-fetch-site': site, 'sec-fetch-dest': 'document'}
      expect((await send(server.apiUrl, {path: root, headers: link})).status, 'a link to the page').to.equal(200)
      for (const path of ['/events', '/window.mjs', '/api/_admin/status']) {
        expect((await send(server.apiUrl, {path: `${root}${path}`, headers: link})).status, path).to.equal(403)
      }
    }
  })

  it('S-334 answers this machine alone, under a name that nobody resolves', async () => {
    const given = await entered()
    for (const host of ['attacker.example', 'localhost.attacker.example', '192.0.2.1']) {
      expect((await send(server.apiUrl, {path: root, headers: {...given, host}})).status, host).to.be.oneOf([403, 404])
    }
    const open = await startServer({projectKey: 'shop', allowedHosts: ['shop.test:*']})
    const inside = await entered(open)
    const host = `shop.test:${new URL(open.apiUrl).port}`
    expect((await send(open.apiUrl, {path: root, headers: {...inside, host}})).status).to.equal(404)
    await open.stop()
  })

  it('S-335 opens what the page needs, and no operation that makes a token, a client or a project', async () => {
    const inside = await entered()
    const ask = (method: string, path: string, body?: unknown) =>
      send(server.apiUrl, {
        method,
        path: `${root}/api${path}`,
        headers: {...inside, origin: origin(), 'content-type': 'application/json'},
        ...(body === undefined ? {} : {body: JSON.stringify(body)}),
      })
    expect((await ask('GET', '/_admin/status')).status).to.equal(200)
    expect((await ask('GET', '/shop/customers')).status).to.equal(200)
    expect((await ask('GET', '/nowhere/customers')).status).to.equal(403)
    const refused = [
      await ask('POST', '/_admin/customer-tokens', {projectKey: 'shop', customer: {by: 'id', value: 'x'}}),
      await ask('POST', '/_admin/window', {}),
      await ask('POST', '/_admin/projects', {projectKey: 'new'}),
      await ask('POST', '/shop/customers', {email: 'x@example.com'}),
      await ask('POST', '/shop/api-clients', {name: 'x', scope: 'manage_project:shop'}),
      await ask('GET', '/shop/api-clients'),
      await ask('POST', '/oauth/token'),
    ]
    expect(refused.map(({status}) => status)).to.deep.equal(refused.map(() => 403))
    expect(JSON.stringify(server.requests())).to.not.contain('window')
  })

  it('S-336 sends a page that loads and asks nothing of any other origin', async () => {
    const page = await send(server.apiUrl, {path: root})
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).to.match(/^default-src 'none';/)
    expect(policy).to.contain("frame-ancestors 'none'").and.contain("form-action 'none'").and.not.contain('unsafe')
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer')
    expect(page.headers.get('cache-control')).to.equal('no-store')
  })

  it('S-337 follows in so many pages and no more, and ends them with the server', async () => {
    const own = await startServer({projectKey: 'shop'})
    const headers = await entered(own)
    const follow = () => fetch(`${own.apiUrl}${root}/events`, {headers})
    const streams = await Promise.all(Array.from({length: limits.windowStreams}, follow))
    expect(streams.map(({status}) => status)).to.deep.equal(streams.map(() => 200))
    expect((await follow()).status).to.equal(503)
    await streams[0]?.body?.cancel()
    const ended = Promise.all(streams.slice(1).map((stream) => stream.text()))
    const started = performance.now()
    await own.stop()
    await ended
    expect(performance.now() - started).to.be.lessThan(4_000)
  })
})
