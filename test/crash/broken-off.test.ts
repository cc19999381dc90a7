import {spawn} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {createServer, request} from 'node:http'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../src/index.js'
import {seededRandom} from '../../src/server/http/faults.js'
import {addressOf} from '../client/foreign-server.js'
import {furnish} from '../e2e/typed.js'
import {rounds} from '../rounds.js'

/** Processes that are killed at their writes, and what whoever types the command again finds. */

interface Kill {
  /** At which write, and whether it reaches the target. */
  readonly at: number
  readonly when: 'before' | 'after'
  readonly signal: 'SIGKILL' | 'SIGINT'
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

const base = ['a', 'b', 'c']
const all = [...base, 'd', 'e']

describe('crash · runs, undos and erasures that are killed', function () {
  this.timeout(1_800_000)
  let server: RunningServer
  let home = ''
  let env: NodeJS.ProcessEnv = {}
  let kill: (Kill & {readonly child: () => void}) | undefined
  let writes = 0

  const front = createServer((incoming, outgoing) => {
    const {method = '', url = '', headers} = incoming
    const isWrite = method === 'DELETE' || (method === 'POST' && /\/customers(\/[0-9a-f-]{36})?(\?|$)/.test(url))
    if (isWrite) writes += 1
    const mine = isWrite && writes === kill?.at ? kill : undefined
    if (mine?.when === 'before') {
      mine.child()
      if (mine.signal === 'SIGKILL') return
    }
    const {apiUrl} = server
    const passed = request(`${apiUrl}${url}`, {method, headers: {...headers, host: new URL(apiUrl).host}}, (told) => {
      if (mine?.when === 'after') {
        mine.child()
        if (mine.signal === 'SIGKILL') return void told.resume()
      }
      outgoing.writeHead(told.statusCode ?? 500, told.headers)
      told.pipe(outgoing)
    })
    incoming.pipe(passed)
  })

  before(async () => {
    server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    front.closeAllConnections()
    front.close()
    await server.stop()
  })
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'frontdesk-killed-'))
    env = {
      ...furnish(home),
      FRONTDESK_API_URL: `http://127.0.0.1:${addressOf(front)}`,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: server.client.clientId,
      FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
    }
  })
  afterEach(() => rmSync(home, {recursive: true, force: true}))

  /** Types a line into a shell. */
  const typed = (line: string, at?: Kill): Promise<Ended> => {
    writes = 0
    const child = spawn('sh', ['-c', `exec ${line}`], {cwd: home, env, stdio: ['ignore', 'pipe', 'pipe']})
    kill = at && {...at, child: () => void child.kill(at.signal)}
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    return new Promise((resolve) =>
      child.once('close', (code) => {
        kill = undefined
        resolve({code, output})
      }),
    )
  }
  const done = async (line: string, codes: readonly (number | null)[] = [0]): Promise<string> => {
    const {code, output} = await typed(line)
    expect(codes, `${line}: ${output}`).to.include(code)
    return output
  }
  const names = async (prefix: string): Promise<Readonly<Record<string, string>>> => {
    const {client} = server
    const form = new URLSearchParams({grant_type: 'client_credentials'})
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')
    const headers = {authorization: `Basic ${basic}`}
    const token = await fetch(`${server.authUrl}/oauth/token`, {method: 'POST', headers, body: form})
    const {access_token: access} = (await token.json()) as {access_token: string}
    const answer = await fetch(`${server.apiUrl}/shop/customers?limit=500`, {
      headers: {authorization: `Bearer ${access}`},
    })
    const {results} = (await answer.json()) as {results: {key: string; firstName?: string}[]}
    return Object.fromEntries(
      results
        .filter(({key}) => key.startsWith(prefix))
        .map(({key, firstName = ''}) => [key.slice(prefix.length), firstName]),
    )
  }
  const rowsOf = (prefix: string, keys: readonly string[], name: string) =>
    keys
      .map((key) =>
        JSON.stringify({
          ...{key: `${prefix}${key}`, email: `${prefix}${key}@x.de`, firstName: `${name}-${prefix}${key}`},
          authenticationMode: 'ExternalAuth',
        }),
      )
      .join('\n')

  it('are gone on with as their words say: nothing is lost, and what stays is told', async () => {
    for (let seed = 1; seed <= rounds(1, 40); seed += 1) {
      const random = seededRandom(seed)
      const below = (most: number) => Math.floor(random() * most)
      const killed = (most: number): Kill | undefined =>
        below(4) === 0
          ? undefined
          : {
              at: 1 + below(most),
              when: below(2) === 0 ? 'before' : 'after',
              signal: below(3) === 0 ? 'SIGINT' : 'SIGKILL',
            }
      const prefix = `k${seed}-`
      const rows = join(home, 'rows.jsonl')
      const load = `frontdesk customers import rows.jsonl`
      writeFileSync(rows, rowsOf(prefix, base, 'base'))
      await done(load)
      rmSync(join(home, 'data'), {recursive: true, force: true})
      const before = await names(prefix)
      writeFileSync(rows, rowsOf(prefix, all, 'first'))
      await typed(load, killed(all.length))
      // The corrected file, or the same again.
      writeFileSync(rows, rowsOf(prefix, all, below(3) === 0 ? 'first' : 'second'))
      await typed(`${load}${below(2) === 0 ? ' --resume' : ''}`, killed(all.length))
      const told: string[] = []
      for (let turn = 0; ; turn += 1) {
        expect(turn, `seed ${seed} ends`).to.be.below(20)
        const {code, output} = await typed('frontdesk undo --yes', killed(3))
        if (code === 3) break
        const [, advice, line] = /may have sent when it was killed; (.*)\n {2}(frontdesk .*)\n/.exec(output) ?? []
        if (line === undefined) continue
        // As it stands there.
        const answer = await done(line, advice?.startsWith('let it end') ? [0, 10] : [0])
        if (advice?.startsWith('look')) {
          told.push(answer)
          if (code === 10 && /0 deleted/.test(output) && /0 restored/.test(output)) break
        }
      }
      const now = await names(prefix)
      const lost = Object.entries(before).filter(([key, name]) => now[key] !== name)
      expect(lost, `seed ${seed}`).to.deep.equal([])
      const left = Object.keys(now).filter((key) => !(key in before))
      for (const key of left) expect(told.join(), `seed ${seed}: ${key} stays`).to.include(`${prefix}${key}`)
      rmSync(join(home, 'data'), {recursive: true, force: true})
    }
  })

  it('leave nothing of a person once the command was typed again, wherever an erasure was killed', async () => {
    const found = (values: readonly string[]): readonly string[] => {
      const texts = ['data', 'config', 'cache', '.local', '.config', '.cache'].flatMap((name) => {
        const folder = join(home, name)
        mkdirSync(folder, {recursive: true})
        return readdirSync(folder, {recursive: true, encoding: 'utf8'})
          .map((file) => join(folder, file))
          .filter((path) => statSync(path).isFile() && statSync(path).size < 10_000_000)
          .map((path) => readFileSync(path, 'latin1'))
      })
      return values.filter((value) => texts.some((text) => text.includes(value)))
    }
    const kills = [1, 2].flatMap((at) =>
      (['before', 'after'] as const).flatMap((when) =>
        (['SIGKILL', 'SIGINT'] as const).map((signal) => ({at, when, signal})),
      ),
    )
    for (const [round, at] of kills.entries()) {
      if (round % rounds(5, 1) !== 0) continue
      const prefix = `gone${round}-`
      const rows = join(home, 'rows.jsonl')
      for (const name of ['old', 'new']) {
        writeFileSync(rows, rowsOf(prefix, base, name))
        await done('frontdesk customers import rows.jsonl')
      }
      // Rows that fail name them as well.
      writeFileSync(rows, rowsOf(prefix, base, 'new').replaceAll(`"key":"${prefix}`, `"key":"other-${prefix}`))
      await done('frontdesk customers import rows.jsonl --max-failures 100%', [10])
      rmSync(rows)
      for (const key of base)
        await done(`frontdesk customers update key=${prefix}${key} --set firstName=hand-${prefix}${key}`)
      const values = base.flatMap((key) =>
        ['old-', 'new-', 'hand-'].map((name) => `${name}${prefix}${key}`).concat(`${prefix}${key}@x.de`),
      )
      expect(found(values).length).to.equal(values.length)
      const erase = `frontdesk customers delete -w 'key in (${base.map((key) => `"${prefix}${key}"`).join()})' --max 5 --erase-personal-data --yes`
      const broken = await typed(erase, at)
      expect(broken.code, JSON.stringify(at)).to.not.equal(3)
      await done(erase)
      expect(found(values), `${JSON.stringify(at)}: ${broken.output}`).to.deep.equal([])
    }
  })
})
