import {type ChildProcess, fork} from 'node:child_process'
import {connect, type Socket} from 'node:net'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {bundledScript} from '../../crash/bundled-script.js'
import {basic, formOf, formType, requestBytes, send} from '../shop/wire.js'

const script = bundledScript(fileURLToPath(new URL('./worst-server.ts', import.meta.url)))
const heapMegabytes = 700
const connections = 490
const aliases = (count: number, field: string): string =>
  Array.from({length: count}, (_, at) => `a${at}: ${field}`).join(' ')

describe('security · S large answers that nobody reads, all at once', () => {
  let child: ChildProcess
  let origin = ''
  let admin = ''
  let own = ''
  let hasEnded = false

  const token = async (path: string, form: Record<string, string>, authorization: string): Promise<string> => {
    const headers = {authorization, 'content-type': formType}
    return (await send(origin, {method: 'POST', path, headers, body: formOf(form)})).body.access_token
  }
  const post = (path: string, bearer: string, body: object) => ({
    method: 'POST',
    path,
    headers: {authorization: `Bearer ${bearer}`, 'content-type': 'application/json'},
    body: JSON.stringify(body),
  })
  const get = (path: string, bearer: string) => ({path, headers: {authorization: `Bearer ${bearer}`}})

  before(async () => {
    const execArgv = [`--max-old-space-size=${heapMegabytes}`]
    child = fork(script, {execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc']})
    child.once('exit', () => {
      hasEnded = true
    })
    // biome-ignore lint/suspicious/noExplicitAny: what the child says
    const listening: any = await new Promise((resolve) => child.once('message', resolve))
    origin = listening.origin
    const authorization = basic(listening.client.clientId, listening.client.clientSecret)
    admin = await token('/oauth/token', {grant_type: 'client_credentials'}, authorization)
    const addresses = Array.from({length: 400}, () => ({country: 'DE', city: 'x'.repeat(1_000)}))
    for (let at = 0; at < 20; at += 1) {
      const draft = {email: `fat-${at}@example.com`, password: 'right horse', addresses}
      await send(origin, post('/demo/customers', admin, draft))
    }
    const login = {grant_type: 'password', username: 'fat-0@example.com', password: 'right horse'}
    own = await token('/oauth/demo/customers/token', login, authorization)
  })
  after(() => child.kill('SIGKILL'))

  /** Asks on many connections at once, each of which reads no more than the first bytes of its answer. */
  async function unread(request: Parameters<typeof requestBytes>[1]): Promise<Socket[]> {
    const bytes = requestBytes(origin, {...request, headers: {...request.headers, connection: 'keep-alive'}})
    const sockets = Array.from({length: connections}, () => connect(Number(new URL(origin).port), '127.0.0.1'))
    const answered = sockets.map((socket) => {
      socket.on('error', () => undefined).write(bytes)
      return new Promise((resolve) => {
        socket.once('close', resolve)
        socket.once('data', () => {
          socket.pause()
          resolve(undefined)
        })
      })
    })
    await Promise.all(answered)
    return sockets
  }

  const cases = () => ({
    'addresses of the own customer by GraphQL': post('/demo/graphql', own, {
      query: `{me{customer{addresses{${aliases(12, 'city')}}}}}`,
    }),
    'pages of customers by GraphQL': post('/demo/graphql', admin, {
      query: `{customers(limit:20){results{addresses{${aliases(10, 'city')}}}}}`,
    }),
    'the own customer': get('/demo/me', own),
    'pages of customers': get('/demo/customers?limit=500', admin),
  })

  it('S-301 lives on a small heap when every kind of large answer is asked for on all connections', async () => {
    for (const [name, request] of Object.entries(cases())) {
      const sockets = await unread(request)
      expect(hasEnded, name).to.equal(false)
      expect((await send(origin, {path: '/health'})).status, name).to.equal(200)
      await Promise.all(
        sockets.map((socket) => {
          const closed = new Promise((resolve) => socket.once('close', resolve))
          const isClosed = socket.closed
          socket.destroy()
          return isClosed ? undefined : closed
        }),
      )
      // What nobody read was given back.
      let answer = await send(origin, request)
      for (let tries = 0; answer.status === 503 && tries < 100; tries += 1) answer = await send(origin, request)
      expect(answer.status, name).to.equal(200)
    }
  })
})
