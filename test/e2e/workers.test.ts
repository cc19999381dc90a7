import {readFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {type Cluster, startCluster} from '../store/postgres/cluster.js'
import {openSandbox, type Sandbox} from './binary.js'
import {type Answer, Client, isAlive, until} from './worker-client.js'

describe('e2e · server start --workers 2', () => {
  let cluster: Cluster
  let sandbox: Sandbox
  let env: Record<string, string>
  let server: Awaited<ReturnType<Sandbox['serve']>>
  let log = ''
  let admin: Client
  const clients: Client[] = []
  let basic = ''
  let token = ''

  const start = async (): Promise<void> => {
    server = await sandbox.serve(['--workers', '2', '--project-key', 'shop'], env)
    log = ''
    server.child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
    admin = new Client(server.apiUrl)
  }
  const administer = async (path: string, json?: object): Promise<Answer['body']> => {
    const {status, body} = await admin.ask(`/_admin/${path}`, {
      token: readFileSync(join(sandbox.data, 'admin.token'), 'utf8').trim(),
      ...(json ? {json} : {}),
    })
    expect(status, JSON.stringify(body)).to.equal(200)
    return body
  }
  const workers = async (): Promise<number[]> => (await administer('status')).workers
  /** A connection to that worker. */
  const clientOf = (pid: number): Promise<Client> =>
    until(async () => {
      const client = new Client(server.apiUrl)
      const id = `probe-${Math.random()}`
      await client.ask('/shop/customers?limit=1', {id})
      const {requests} = await until(async () => {
        const found = await administer('requests', {id})
        return found.requests.length > 0 ? found : undefined
      })
      if (requests[0].worker === pid) {
        clients.push(client)
        return client
      }
      client.close()
      return undefined
    })
  /** New connections, in the order of the workers: one that is idle for some seconds is closed. */
  const both = async () => (await Promise.all((await workers()).map(clientOf))) as [Client, Client]

  /** Resolves when a worker has begun with a request; the function waits for its answer. */
  const slowRequest = async (): Promise<() => Promise<Answer>> => {
    await administer('faults', {rules: [{operation: 'queryCustomers', latencyMs: 300}]})
    const client = new Client(server.apiUrl)
    const answer = client.ask('/shop/customers', {token}).finally(() => client.close())
    await until(async () => ((await administer('faults')).drawn[0] > 0 ? true : undefined))
    return () => answer
  }

  before(async function () {
    const started = await startCluster()
    if (!started || process.platform !== 'linux') return this.skip()
    cluster = started
    sandbox = openSandbox()
    env = {FRONTDESK_STORE_URL: await cluster.database('workers')}
    await start()
    const file = JSON.parse(readFileSync(join(sandbox.data, 'shop.client.json'), 'utf8'))
    basic = `${file.clientId}:${file.clientSecret}`
    token = (await admin.ask('/oauth/token', {basic, form: {grant_type: 'client_credentials'}})).body.access_token
  })

  after(async () => {
    for (const client of [admin, ...clients]) client?.close()
    server?.child.kill('SIGKILL')
    await cluster?.stop()
    sandbox?.remove()
  })

  it('is one server with two processes at one port', async () => {
    const {pid, workers: pids, projects} = await administer('status')
    expect(pid).to.equal(server.child.pid)
    expect(new Set([pid, ...pids])).to.have.property('size', 3)
    expect(projects).to.deep.equal([{key: 'shop', customers: 0, stored: []}])
    await both()
    const {requests} = await administer('requests', {})
    expect(new Set(requests.map((one: {worker: number}) => one.worker))).to.deep.equal(new Set(pids))
    const {stdout} = await sandbox.frontdesk(['server', 'status', '--json'])
    expect(JSON.parse(stdout)).to.include({running: true, pid, apiUrl: server.apiUrl})
  })

  it('refuses at one worker the token that was revoked at the other', async () => {
    const [one, two] = await both()
    const {body} = await one.ask('/oauth/token', {basic, form: {grant_type: 'client_credentials'}})
    const asked = {token: body.access_token}
    for (const client of [two, one]) expect((await client.ask('/shop/customers', asked)).status).to.equal(200)
    expect((await one.ask('/oauth/token/revoke', {basic, form: {token: body.access_token}})).status).to.equal(200)
    expect((await two.ask('/shop/customers', asked)).status).to.equal(401)
  })

  it('goes by one clock, and strikes with a fault no oftener than it may, whichever worker is asked', async () => {
    const [one, two] = await both()
    await administer('clock', {do: 'freeze', at: '2040-01-01T00:00:00Z'})
    for (const client of [one, two]) expect((await client.ask('/shop/customers', {token})).status).to.equal(401)
    await administer('clock', {do: 'real'})
    await administer('faults', {rules: [{operation: 'queryCustomers', status: 503, times: 1}]})
    const answers = []
    for (const client of [one, two, one, two]) answers.push((await client.ask('/shop/customers', {token})).status)
    expect(answers).to.deep.equal([503, 200, 200, 200])
    await administer('faults', {rules: []})
  })

  it('has one outbox for both workers, which a reset of the project empties', async () => {
    const [one, two] = await both()
    const json = {email: 'ada@example.com', password: 'an-invented-one'}
    expect((await one.ask('/shop/customers', {token, json})).status).to.equal(201)
    const made: string[] = []
    for (const client of [one, two, one]) {
      const {body} = await client.ask('/shop/customers/password-token', {token, json: {email: json.email}})
      made.unshift(body.value)
    }
    const {tokens} = await administer('outbox', {projectKey: 'shop'})
    const shown = tokens.map(({value, isOpen}: {value: string; isOpen: boolean}) => [value, isOpen])
    expect(shown).to.have.deep.members(made.map((value) => [value, true]))
    await administer('reset', {projectKey: 'shop'})
    expect((await administer('outbox', {projectKey: 'shop'})).tokens).to.deep.equal([])
    token = (await two.ask('/oauth/token', {basic, form: {grant_type: 'client_credentials'}})).body.access_token
  })

  it('counts wrong secrets of a client over both workers', async () => {
    const [one, two] = await both()
    const form = {grant_type: 'client_credentials'}
    for (let times = 0; times < 20; times += 1) await one.ask('/oauth/token', {basic: `${basic}x`, form})
    await until(async () => ((await two.ask('/oauth/token', {basic, form})).status === 429 ? true : undefined))
  })

  it('replaces a worker that was killed, and loses nothing that was acknowledged', async () => {
    const [victim, survivor] = (await workers()) as [number, number]
    const [dying, staying] = await both()
    const acknowledged: string[] = []
    const failed: unknown[] = []
    const writing = async (client: Client, name: string): Promise<void> => {
      for (let at = 0; at < 30; at += 1) {
        const key = `${name}-${at}`
        const json = {key, email: `${key}@example.com`, authenticationMode: 'ExternalAuth'}
        const answer = await client.ask('/shop/customers', {token, json}).catch((error: unknown) => error)
        if ((answer as Answer).status === 201) acknowledged.push(key)
        else failed.push([key, answer])
        if (at === 9 && client === dying) process.kill(victim, 'SIGKILL')
      }
    }
    await Promise.all([writing(dying, 'dying'), writing(staying, 'staying')])
    expect(
      acknowledged.filter((key) => key.startsWith('staying')),
      String(failed),
    ).to.have.length(30)
    expect(failed.length, String(failed)).to.be.at.most(2)
    const now = await until(async () => {
      const pids = await workers()
      return pids.length === 2 && !pids.includes(victim) ? pids : undefined
    })
    expect(now).to.include(survivor)
    expect(log).to.match(new RegExp(`worker \\d \\(process ${victim}\\) was ended by SIGKILL; another takes its place`))
    const fresh = await clientOf(now.find((pid) => pid !== survivor) ?? 0)
    for (const key of acknowledged) {
      const answer = await fresh.ask(`/shop/customers/key=${key}`, {token})
      expect(answer.status, key).to.equal(200)
    }
  })

  it('leaves no worker and no port behind if the process that started them is killed; another server follows', async () => {
    const pids = await workers()
    const answer = await slowRequest()
    server.child.kill('SIGKILL')
    await server.exited
    expect((await answer()).status).to.equal(200)
    await until(() => (pids.some(isAlive) ? undefined : true))
    const {port} = new URL(server.apiUrl)
    const next = createServer().listen(Number(port), '127.0.0.1')
    await new Promise((resolve, reject) => next.once('listening', resolve).once('error', reject))
    next.close()
    await start()
  })

  it('answers at its end what it has begun, and leaves no process', async () => {
    const pids = await workers()
    const answer = await slowRequest()
    server.child.kill('SIGTERM')
    expect((await answer()).status).to.equal(200)
    expect((await server.exited).code).to.equal(143)
    expect(pids.filter(isAlive)).to.deep.equal([])
  })

  it('says which port is in use and ends with 13', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const {port} = other.address() as {port: number}
    const data = join(sandbox.home, 'other')
    const words = ['server', 'start', '--workers', '2', '--port', String(port), '--json', '--data', data]
    const {code, stdout} = await sandbox.frontdesk(words, {env}).finally(() => other.close())
    expect(code).to.equal(13)
    expect(JSON.parse(stdout).error.message).to.include(`The port ${port} of 127.0.0.1 is in use.`)
  })
})
