import {writeFileSync} from 'node:fs'
import {createServer, type IncomingMessage, request} from 'node:http'
import {join} from 'node:path'
import {text} from 'node:stream/consumers'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {addressOf} from '../../client/foreign-server.js'
import {Desk} from '../run.js'

const minute = (count: number) => new Date(Date.UTC(2026, 10, 1, 12, count)).toISOString()
const row = (key: string, changed: number) => ({
  key,
  email: `${key}@example.com`,
  lastModifiedAt: minute(changed),
  authenticationMode: 'ExternalAuth',
})
const rows = (most: number) => Array.from({length: most}, (_, at) => row(`m-${at + 1}`, at + 1))

interface Stored {
  readonly version: number
  readonly value: unknown
}

/** A target as ours, or as the platform: that has custom objects, and nothing of ours. */
class Front {
  readonly objects = new Map<string, Stored>()
  /** What the platform answers to whoever reads or writes custom objects. */
  refused: {readonly GET?: number; readonly POST?: number} = {}
  isPlatform = false
  /** Whether the next mark is kept, and the answer lost. */
  losesAnswer = false
  /** Done once, before the next mark is written. */
  beforeWrite: (() => Promise<unknown>) | undefined
  readonly #server = createServer((incoming, outgoing) => {
    const {method = '', url: path = ''} = incoming
    const answer = (status: number, body: object = {}) =>
      outgoing.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
    const isMark = path.includes('/custom-objects')
    const pass = () => {
      const headers = {...incoming.headers, host: new URL(this.#behind.apiUrl).host}
      const passed = request(`${this.#behind.apiUrl}${path}`, {method, headers}, (told) => {
        outgoing.writeHead(told.statusCode ?? 500, told.headers)
        told.pipe(outgoing)
      })
      incoming.pipe(passed)
    }
    const go = async (): Promise<void> => {
      if (isMark && method === 'POST') {
        const hook = this.beforeWrite
        this.beforeWrite = undefined
        await hook?.()
      }
      if (!this.isPlatform) pass()
      else if (path.includes('_frontdesk')) answer(404)
      else if (isMark) await this.#object(incoming, answer)
      else pass()
    }
    go().catch((error: unknown) => outgoing.destroy(error as Error))
  })
  readonly #behind: RunningServer

  constructor(behind: RunningServer) {
    this.#behind = behind
  }

