import {type ChildProcess, fork} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {connect, type Socket} from 'node:net'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {limits} from '../../../src/work/limits.js'
import {bundledScript} from '../../crash/bundled-script.js'
import {type Body, basic, formOf, formType, requestBytes, send} from '../shop/wire.js'

const script = bundledScript(fileURLToPath(new URL('./worst-server.ts', import.meta.url)))
/** What all answers together may take beside the rest of the process. */
const mostMegabytes = 400
const pipelined = 100
/** CPU time that the server may take between two turns, in each of which it may begin several answers. */
const mostHeldMs = 400
/** The same on a slow machine, in times that it takes for a megabyte of JSON. */
const unitsAllowed = 100

describe('security · S the largest answer of every operation', () => {
  let child: ChildProcess
  let origin = ''
  let admin = ''
  let own = ''
  let unitMs = 0
  const ids: Record<string, string> = {}

  // biome-ignore lint/suspicious/noExplicitAny: what the child says
  const heard = (): Promise<any> => new Promise((resolve) => child.once('message', resolve))
  const call = async (method: string, path: string, token: string, body?: object): Promise<Body> => {
    const type: Record<string, string> = body ? {'content-type': 'application/json'} : {}
    const headers = {authorization: `Bearer ${token}`, ...type}
    const answer = await send(origin, {method, path, headers, ...(body ? {body: JSON.stringify(body)} : {})})
    expect(answer.status, `${method} ${path}: ${answer.text.slice(0, 200)}`).to.be.within(200, 201)
    return answer.body
  }

  /** Customers at the size limits, whose addresses all refer to a type of nearly a megabyte. */
  before(async () => {
    child = fork(script, {execArgv: ['--max-old-space-size=1024'], stdio: ['ignore', 'ignore', 'inherit', 'ipc']})
    const {origin: at, client, unitMs: unit} = await heard()
    origin = at
    unitMs = unit
    const authorization = basic(client.clientId, client.clientSecret)
    const headers = {authorization, 'content-type': formType}
    const token = async (path: string, form: Record<string, string>): Promise<string> =>
      (await send(origin, {method: 'POST', path, headers, body: formOf(form)})).body.access_token
    admin = await token('/oauth/token', {grant_type: 'client_credentials'})
    const name = {en: 'x'.repeat(60_000), de: 'x'.repeat(60_000)}
    const label = {en: 'x'}
    const fieldDefinitions = Array.from({length: 7}, (_, n) => ({
      name: `f${n}`,
      label: {en: 'x'.repeat(60_000), de: 'x'.repeat(60_000)},
      type: {name: 'String'},
      required: false,
    }))
    const type = {key: 'fat', name, description: label, resourceTypeIds: ['address', 'customer'], fieldDefinitions}
    ids['type'] = (await call('POST', '/demo/types', admin, type)).id
    const custom = {type: {typeId: 'type', key: 'fat'}}
    const addresses = Array.from({length: limits.addresses}, () => ({country: 'DE', custom, city: 'x'.repeat(900)}))
    const addressesOnly = addresses.map(({custom: _, city, ...rest}) => ({...rest, city, company: city}))
    for (let at = 0; at < 40; at += 1) {
      const draft = {
        email: `fat-${at}@example.com`,
        password: 'right horse',
        addresses: at === 0 ? addresses : addressesOnly,
      }
      ids['customer'] ??= (await call('POST', '/demo/customers', admin, draft)).customer.id
      if (at > 0) await call('POST', '/demo/customers', admin, draft)
    }
    const login = {grant_type: 'password', username: 'fat-0@example.com', password: 'right horse'}
    own = await token('/oauth/demo/customers/token', login)
  })
  after(() => child.disconnect())

  const megabytes = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

  const ask = (path: string, token: string) => send(origin, {path, headers: {authorization: `Bearer ${token}`}})

  it('S-303 refuses a document that is too large with all that it expands, and names expand', async () => {
    for (const [path, token] of [
      [`/demo/customers/${ids['customer']}`, admin],
      ['/demo/me', own],
    ] as const) {
      const answer = await ask(`${path}?expand=addresses[*].custom.type`, token)
      expect(answer.status).to.equal(400)
      expect(answer.body.errors[0]).to.include({code: 'InvalidInput'}).and.property('message').that.includes('expand')
    }
    expect((await ask('/demo/me?expand=addresses[0].custom.type', own)).text.length).to.be.greaterThan(1_400_000)
  })

  it('S-306 ends a page of customers at the size limits early, and says where it goes on', async () => {
    const all = new Set<string>()
    for (const sort of ['id asc', 'createdAt desc']) {
      let offset = 0
      for (let total = 1; offset < total; ) {
        const page = (await ask(`/demo/customers?limit=500&sort=${sort.replace(' ', '+')}&offset=${offset}`, admin))
          .body
        expect(page.limit).to.equal(page.results.length < page.total - offset ? page.count : 500)
        expect(page.count).to.be.greaterThan(0)
        for (const {id} of page.results) all.add(`${sort} ${id}`)
        offset += page.count
        total = page.total
      }
      expect([...all].filter((one) => one.startsWith(sort))).to.have.lengthOf(offset)
    }
  })

  it('S-301 stays within its memory when each is asked for a hundred times and not read', async function () {
    if (process.platform !== 'linux') this.skip()
    const rest = megabytes()
    const open: Socket[] = []
    const params: Record<string, string> = {projectKey: 'demo', id: ids['customer'] ?? '', key: 'fat', storeKey: 'main'}
    let most = 0
    child.send('begin')
    await heard()
    for (const {method, path, query = [], permission, actions} of operations) {
      if (method !== 'GET' && !actions) continue
      const place = (path as string).replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x')
      const parameters = [
        ...(query.includes('limit') ? ['limit=500'] : []),
        ...(query.includes('expand') ? ['expand=addresses[*].custom.type'] : []),
      ]
      const isMine = permission.kind === 'bearer' && permission.bound !== undefined
      const headers = {
        authorization: `Bearer ${isMine ? own : admin}`,
        connection: 'keep-alive',
        ...(actions ? {'content-type': 'application/json'} : {}),
      }
      const body = actions ? {body: JSON.stringify({version: 1, actions: []})} : {}
      const request = {method, path: `${place}?${parameters.join('&')}`, headers, ...body}
      const bytes = requestBytes(origin, request).toString('latin1')
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket.on('error', () => undefined).pause()
      socket.write(bytes.repeat(pipelined))
      open.push(socket)
      expect((await send(origin, {path: '/health'})).status).to.equal(200)
      most = Math.max(most, megabytes())
    }
    expect(most - rest, `MB beside ${Math.round(rest)}`).to.be.at.most(mostMegabytes)
    child.send('end')
    const {heldMs} = await heard()
    expect(heldMs, 'ms at a stretch').to.be.at.most(Math.max(mostHeldMs, unitMs * unitsAllowed))
    for (const socket of open) socket.destroy()
    expect((await send(origin, {path: '/health'})).status).to.equal(200)
  })
})
