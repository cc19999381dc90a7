import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {type Cluster, queried, startCluster} from './cluster.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Answer = {readonly status: number; readonly body: any}

describe('store · tokens that two servers on one PostgreSQL know', () => {
  let cluster: Cluster
  let folder = ''
  let url = ''
  let one: RunningServer
  let two: RunningServer

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-known-'))
    url = await cluster.database('known')
    const start = (name: string) =>
      startServer({dataDir: join(folder, name), storeUrl: url, projectKey: 'shop', settings: {passwordCost: 4}})
    one = await start('one')
    two = await start('two')
  })

  after(async () => {
    await Promise.all([one?.stop(), two?.stop()])
    await cluster?.stop()
    if (folder !== '') rmSync(folder, {recursive: true})
  })

  const ask = async (server: RunningServer, path: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(`${server.apiUrl}${path}`, init)
    const text = await answer.text()
    return {status: answer.status, body: text === '' ? undefined : JSON.parse(text)}
  }
  type Client = {readonly clientId: string; readonly clientSecret: string}
  const form = (
    server: RunningServer,
    path: string,
    fields: Record<string, string>,
    client: Client = server.client,
  ) => {
    const authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`
    return ask(server, path, {method: 'POST', headers: {authorization}, body: new URLSearchParams(fields)})
  }
  const bearer = (token: string) => ({authorization: `Bearer ${token}`, 'content-type': 'application/json'})
  const post = (server: RunningServer, path: string, token: string, body: object) =>
    ask(server, path, {method: 'POST', headers: bearer(token), body: JSON.stringify(body)})
  const tokenOf = async (client: Client, fields = {}): Promise<Answer['body']> =>
    (await form(one, '/oauth/token', {grant_type: 'client_credentials', ...fields}, client)).body

  /** The statuses at both servers, the second of two requests each: the token is known by then. */
  const statuses = async (path: string, token: string): Promise<number[]> => {
    for (const server of [one, two]) await ask(server, path, {headers: bearer(token)})
    const answers = await Promise.all([one, two].map((server) => ask(server, path, {headers: bearer(token)})))
    return answers.map(({status}) => status)
  }

  const newClient = async (): Promise<Client> => {
    const {access_token} = await tokenOf(one.client)
    const draft = {name: 'short-lived', scope: 'manage_customers:shop'}
    const {body} = await post(one, '/shop/api-clients', access_token, draft)
    return {clientId: body.id, clientSecret: body.secret}
  }
  const customerToken = async (email: string) => {
    const {access_token} = await tokenOf(one.client)
    const {body} = await post(one, '/shop/customers', access_token, {email, password: 'correct horse'})
    const fields = {grant_type: 'password', username: email, password: 'correct horse'}
    const {body: token} = await form(one, '/oauth/shop/customers/token', fields)
    return {admin: access_token as string, customer: body.customer, token}
  }

  it('end with their client at once', async () => {
    const client = await newClient()
    const {access_token: token} = await tokenOf(client)
    expect(await statuses('/shop/customers?limit=1', token)).to.deep.equal([200, 200])
    const {access_token: admin} = await tokenOf(one.client)
    const path = `/shop/api-clients/${client.clientId}`
    expect((await ask(two, path, {method: 'DELETE', headers: bearer(admin)})).status).to.equal(200)
    for (const server of [one, two]) {
      expect((await ask(server, '/shop/customers?limit=1', {headers: bearer(token)})).status).to.equal(401)
    }
  })

  it('end with the refresh token of their grant at once', async () => {
    const {token} = await customerToken('ada@example.com')
    expect(await statuses('/shop/me', token.access_token)).to.deep.equal([200, 200])
    const fields = {token: token.refresh_token, token_type_hint: 'refresh_token'}
    expect((await form(one, '/oauth/token/revoke', fields)).status).to.equal(200)
    expect((await ask(two, '/shop/me', {headers: bearer(token.access_token)})).status).to.equal(401)
  })

  it('end with the password that opened their session at once', async () => {
    const {admin, customer, token} = await customerToken('eve@example.com')
    expect(await statuses('/shop/me', token.access_token)).to.deep.equal([200, 200])
    const change = {id: customer.id, version: customer.version, currentPassword: 'correct horse', newPassword: 'other'}
    expect((await post(two, '/shop/customers/password', admin, change)).status).to.equal(200)
    for (const server of [one, two]) {
      expect((await ask(server, '/shop/me', {headers: bearer(token.access_token)})).status).to.equal(401)
    }
  })

  it('have the scopes that the database says, even if somebody changes them there by hand', async () => {
    const {access_token: token} = await tokenOf(one.client)
    expect(await statuses('/shop/customers?limit=1', token)).to.deep.equal([200, 200])
    await queried(
      url,
      `UPDATE frontdesk.document SET doc = jsonb_set(doc, '{scopes}', '["view_products:shop"]') WHERE kind = 'token'`,
    )
    for (const server of [one, two]) {
      expect((await ask(server, '/shop/customers?limit=1', {headers: bearer(token)})).status).to.equal(403)
    }
  })
})
