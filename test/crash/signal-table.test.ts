import {spawn} from 'node:child_process'
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Client} from '../../src/client/client.js'
import {connect} from '../../src/client/connect.js'
import {operations, type RunningServer, startServer} from '../../src/index.js'
import {cleanEnvironment, openSandbox, type Sandbox} from '../e2e/binary.js'
import {hasPty, Pty} from '../e2e/pty.js'
import {processLimitMs} from '../patience.js'
import {rounds} from '../rounds.js'
import {built, endBy, Gate, isAlive, Run, some, until, type Way, ways} from './signalled.js'

const {createCustomer, queryCustomers} = operations

/** What a command leaves that is ended in the middle: the table of docs/troubleshooting.md, tried. */

const customers = 24

describe('e2e · the table of signals', function () {
  if (process.platform !== 'linux' || !hasPty()) return
  this.timeout(processLimitMs)
  let sandbox: Sandbox
  let source: RunningServer
  let target: RunningServer
  const clients: Client[] = []
  const gates: Gate[] = []
  before(async () => {
    sandbox = openSandbox()
    source = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    target = await startServer({dataDir: ':memory:', projectKey: 'shop'})
    for (const {apiUrl, authUrl, projectKey, client} of [source, target]) {
      const {clientId, clientSecret} = client
      const credentials = {kind: 'client', clientId, secret: async () => clientSecret} as const
      clients.push(await connect({kind: 'remote', apiUrl, authUrl, projectKey, credentials}))
    }
  })
  after(async () => {
    for (const client of clients) await client.close()
    for (const gate of gates) await gate.close()
    await source.stop()
    await target.stop()
    sandbox.remove()
  })

  const csv = (name: string): string => {
    const rows = keysOf(name).map((key) => `${key},${key}@example.com\n`)
    const path = join(sandbox.home, `${name}.csv`)
    writeFileSync(path, `key,email\n${rows.join('')}`)
    return path
  }

  /** A machine of its own, whose target and source answer through a gate. */
  async function machine(name: string) {
    const gate = await new Gate(target.apiUrl).listen()
    const from = await new Gate(source.apiUrl).listen()
    gates.push(gate, from)
    const place = (url: string, {client}: RunningServer) => ({
      ...{apiUrl: url, authUrl: url, projectKey: 'shop', clientId: client.clientId},
      secret: {from: `env:SECRET_${client.clientSecret === source.client.clientSecret ? 'FROM' : 'TO'}`},
    })
    const config = join(sandbox.home, name, 'config')
    mkdirSync(join(config, 'frontdesk'), {recursive: true, mode: 0o700})
    const profiles = {from: place(from.url, source), to: place(gate.url, target)}
    const text = JSON.stringify({current: 'to', profiles})
    writeFileSync(join(config, 'frontdesk', 'profiles.json'), text, {mode: 0o600})
    const env = {
      // A command that waits for an answer would still be there when the test gives up.
      FRONTDESK_TIMEOUT: '1h',
      XDG_CONFIG_HOME: config,
      XDG_DATA_HOME: join(sandbox.home, name, 'data'),
      XDG_CACHE_HOME: join(sandbox.home, 'cache'),
      SECRET_FROM: source.client.clientSecret,
      SECRET_TO: target.client.clientSecret,
    }
    return {name, gate, from, env}
  }
  type Machine = Awaited<ReturnType<typeof machine>>

  /** What a command that has ended printed, and its code. */
  async function ran({env}: Machine, ...words: string[]) {
    const run = new Run(sandbox.home, words, env)
    return {code: await run.ended, text: run.text}
  }

  const keysOf = (name: string): string[] => Array.from({length: customers}, (_, at) => `${name}-${at}`)

  async function written(name: string): Promise<number> {
    const query = {where: 'key in :keys', 'var.keys': keysOf(name), limit: 0, withTotal: true}
    return (await clients[1]?.call(queryCustomers, {}, {query}))?.total ?? -1
  }

  /** Starts a command, and waits until requests of it are held. */
  async function held({env}: Machine, gate: Gate, words: readonly string[], way: Way, holds: Gate['holds']) {
    gate.shut(holds)
    const {at} = ways[way]
    const run = at === 'terminal' ? new Pty(words, {home: sandbox.home, env}) : new Run(sandbox.home, words, env)
    let code: number | null | undefined
    void run.ended.then((end) => (code = end))
    await until(
      () => `${words.join(' ')} asks: ${run.text}`,
      () => gate.held > 0 || code !== undefined,
    )
    return run
  }

  /** A job, what to run to have its rest, and how many customers there are of it then. */
  const jobs = {
    'customers import': {
      words: (name: string) => ['customers', 'import', csv(name), '--password-mode', 'external-auth', '--yes'],
      holds: (asked: string, before: number) => before > 8 && /^POST \/shop\/customers/.test(asked),
      again: (words: readonly string[]) => [...words, '--resume'],
      left: customers,
      always: 'Ctrl-C',
    },
    'customers copy': {
      words: (name: string) => [
        ...['customers', 'copy', '--from', 'from', '--to', 'to', '--yes', '--password-mode', 'external-auth'],
        ...['--where', `key >= "${name}-" and key < "${name}-z"`],
      ],
      holds: (asked: string, before: number) => before > 8 && /^POST \/shop\/customers/.test(asked),
      again: (words: readonly string[]) => [...words, '--resume'],
      left: customers,
      always: 'the terminal gone',
    },
    undo: {
      words: () => ['undo', '--yes'],
      holds: (asked: string, before: number) => before > 4 && /^DELETE /.test(asked),
      again: (words: readonly string[]) => words,
      left: 0,
      always: 'SIGTERM',
    },
  } as const

  /** What a job has before it runs: customers to copy, or to take back. */
  async function prepared(command: keyof typeof jobs, own: Machine): Promise<void> {
    if (command === 'customers import') return
    if (command === 'undo') {
      const {code, text} = await ran(own, ...jobs['customers import'].words(own.name))
      expect(code, text).to.equal(0)
    } else
      for (const key of keysOf(own.name)) {
        const body = {email: `${key}@example.com`, key, authenticationMode: 'ExternalAuth'} as never
        await clients[0]?.call(createCustomer, {}, {body})
      }
  }

  for (const command of Object.keys(jobs) as (keyof typeof jobs)[]) {
    const {words: wordsOf, holds, again, left, always} = jobs[command]
    const others: Way[] = command === 'customers import' ? ['Ctrl-C'] : []
    const name = (way: string) => `${command}-${way}`.toLowerCase().replace(/[^a-z]+/g, '')

    it(`${command} finishes what was sent at the first signal, and a repeat does the rest`, async () => {
      for (const way of some(always)) {
        const own = await machine(name(way))
        await prepared(command, own)
        const words = wordsOf(own.name)
        const run = await held(own, own.gate, words, way, holds)
        endBy(run, way)
        // It waits for the answers to what it sent, and sends no more of it.
        if (way === 'the terminal gone') await run.ended
        else await until('it says so', () => /another SIG[A-Z]+ ends/.test(run.text))
        own.gate.open()
        const code = await run.ended
        expect(code, `${way}: ${run.text}`).to.equal(ways[way].code)
        if (code !== null) expect(run.text).to.include('was interrupted').and.include('go on where it ended')
        let rest = await ran(own, ...again(words))
        await until('it has ended, its terminal gone', async () => {
          const isAtWork = way === 'the terminal gone' && /still at work/.test(rest.text)
          if (isAtWork) rest = await ran(own, ...again(words))
          return !isAtWork
        })
        expect(rest.code, `${way}: ${rest.text}`).to.equal(0)
        expect(await written(own.name), way).to.equal(left)
      }
    })

    it(`${command} ends at once at the second signal, and a repeat settles what was on its way`, async () => {
      for (const way of some(...others).filter((one) => one !== 'the terminal gone')) {
        const own = await machine(`${name(way)}twice`)
        await prepared(command, own)
        const words = wordsOf(own.name)
        const run = await held(own, own.gate, words, way, holds)
        endBy(run, way)
        // Two signals at once are one.
        await until('it says so', () => /another SIG[A-Z]+ ends/.test(run.text))
        endBy(run, way)
        expect(await run.ended, `${way}: ${run.text}`).to.equal(ways[way].code)
        own.gate.open()
        const rest = await ran(own, ...again(words))
        expect(rest.code, `${way}: ${rest.text}`).to.equal(0)
        expect(await written(own.name), way).to.equal(left)
      }
    })

    it(`${command} ends at the first signal while it waits for an answer of a server that says nothing`, async () => {
      for (const way of some(...others)) {
        for (const asked of [/^GET \/shop\/customers/, /oauth\/token/].slice(0, rounds(1, 2))) {
          const own = await machine(`${name(way)}silent${rounds(0, asked.source.length)}`)
          await prepared(command, own)
          // Without the token that the preparation has left.
          if (asked.source.includes('token')) own.env.XDG_CACHE_HOME += 'x'
          const run = await held(own, own.gate, wordsOf(own.name), way, (one) => asked.test(one))
          endBy(run, way)
          expect(await run.ended, `${way}: ${run.text}`).to.equal(ways[way].code)
        }
      }
    })
  }

  it('goes on when whoever started it is killed', async () => {
    const own = await machine('orphan')
    const words = jobs['customers import'].words('orphan')
    own.gate.shut(jobs['customers import'].holds)
    const line = ['"$@" & echo "$!"; wait', 'bash', process.execPath, built, ...words]
    const shell = spawn('bash', ['-c', ...line], {
      cwd: sandbox.home,
      env: {...cleanEnvironment(sandbox.home), ...own.env},
    })
    let text = ''
    shell.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await until('it asks', () => own.gate.held > 0)
    shell.kill('SIGKILL')
    own.gate.open()
    await until('it has ended', () => !isAlive(Number(text.split('\n')[0])))
    expect(await written('orphan')).to.equal(customers)
    const {text: listed} = await ran(own, 'jobs', 'list')
    expect(listed).to.include('finished')
  })

  it('ends what only reads at the first signal, and leaves no file', async () => {
    const reading = [
      ['customers', 'export', '--out', 'exported.csv'],
      ['messages', 'tail'],
      ['messages', 'wait', '--type', 'CustomerCreated'],
      ['customers', 'query', '--all'],
    ]
    for (const [at, words] of reading.entries()) {
      for (const way of some(...(at === 0 ? (['Ctrl-C', 'the terminal gone'] as const) : (['SIGTERM'] as const)))) {
        for (const asked of [/^GET \/shop\/(customers|messages)/, /oauth\/token/].slice(0, rounds(1, 2))) {
          const own = await machine(`reads${at}${way.replace(/\W/g, '')}${asked.source.length}`)
          const run = await held(own, own.gate, words, way, (one) => asked.test(one))
          endBy(run, way)
          expect(await run.ended, `${words.join(' ')} ${way}: ${run.text}`).to.equal(ways[way].code)
          await until('nothing is left', () => !readdirSync(sandbox.home).some((one) => one.startsWith('exported.csv')))
        }
      }
    }
  })
})
