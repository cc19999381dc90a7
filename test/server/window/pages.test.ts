import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Browser, hasBrowser} from './browser.js'

/** A shop's page, served from a port of its own. */
async function servedPage(): Promise<{readonly server: Server; readonly origin: string}> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>The shop</p>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {server, origin: `http://localhost:${(server.address() as AddressInfo).port}`}
}

/** What the page of a shop does with an account. */
const visit = (apiUrl: string, clientId: string, secret: string) => `(async () => {
  const form = (path, members) => fetch('${apiUrl}/oauth/shop/' + path, {
    method: 'POST',
    headers: {authorization: 'Basic ' + btoa('${clientId}:${secret}')},
    body: new URLSearchParams(members),
  }).then((answer) => answer.json())
  const visitor = await form('anonymous/token', {grant_type: 'client_credentials'})
  const api = (token, path, body) => fetch('${apiUrl}/shop' + path, {
    method: body ? 'POST' : 'GET',
    headers: {authorization: 'Bearer ' + token, ...(body ? {'content-type': 'application/json'} : {}), 'x-correlation-id': 'page-001'},
    ...(body ? {body: JSON.stringify(body)} : {}),
  })
  const person = {email: 'ada@example.com', password: 'an-invented-one'}
  const up = await api(visitor.access_token, '/me/signup', person)
  const session = await form('customers/token', {grant_type: 'password', username: person.email, password: person.password})
  const me = await api(session.access_token, '/me')
  const wrong = await api(session.access_token, '/me', {version: 9, actions: []})
  return {
    up: up.status, me: (await me.json()).email, correlationId: me.headers.get('x-correlation-id'),
    wrong: [wrong.status, (await wrong.json()).errors[0].code],
    admin: await fetch('${apiUrl}/_admin/status').then(() => 'read', (error) => error.name),
  }
})()`

describe('server · pages of other origins in a browser', () => {
  let server: RunningServer
  let browser: Browser
  let listed: Awaited<ReturnType<typeof servedPage>>
  let unlisted: Awaited<ReturnType<typeof servedPage>>
  before(async function () {
    if (!hasBrowser) {
      console.warn('    There is no Chromium here: the tests of pages are skipped.')
      this.skip()
    }
    listed = await servedPage()
    unlisted = await servedPage()
    server = await startServer({projectKey: 'shop', allowedOrigins: [listed.origin]})
    browser = await Browser.launch()
  })
  after(async () => {
    await browser?.close()
    await server?.stop()
    listed?.server.close()
    unlisted?.server.close()
  })

  it('lets a listed page open a session, sign up, sign in and read the account', async () => {
    const page = await browser.page()
    await page.goto(listed.origin)
    const {apiUrl, client} = server
    expect(await page.read(visit(apiUrl, client.clientId, client.clientSecret))).to.deep.equal({
      up: 201,
      me: 'ada@example.com',
      correlationId: 'page-001',
      wrong: [409, 'ConcurrentModification'],
      admin: 'TypeError',
    })
  })

  it('gives a page that is not listed nothing', async () => {
    const page = await browser.page()
    await page.goto(unlisted.origin)
    const {apiUrl, client} = server
    const asked = page.read(visit(apiUrl, client.clientId, client.clientSecret))
    expect(await asked.catch((error: Error) => error.message)).to.include('Failed to fetch')
    expect(await page.read(`fetch('${apiUrl}/health').then(() => 'read', (error) => error.name)`)).to.equal('TypeError')
  })
})
