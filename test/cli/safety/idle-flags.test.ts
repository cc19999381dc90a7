import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {BaseCommand} from '../../../src/cli/command/base-command.js'
import {maker} from '../customers/harness.js'
import {config, Desk} from '../run.js'
import {everyCommand} from './every-command.js'

interface Flag {
  readonly type: 'boolean' | 'option'
  readonly options?: readonly string[]
  readonly helpValue?: string
  readonly dependsOn?: readonly string[]
}

/** What flags are tried with; a choice is tried with its first word, a number with 1, any other with a word. */
const values: Readonly<Record<string, string>> = {
  profile: 'demo',
  'api-url': 'http://127.0.0.1:9',
  'auth-url': 'http://127.0.0.1:9',
  timeout: '9s',
  'ca-file': 'secret',
  out: 'result',
  'trace-http': 'trace.har',
}

/** What a command answers people with, and how much, is theirs at any command. */
const forPeople = ['quiet', 'verbose', 'yes', 'no-input', 'no-color', 'redact', 'dry-run']

/** Flags whose effect begins with the act, which a dry run does not reach. */
const ofTheAct = [
  ...[
    'reason',
    'ticket',
    'confirm-profile',
    'receipt',
    'backup',
    'report',
    'on-conflict',
    'verify',
    'expand',
    'format',
  ],
  ...['generated-passwords', 'reset-links', 'reset-links-ttl', 'resume'],
  ...['seed', 'log', 'fallback', 'print', 'force', 'reset-link', 'verify-link', 'open', 'detach', 'keep-bodies'],
]

/** Flags of requests, which a dry run may do without. */
const ofRequests = ['trace-http', 'timeout', 'retries', 'ca-file', 'correlation-id']

describe('cli · flags without an effect', () => {
  const desk = new Desk()
  const home = process.cwd()
  const {init} = BaseCommand.prototype
  let read = new Set<string>()

  before(async () => {
    const work = join(desk.folder, 'work')
    mkdirSync(work)
    process.chdir(work)
    writeFileSync('secret', 'a-secret-of-these-tests', {mode: 0o600})
    writeFileSync('customers.csv', 'key,email\nnew-1,new-1@example.com\n')
    writeFileSync(
      'checks.json',
      '{"checks":[{"name":"a","query":{"resource":"customers"},"assert":["results exists"]}]}',
    )
    for (const words of [
      'server seed demo --project-key demo',
      'login demo --local --project-key demo',
      'profiles use demo',
    ])
      expect((await desk.run(words.split(' '))).code, words).to.equal(0)
    BaseCommand.prototype.init = async function (this: BaseCommand<never>) {
      await init.call(this)
      const seen = (flags: object, name: string | symbol): unknown => {
        read.add(String(name))
        return Reflect.get(flags, name)
      }
      Object.assign(this, {flags: new Proxy(this.flags, {get: seen})})
    }
  })
  after(() => {
    BaseCommand.prototype.init = init
    process.chdir(home)
    desk.remove()
  })

  const worded = (name: string, {type, options, helpValue = ''}: Flag): string => {
    if (type === 'boolean') return `--${name}`
    return `--${name}=${values[name] ?? options?.[0] ?? (/^[N\d]/.test(helpValue) ? '1' : 'x')}`
  }

  const loaded = async (id: string) =>
    (await (await config()).findCommand(id.replaceAll(' ', ':'), {must: true}).load()) as unknown as typeof BaseCommand

  it('are refused where a command only reads', async () => {
    for (const words of [
      ...['api GET customers', 'check smoke --read-only', 'server clock show', 'server faults show'],
      ...['server faults operations', 'customers diff customers.csv --password-mode external-auth'],
    ]) {
      for (const flag of ['--reason=x', '--ticket=x', '--confirm-profile=demo']) {
        const {code, stderr} = await desk.run([...words.split(' '), flag])
        expect([code, stderr.includes('only reads')], `${words} ${flag}: ${stderr}`).to.deep.equal([2, true])
      }
    }
    expect((await desk.run(['api', 'GET', 'customers', '--body', '{}'])).code).to.equal(2)
  })

  it('are refused by every command: each flag is read, or ends with 2 before anything is sent', async () => {
    const faults: string[] = []
    for (const id of Object.keys(everyCommand)) {
      const {baseFlags, flags, operations, uses} = await loaded(id)
      const all = {...baseFlags, ...flags} as unknown as Readonly<Record<string, Flag>>
      const words = everyCommand[id] ?? []
      const requests = uses?.includes('requests') ?? operations.length > 0
      for (const [name, flag] of Object.entries(all)) {
        if (words.includes(`--${name}`) || forPeople.includes(name) || ofTheAct.includes(name)) continue
        for (const file of ['result', 'trace.har', 'x']) rmSync(file, {recursive: true, force: true})
        const needed = (flag.dependsOn ?? []).filter((one) => !words.includes(`--${one}`))
        const given = [...needed.map((one) => worded(one, all[one] as Flag)), worded(name, flag), '--dry-run']
        const at = words.indexOf('--')
        read = new Set()
        const argv = [...id.split(' '), ...words.toSpliced(at < 0 ? words.length : at, 0, ...given)]
        const {code, stderr} = await desk.run(argv)
        const isLeft = requests && ofRequests.includes(name)
        // What failed on its way did not come to read the others.
        const isDone = code === 0 || code === 9
        if (isDone && !read.has(name) && !isLeft) faults.push(`${id} --${name}: ${code} ${stderr}`)
      }
    }
    expect(faults.join('\n')).to.equal('')
  })
})