  async #object(incoming: IncomingMessage, answer: (status: number, body?: object) => unknown): Promise<void> {
    const {method = '', url: path = ''} = incoming
    const refused = this.refused[method as 'GET' | 'POST']
    if (refused !== undefined) return void answer(refused)
    if (method === 'GET') {
      const found = this.objects.get(path.split('/').at(-1) ?? '')
      return void (found ? answer(200, found) : answer(404))
    }
    const {container, key, version, value} = JSON.parse(await text(incoming)) as Stored & Record<string, string>
    expect(container).to.equal('frontdesk-marks')
    expect(key).to.match(/^[-_~.a-zA-Z0-9]{1,256}$/)
    if (version !== (this.objects.get(key ?? '')?.version ?? 0)) return void answer(409)
    this.objects.set(key ?? '', {version: version + 1, value})
    const isLost = this.losesAnswer
    this.losesAnswer = false
    answer(isLost ? 503 : 201, {version: version + 1, value})
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return addressOf(this.#server)
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

describe('cli · --since last, kept at the target', () => {
  let server: RunningServer
  let front: Front
  let env: Record<string, string>
  let desks: Desk[]

  beforeEach(async () => {
    server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    front = new Front(server)
    env = {
      FRONTDESK_API_URL: `http://127.0.0.1:${await front.listen()}`,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: server.client.clientId,
      FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
    }
    desks = []
  })
  afterEach(async () => {
    for (const desk of desks) desk.remove()
    front.stop()
    await server.stop()
  })

  /** A machine that has never run anything. */
  const machine = () => {
    const desk = new Desk()
    desks.push(desk)
    const run = (...argv: readonly string[]) => desk.run(argv, {env})
    const load = async (most: number, ...flags: readonly string[]) => {
      const file = join(desk.folder, 'rows.jsonl')
      const lines = rows(most).map((one) => JSON.stringify(one))
      writeFileSync(file, lines.join('\n'))
      const last = ['--since', 'last', '--overlap', '0s', '--json']
      const {code, json, stderr} = await run('customers', 'import', file, ...last, ...flags)
      expect(code, stderr).to.equal(0)
      return {...(json as {job: string; read: number; created: number}), stderr}
    }
    return {run, load}
  }

  for (const isPlatform of [false, true]) {
    describe(isPlatform ? 'of the platform' : 'of ours', () => {
      beforeEach(() => {
        front.isPlatform = isPlatform
      })

      it('goes on from another machine, and not after a dry run', async () => {
        expect(await machine().load(2, '--dry-run')).to.include({read: 2})
        expect(await machine().load(2)).to.include({read: 2, created: 2})
        expect(await machine().load(3, '--dry-run')).to.include({read: 2})
        const third = await machine().load(3)
        expect(third).to.include({read: 2, created: 1})
        expect(third.stderr).to.include(`changes since ${minute(2)}`)
        expect(third.stderr).not.to.include('stays on this machine')
      })

      it('goes back with a run that is taken back', async () => {
        const [one, other] = [machine(), machine()]
        await one.load(1)
        const {job} = await one.load(2)
        await other.load(3)
        const dry = await one.run('undo', job, '--dry-run')
        expect(dry.code).to.equal(0)
        expect(await machine().load(3, '--dry-run'), 'not by a dry run').to.include({read: 1})
        const undone = await one.run('undo', job, '--yes')
        expect(undone.stderr).to.include(`--since last goes on at ${minute(1)}: the run was taken back`)
        expect(await other.load(3)).to.include({read: 3, created: 1})
      })

      it('is put back before an undo has ended, which a repeat goes on with', async () => {
        front.isPlatform = true
        const one = machine()
        await one.load(1)
        const {job} = await one.load(2)
        front.refused = {POST: 500}
        expect((await one.run('undo', '--yes')).code).to.not.equal(0)
        expect((await one.run('undo', '--dry-run')).stdout).to.match(
          new RegExp(`of the job ${job}[^]*rows.jsonl on 20`),
        )
        front.refused = {}
        expect((await one.run('undo', '--yes')).stderr).to.include(`--since last goes on at ${minute(1)}`)
        expect((await one.run('undo', job, '--yes')).code).to.equal(3)
      })

      it('begins anew once the first run is taken back, and where every customer was deleted', async () => {
        const one = machine()
        const {job} = await one.load(2)
        expect((await one.run('undo', job, '--yes')).stderr).to.include('--since last begins anew')
        expect(await machine().load(2)).to.include({read: 2, created: 2})
        for (const {key} of rows(2)) {
          expect((await one.run('customers', 'delete', `key=${key}`, '--yes')).code).to.equal(0)
        }
        const emptied = await machine().load(2)
        expect(emptied).to.include({read: 2, created: 2})
        expect(emptied.stderr).to.include('emptied or restored')
      })

      it('keeps the later mark of two runs at once, and both runs can be taken back', async () => {
        const [slow, fast] = [machine(), machine()]
        await slow.load(1)
        front.beforeWrite = async () => fast.load(4)
        const {job} = await slow.load(3)
        expect(await machine().load(4)).to.include({read: 1})
        await slow.run('undo', job, '--yes')
        expect(await machine().load(4)).to.include({read: 4, created: 2})
      })

      it('stays where an undo put it while a run was on its way', async () => {
        const [slow, other] = [machine(), machine()]
        await other.load(1)
        const {job} = await other.load(2)
        front.beforeWrite = async () => other.run('undo', job, '--yes')
        expect((await slow.load(3)).stderr).to.include('was put back or changed meanwhile')
        expect(await machine().load(3)).to.include({read: 3, created: 1})
      })
    })
  }

  it('stays on the machine of a client that may not keep it, in one line', async () => {
    front.isPlatform = true
    for (const refused of [{POST: 403}, {GET: 403, POST: 403}, {POST: 404}]) {
      front.refused = refused
      const one = machine()
      const first = await one.load(1)
      expect(first.stderr.match(/manage_key_value_documents/g)).to.have.length(1)
      expect(first).to.include({read: 1})
      const second = await one.load(2)
      expect(second).to.include({read: 2})
      expect(await machine().load(2), 'another machine reads everything').to.include({read: 2, created: 0})
      expect((await one.run('undo', second.job, '--yes')).stderr).to.include(`goes on at ${minute(1)}`)
      // The client was given the scopes: what this machine knew goes there.
      front.refused = {}
      expect(await one.load(2)).to.include({read: 2})
      expect(await machine().load(2)).to.include({read: 1})
      front.objects.clear()
      expect((await one.load(2, '--dry-run')).stderr, 'and not here any more').to.include('no earlier run')
    }
  })

  it('is put back as well where it was sent twice, since an answer was lost', async () => {
    front.isPlatform = true
    const one = machine()
    await one.load(1)
    front.losesAnswer = true
    const {job} = await one.load(2)
    expect((await one.run('undo', job, '--yes')).stderr).to.include(`goes on at ${minute(1)}`)
  })

  it('says so where an undo may not put it back', async () => {
    front.isPlatform = true
    const one = machine()
    const {job} = await one.load(1)
    front.refused = {POST: 403}
    expect((await one.run('undo', job, '--yes')).stderr).to.include('may not put the mark at the target back')
  })
})
