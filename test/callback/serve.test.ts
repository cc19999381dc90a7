import {spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {probe} from '../../src/cli/check/endpoint.js'
import type {Summary} from '../../src/cli/check/runner.js'
import {backendOf, keptDigests} from '../../src/cli/server/callback-backend.js'
import {type Client, connect, type RunningServer, startCallback, startServer} from '../../src/index.js'
import {built, Desk, root} from '../cli/run.js'

const key = 'an-invented-callback-key'
const wrong = 'another-invented-key-xx'
const cartId = '4e57c6a6-b412-4140-819a-6715ea06b0c0'
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

describe('callback · serve', () => {
  const desk = new Desk()
  const dataDir = join(desk.folder, 'data')
  const lines: object[] = []
  let now = 1_000_000
  let digests: readonly string[] = [digest(key)]
  let server: RunningServer
  let client: Client
  let callback: Awaited<ReturnType<typeof startCallback>>
  before(async () => {
    server = await startServer({dataDir, projectKey: 'demo', seedDir: 'fixtures/demo', settings: {passwordCost: 4}})
    client = await connect({kind: 'embedded', dataDir, projectKey: 'demo'})
    const backend = backendOf(client, dataDir, server.apiUrl)
    const clock = () => now
    callback = await startCallback({backend, keyDigests: () => digests, clock, onRequest: (line) => lines.push(line)})
  })
  after(async () => {
    await callback.stop()
    await client.close()
    await server.stop()
    desk.remove()
  })
  beforeEach(() => {
    now += 120_000
  })

  const get = (id: string, keys: readonly string[] = [key], method = 'GET') =>
    probe(`${callback.url}/${id}`, {...(keys.length === 0 ? {} : {headers: {'X-Api-Key': keys}}), method})

  it('L01 gives a token to a right key, and the cart to the id of a cart', async () => {
    const {status, body} = await get('hazel-brandvold')
    expect(status).to.equal(200)
    const token = JSON.parse(body) as {access_token: string; token_type: string; expires_in: number}
    expect(token).to.include({token_type: 'Bearer', expires_in: 600})
    const headers = {authorization: `Bearer ${token.access_token}`}
    const me = await fetch(`${server.apiUrl}/demo/me`, {headers})
    expect(await me.json()).to.have.property('key', 'hazel-brandvold')
    expect(JSON.parse((await get(cartId)).body)).to.have.property('id', cartId)
  })

  it('L02 L03 L04 refuses a missing key, a wrong one and two, with the same body', async () => {
    const answers = [
      await get('hazel-brandvold', []),
      await get('hazel-brandvold', [wrong]),
      await get('hazel-brandvold', [key, key]),
      await get('hazel-brandvold', ['']),
    ]
    expect(answers.map(({status}) => status)).to.deep.equal([401, 401, 401, 401])
    expect(new Set(answers.map(({body}) => body)).size).to.equal(1)
  })

  it('L05 allows GET only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const {status, headers} = await get('hazel-brandvold', [key], method)
      expect([status, headers['allow']], method).to.deep.equal([405, 'GET'])
    }
  })

  it('L06 refuses a key in the query, and logs neither keys nor users', async () => {
    expect((await get(`hazel-brandvold?X-Api-Key=${key}&api_key=${key}`, [])).status).to.equal(401)
    expect(JSON.stringify(lines)).to.include('"status":401').and.not.include(key).and.not.include('hazel')
  })

  it('L07 finds nothing under hostile ids', async () => {
    const ids = [
      'a%2Fb',
      '..%2f..%2fetc%2fpasswd',
      '..',
      '%2e%2e',
      'a%00b',
      'x'.repeat(300),
      '__proto__',
      '%ff',
      '',
      'a/b',
    ]
    for (const id of ids) expect((await get(id)).status, id).to.equal(404)
  })

  it('L08 answers a wrong key alike for users that exist and users that do not', async () => {
    const [known, unknown] = [await get('hazel-brandvold', [wrong]), await get('nobody-here', [wrong])]
    const shown = ({status, body, headers: {date: _, ...headers}}: typeof known) => ({status, body, headers})
    expect(shown(known)).to.deep.equal(shown(unknown))
    expect((await get('nobody-here')).status).to.equal(404)
  })

  it('L09 keeps keys as digests, two of them while they rotate, and refuses the old one after', async () => {
    const folder = join(desk.folder, 'keys')
    const kept = (given: string | undefined, end = false) => {
      digests = keptDigests(folder, 'demo', given, end)
      return digests.length
    }
    const statuses = async () => [(await get('hazel-brandvold')).status, (await get('hazel-brandvold', [wrong])).status]
    expect(kept(key)).to.equal(1)
    expect(await statuses()).to.deep.equal([200, 401])
    expect(kept(wrong)).to.equal(2)
    expect(await statuses()).to.deep.equal([200, 200])
    expect(kept(undefined, true)).to.equal(1)
    expect(await statuses()).to.deep.equal([401, 200])
    expect(kept(key, true)).to.equal(1)
    const text = readFileSync(join(folder, 'demo.callback.json'), 'utf8')
    expect(text).to.include(digest(key)).and.not.include(key)
  })

  it('L10 answers 429 after twenty wrong keys within a minute, until the minute is over', async () => {
    for (let at = 0; at < 20; at += 1) expect((await get('hazel-brandvold', [wrong])).status).to.equal(401)
    const {status, headers} = await get('hazel-brandvold')
    expect([status, headers['retry-after']]).to.deep.equal([429, '60'])
    now += 60_001
    expect((await get('hazel-brandvold')).status).to.equal(200)
  })

  it('L11 gives scopes of the customer only, bound to their store, in answers that nobody may keep', async () => {
    const {body, headers} = await get('mira-berlin')
    expect(headers['cache-control']).to.equal('no-store')
    const names = (JSON.parse(body) as {scope: string}).scope.split(' ').map((scope) => scope.split(':')[0])
    expect(names.filter((name) => !/^(manage_my_\w+|customer_id)$/.test(name ?? ''))).to.deep.equal([])
    expect(names).to.include.members(['manage_my_quotes', 'customer_id'])
  })

  it('L12 checks over https only except on this machine, and never sends the key elsewhere', async () => {
    const options = {stdin: key}
    const remote = ['callback', 'check', 'http://shop.example/cb', '--user', 'x', '--api-key-stdin']
    expect((await desk.run(remote, options)).code).to.equal(2)
    const argv = ['callback', 'check', callback.url, '--user', 'hazel-brandvold', '--cart', cartId, '--api-key-stdin']
    const {code, json, stdout} = await desk.run([...argv, '--json'], options)
    expect(code, stdout).to.equal(0)
    expect((json as Summary).passed).to.equal(12)
  })

  it('runs the example of both commands: serve in a process of its own, check against it', async () => {
    const folder = join(desk.folder, 'example')
    mkdirSync(folder, {mode: 0o700})
    writeFileSync(join(folder, 'callback.key'), `${key}\n`, {mode: 0o600})
    const words = ['--api-key-file', join(folder, 'callback.key')]
    const argv = [built, 'callback', 'serve', ...words, '--project-key', 'demo', '--seed', 'fixtures/demo', '--json']
    const env = {...process.env, ...desk.env, FRONTDESK_DATA_DIR: folder}
    const child = spawn(process.execPath, argv, {cwd: root, env, stdio: ['ignore', 'pipe', 'inherit']})
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (text: Buffer) => resolve(String(text))),
    )
    expect(line).to.include('url')
    const {url} = JSON.parse(line) as {url: string}
    const check = ['callback', 'check', url, '--user', 'hazel-brandvold', ...words]
    const {code, stdout, stderr} = await desk.run(check)
    child.kill('SIGTERM')
    expect(code, stdout + stderr).to.equal(0)
    expect(stdout).to.include('12 passed, 0 failed')
    expect(await ended).to.equal(143)
  })
})