describe('cli · flags that have no effect together', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)

  it('refuses flags that would have no effect, and does nothing', async () => {
    await make('idle-a')
    await make('idle-b')
    const secret = join(desk.folder, 'secret')
    writeFileSync(secret, 'a-password', {mode: 0o600})
    const create = ['customers', 'create', '--email', 'idle-c@example.com']
    for (const [says, ...argv] of [
      ['--max is 1', 'customers', 'delete', 'key=idle-a', 'key=idle-b', '--max', '1', '--yes'],
      ['have no effect', ...create, '--external-auth', '--password-file', secret],
      ['have no effect', ...create, '--external-auth', '--password-stdin'],
      [
        'no effect without --auth-mode',
        'customers',
        'update',
        'key=idle-a',
        '--set',
        'title=P',
        '--password-file',
        secret,
      ],
      ['--output yaml has no effect', 'messages', 'tail', '--for', '1s', '-o', 'yaml'],
      ['--output csv has no effect', 'server', 'requests', '--follow', '-o', 'csv'],
      ['--fields has no effect', 'messages', 'tail', '--for', '1s', '--fields', 'id'],
      ['--out takes a whole result', 'messages', 'tail', '--for', '1s', '--out', join(desk.folder, 'tail.jsonl')],
      ['--output table has no effect', 'server', 'start', '--port', '0', '-o', 'table'],
      ['--output ids has no effect', 'introspection', 'serve', '--port', '0', '-o', 'ids'],
      ['--encoding has no effect', 'customers', 'template', '--encoding', 'utf-8'],
      ['--header-row has no effect', 'customers', 'template', '--preset', 'shopify', '--header-row', '2'],
      ['--rate has no effect', 'undo', 'key=idle-a', '--rate', '1/s'],
      ['--concurrency has no effect', 'undo', 'key=idle-a', '--concurrency', '2'],
    ] as [string, ...string[]][]) {
      const {code, stderr} = await desk.run(argv, {stdin: 'a-password'})
      expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(2)
      expect(stderr.replaceAll('\n', ' ')).to.include(says)
    }
    const {json} = await desk.run(['customers', 'get', 'key=idle-a', '--json'])
    expect(json).to.include({version: 1})
    expect((await desk.run(['customers', 'exists', 'key=idle-b'])).code).to.equal(0)
    expect((await desk.run(['customers', 'exists', 'idle-c@example.com'])).code).to.equal(3)
    const both = ['customers', 'delete', 'key=idle-a', 'key=idle-b', '--max', '2', '--yes']
    expect((await desk.run(both)).code).to.equal(0)
  })
})
