import {type ChildProcess, fork} from 'node:child_process'
import {connect, type Socket} from 'node:net'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import type {AnyOperation} from '../../../src/api/operation/operation.js'
import {bundledScript} from '../../crash/bundled-script.js'
import {basic, formOf, formType, requestBytes, type Sent, send} from '../shop/wire.js'

const script = bundledScript(fileURLToPath(new URL('./worst-server.ts', import.meta.url)))
const heapMegabytes = 700
const connections = 490
/** Operations that are asked for together, each on its share of the connections. */
const batchSize = 62
/** What tokens, sessions and log lines may leave behind. */
const leftMegabytes = 60
const password = 'right horse'
const aliases = (count: number, field: string): string =>
  Array.from({length: count}, (_, at) => `a${at}: ${field}`).join(' ')

interface Stored {
  readonly id: string
  readonly key?: string
  readonly version: number
}

describe('security · S large answers that nobody reads, all at once', () => {
  let child: ChildProcess
  let origin = ''
  let authorization = ''
  let admin = ''
  let windowToken = ''
  let hasEnded = false
  /** A document of each collection; of customers a large one. */
  const stored = new Map<string, Stored>()

  // biome-ignore lint/suspicious/noExplicitAny: what the child says
  const heard = (): Promise<any> => new Promise((resolve) => child.once('message', resolve))
  const usedMegabytes = async (): Promise<number> => {
    child.send('end')
    return (await heard()).megabytes
  }
  const token = async (path: string, form: Record<string, string>): Promise<string> => {
    const headers = {authorization, 'content-type': formType}
    return (await send(origin, {method: 'POST', path, headers, body: formOf(form)})).body.access_token
  }
  const ownToken = (place: string, username: string) =>
    token(`/oauth/demo${place}/customers/token`, {grant_type: 'password', username, password})
  const post = (path: string, bearer: string, body: object) => ({
    method: 'POST',
    path,
    headers: {authorization: `Bearer ${bearer}`, 'content-type': 'application/json'},
    body: JSON.stringify(body),
  })
  const get = (path: string, bearer: string) => ({path, headers: {authorization: `Bearer ${bearer}`}})

  before(async () => {
    const execArgv = [`--max-old-space-size=${heapMegabytes}`, '--expose-gc']
    child = fork(script, {execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc']})
    child.once('exit', () => {
      hasEnded = true
    })
    const listening = await heard()
    origin = listening.origin
    authorization = basic(listening.client.clientId, listening.client.clientSecret)
    admin = await token('/oauth/token', {grant_type: 'client_credentials'})
    await send(origin, post('/demo/stores', admin, {key: 'main', name: {en: 'x'.repeat(1_000)}}))
    const addresses = Array.from({length: 400}, () => ({country: 'DE', city: 'x'.repeat(1_000)}))
    for (let at = 0; at < 20; at += 1) {
      const stores = at % 2 === 0 ? [] : [{typeId: 'store', key: 'main'}]
      const draft = {email: `fat-${at}@example.com`, key: `fat-${at}`, password, addresses, stores}
      const {status, text} = await send(origin, post('/demo/customers', admin, draft))
      expect(status, text).to.equal(201)
    }
    const code = decodeURIComponent(new URL(listening.windowUrl).hash.slice('#code='.length))
    const headers = {origin, 'x-frontdesk-window': code}
    windowToken = (await send(origin, {method: 'POST', path: '/_frontdesk/window/enter', headers})).text
    expect(windowToken).to.match(/^\S{20,}$/)
  })
  after(() => child.kill('SIGKILL'))

  /** Asks for all of them at once on many connections, each of which reads no more than the first bytes of its answer. */
  async function unread(requests: readonly Sent[]): Promise<Socket[]> {
    const bytes = requests.map((request) =>
      requestBytes(origin, {...request, headers: {...request.headers, connection: 'keep-alive'}}),
    )
    const sockets = Array.from({length: connections}, () => connect(Number(new URL(origin).port), '127.0.0.1'))
    const answered = sockets.map((socket, at) => {
      socket.on('error', () => undefined).write(bytes[at % bytes.length] ?? '')
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

  async function survives(requests: readonly Sent[], name: string): Promise<void> {
    const sockets = await unread(requests)
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
  }

  /** What nobody read was given back: all is answered again, and nothing is kept. */
  async function isGivenBack(request: Sent, usedBefore: number): Promise<void> {
    let answer = await send(origin, request)
    for (let tries = 0; answer.status === 503 && tries < 100; tries += 1) answer = await send(origin, request)
    expect(answer.status, request.path).to.equal(200)
    expect((await usedMegabytes()) - usedBefore).to.be.lessThan(leftMegabytes)
  }

  it('S-301 lives on a small heap when every kind of large answer is asked for on all connections', async () => {
    const own = await ownToken('', 'fat-0@example.com')
    const large = [
      post('/demo/graphql', own, {query: `{me{customer{addresses{${aliases(12, 'city')}}}}}`}),
      post('/demo/graphql', admin, {query: `{customers(limit:20){results{addresses{${aliases(10, 'city')}}}}}`}),
      get('/demo/me', own),
      get('/demo/customers?limit=500', admin),
      get('/demo/messages?limit=500', admin),
      post('/demo/customers/search', admin, {limit: 100}),
      {path: '/_frontdesk/window/api/demo/customers?limit=500', headers: {'x-frontdesk-window': windowToken}},
      {path: '/_frontdesk/window'},
    ]
    for (const request of large) expect((await send(origin, request)).status, request.path).to.equal(200)
    const used = await usedMegabytes()
    await survives(large, 'large answers')
    // The one that is made of much less than it is.
    await survives(large.slice(0, 1), 'one large answer')
    for (const request of large) await isGivenBack(request, used)
  })

  it('S-301 lives on a small heap when large bodies come on all connections', async () => {
    const used = await usedMegabytes()
    const draft = {
      email: 'fat-0@example.com',
      password,
      addresses: Array.from({length: 480}, () => ({country: 'DE', city: 'ä'.repeat(1_000)})),
    }
    const query = 'mutation($draft: CustomerSignUpDraft!) { customerSignUp(draft: $draft) { customer { id } } }'
    const large = post('/demo/graphql', admin, {query, variables: {draft}})
    expect((await send(origin, large)).body.errors[0].extensions.code).to.equal('DuplicateField')
    await survives([large, post('/demo/customers', admin, draft)], 'large bodies')
    await isGivenBack(large, used)
  })

  /** The collection that a path reads or writes. */
  const collectionOf = (path: string): string =>
    /^\/\{projectKey\}(?:\/in-store\/key=\{storeKey\})?\/(?:_frontdesk\/)?(?:me\/)?([a-z-]+)/.exec(path)?.[1] ?? ''

  /** With all that any operation asks for, most of which each ignores; so that the answer is the large customer where there is one. */
  function requestOf({method, path, permission, query, bodyKind}: AnyOperation, own: string, ownInStore: string): Sent {
    const isInStore = path.includes('in-store')
    const {
      id,
      key = 'nobody',
      version,
    } = stored.get(isInStore ? `${collectionOf(path)} in store` : collectionOf(path)) ??
      stored.get(collectionOf(path)) ?? {id: 'nobody', version: 1}
    const params: Readonly<Record<string, string>> = {projectKey: 'demo', id, key, storeKey: 'main', customerId: id}
    const wanted = {limit: '500', version: String(version), expand: 'stores[*]'}
    const asked = Object.entries(wanted).filter(([name]) => query?.includes(name))
    const place = path.replace(/\{(\w+)\}/g, (_: unknown, name: string) => params[name] ?? 'x')
    const isMine = permission.kind === 'bearer' && permission.bound !== undefined
    const bearer = `Bearer ${isMine ? (isInStore ? ownInStore : own) : admin}`
    const username = isInStore ? 'fat-3@example.com' : 'fat-2@example.com'
    const grant = path.includes('customers/token') ? 'password' : 'client_credentials'
    const isForm = bodyKind === 'form'
    const body = isForm
      ? formOf({grant_type: grant, username, password, token: 'x'})
      : JSON.stringify({
          ...{id, version, actions: [], email: username, password, currentPassword: password, newPassword: password},
          ...{tokenValue: 'x', query: path.endsWith('graphql') ? '{ customers { total } }' : undefined},
          ...{
            key: 'new',
            name: {en: 'x'},
            groupName: 'x',
            resourceTypeIds: ['customer'],
            currency: 'EUR',
            drafts: [{}],
          },
        })
    return {
      ...{method, path: `${place}${asked.length === 0 ? '' : `?${formOf(Object.fromEntries(asked))}`}`},
      headers: {
        authorization: permission.kind === 'basic' ? authorization : bearer,
        'content-type': isForm ? formType : 'application/json',
      },
      ...(method === 'POST' ? {body} : {}),
    }
  }

  it('S-301 lives on a small heap when every operation is asked for and unread', async () => {
    const used = await usedMegabytes()
    for (const {path} of operations) {
      const collection = collectionOf(path)
      if (stored.has(collection) || !operations.some((one) => one.path === `/{projectKey}/${collection}`)) continue
      const {status, body} = await send(origin, get(`/demo/${collection}?limit=1`, admin))
      if (status === 200 && body.results?.[0]) stored.set(collection, body.results[0])
    }
    const large = async (key: string): Promise<Stored> =>
      (await send(origin, get(`/demo/customers/key=${key}`, admin))).body
    // What ends documents comes last.
    const ends = ({method}: AnyOperation): number => (method === 'DELETE' ? 1 : 0)
    const ordered = [...operations].sort((one, other) => ends(one) - ends(other))
    const seen = new Set<number>()
    for (let at = 0; at < ordered.length; at += batchSize) {
      stored.set('customers', await large('fat-2'))
      stored.set('customers in store', await large('fat-3'))
      const own = await ownToken('', 'fat-0@example.com')
      const ownInStore = await ownToken('/in-store/key=main', 'fat-1@example.com')
      const batch = ordered.slice(at, at + batchSize)
      const requests = batch.map((operation) => requestOf(operation, own, ownInStore))
      if (batch.every((operation) => ends(operation) === 0)) {
        for (const request of requests) seen.add((await send(origin, request)).status)
      }
      await survives(requests, batch.map(({id}) => id).join(', '))
    }
    expect([...seen]).to.include.members([200, 201])
    // One of them deletes the client.
    await isGivenBack({path: '/openapi.json'}, used)
  })
})
