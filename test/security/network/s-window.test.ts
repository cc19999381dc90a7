import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {limits} from '../../../src/limits.js'
import {secrets} from '../../../src/secrets/secrets.js'
import {EntryCodes} from '../../../src/server/window/entry.js'
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
  const pathOf = (url: string) => url.slice(new URL(url).origin.length)

  /** What a browser holds once it was let in. */
  async function entered(at = server) {
    const link = await at.windowUrl()
    const {status, headers} = await send(at.apiUrl, {path: pathOf(link)})
    const given = headers.get('set-cookie') ?? ''
    const cookie = given.split(';')[0] ?? ''
    const page = await send(at.apiUrl, {path: root, headers: {cookie}})
    const token = /frontdesk-token" content="([\w-]+)"/.exec(page.text)?.[1] ?? ''
    return {link, status, given, cookie, page, token}
  }

  const origin = () => server.apiUrl
  const freeze = (headers: Headers) =>
    send(server.apiUrl, {
      method: 'POST',
      path: `${root}/api/_admin/clock`,
      headers: {'content-type': 'application/json', origin: origin(), ...headers},
      body: '{"do":"real"}',
    })

  it('S-330 lets a browser in once by a link, with a cookie that no script reads and no other site sends', async () => {
    const {link, status, given, page} = await entered()
    expect(status).to.equal(303)
    expect(given).to.match(/^frontdesk-window-\d+=[\w-]{43}; Path=\/_frontdesk\/window; HttpOnly; SameSite=Strict$/)
    expect(page.status).to.equal(200)
    const again = await send(server.apiUrl, {path: pathOf(link)})
    expect(again.status).to.equal(401)
    expect(again.headers.get('set-cookie')).to.equal(undefined)
    expect((await send(server.apiUrl, {path: `${root}?code=guessed`})).status).to.equal(401)
  })

  it('S-330 ends a code after ten minutes, and the oldest where too many are open', () => {
    let now = 0
    const codes = new EntryCodes(secrets, () => now)
    const late = codes.issue()
    now = 10 * 60_000
    expect(codes.redeem(late)).to.equal(false)
    const [oldest = '', ...others] = Array.from({length: 17}, () => codes.issue())
    expect(codes.redeem(oldest)).to.equal(false)
    expect(others.every((code) => codes.redeem(code))).to.equal(true)
  })

  it('S-331 shows nothing without the cookie, or with that of another server', async () => {
    const {cookie: foreign} = await entered(other)
    const {cookie} = await entered()
    const renamed = `${cookie.split('=')[0]}=${foreign.split('=')[1]}`
    for (const path of ['', '/window.mjs', '/events', '/api/_admin/status', '/nothing']) {
      for (const given of [undefined, foreign, renamed, `${cookie}x`]) {
        const {status, text} = await send(server.apiUrl, {
          path: `${root}${path}`,
          headers: given ? {cookie: given} : {},
        })
        expect(status, `${path} ${given}`).to.equal(401)
        expect(text).to.not.contain('frontdesk-token')
      }
    }
  })

  it('S-332 refuses a request without the token of the page, or with that of another server', async () => {
    const {cookie, token} = await entered()
    const {token: foreign} = await entered(other)
    expect((await freeze({cookie, 'x-frontdesk-window': token})).status).to.equal(200)
    for (const given of ['', foreign, `${token}x`]) {
      expect((await freeze({cookie, 'x-frontdesk-window': given})).status, given).to.equal(403)
    }
    expect((await freeze({cookie})).status).to.equal(403)
    expect((await freeze({'x-frontdesk-window': token})).status).to.equal(401)
  })

  it('S-333 answers no page of another origin or another port, and no change of an unknown one', async () => {
    const {cookie, token} = await entered()
    const inside = {cookie, 'x-frontdesk-window': token}
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
    }
  })

  it('S-334 answers this machine alone, under a name that nobody resolves', async () => {
    const {cookie} = await entered()
    for (const host of ['attacker.example', 'localhost.attacker.example', '192.0.2.1']) {
      expect((await send(server.apiUrl, {path: root, headers: {cookie, host}})).status, host).to.be.oneOf([403, 404])
    }
    const open = await startServer({projectKey: 'shop', allowedHosts: ['shop.test:*']})
    const inside = await entered(open)
    const host = `shop.test:${new URL(open.apiUrl).port}`
    expect((await send(open.apiUrl, {path: root, headers: {cookie: inside.cookie, host}})).status).to.equal(404)
    await open.stop()
  })

  it('S-335 opens what the page needs, and no operation that makes a token, a client or a project', async () => {
    const {cookie, token} = await entered()
    const ask = (method: string, path: string, body?: unknown) =>
      send(server.apiUrl, {
        method,
        path: `${root}/api${path}`,
        headers: {cookie, origin: origin(), 'x-frontdesk-window': token, 'content-type': 'application/json'},
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
    const {page} = await entered()
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).to.match(/^default-src 'none';/)
    expect(policy).to.contain("frame-ancestors 'none'").and.contain("form-action 'none'").and.not.contain('unsafe')
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer')
    expect(page.headers.get('cache-control')).to.equal('no-store')
  })

  it('S-337 follows in so many pages and no more, and ends them with the server', async () => {
    const own = await startServer({projectKey: 'shop'})
    const {cookie} = await entered(own)
    const follow = () => fetch(`${own.apiUrl}${root}/events`, {headers: {cookie}})
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
