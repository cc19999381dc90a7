import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Client} from '../../../src/client/client.js'
import {Watermark} from '../../../src/transfer/output/watermark.js'
import {Desk} from '../run.js'

const minutes = (count: number) => new Date(Date.UTC(2026, 10, 1, 12, count)).toISOString()

describe('transfer · how far a reading has come', () => {
  const serverAt = (time: string) => ({serverTime: () => Date.parse(time)}) as unknown as Client
  const seeing = (began: string, ...changes: readonly string[]) => {
    const watermark = new Watermark()
    watermark.begin(serverAt(began))
    for (const lastModifiedAt of changes) watermark.see({lastModifiedAt})
    return watermark.value
  }

  it('is the last change that was seen', () => {
    expect(seeing(minutes(30), minutes(3), minutes(7), minutes(5))).to.equal(minutes(7))
  })
  it('is never past the beginning, since customers change behind the walk', () => {
    expect(seeing(minutes(30), minutes(3), minutes(40))).to.equal(minutes(30))
  })
  it('is nothing where nobody was seen', () => {
    expect(seeing(minutes(30))).to.equal(undefined)
    expect(new Watermark().value).to.equal(undefined)
  })
})

describe('cli · --since', () => {
  const desk = new Desk()
  const at = (side: string) => ({FRONTDESK_DATA_DIR: join(desk.folder, side)})
  const run = async (side: string, ...argv: readonly string[]) => desk.run(argv, {env: at(side)})
  const create = async (side: string, draft: object) => {
    const argv = ['customers', 'create', '--external-auth', '--body', '-']
    expect((await desk.run(argv, {env: at(side), stdin: JSON.stringify(draft)})).code).to.equal(0)
  }
  const exported = async (...flags: readonly string[]) => {
    const {code, stdout, stderr} = await run('from', 'customers', 'export', '--format', 'jsonl', ...flags)
    expect(code, stderr).to.equal(0)
    const lines = stdout.split('\n').filter((line) => line !== '')
    return {keys: lines.map((line) => (JSON.parse(line) as {key: string}).key).toSorted(), stdout, stderr}
  }
  const last = ['--since', 'last', '--overlap', '0s']

  before(async () => {
    const profile = (side: string) => ({projectKey: 'local', dataDir: join(desk.folder, side)})
    mkdirSync(join(desk.folder, 'config'), {recursive: true, mode: 0o700})
    const profiles = {profiles: {from: profile('from'), to: profile('to')}}
    writeFileSync(join(desk.folder, 'config/profiles.json'), JSON.stringify(profiles), {mode: 0o600})
    await create('from', {key: 'first', email: 'first@example.com'})
    await create('from', {key: 'second', email: 'second@example.com'})
  })
  after(() => desk.remove())

  it('last reads everything at first and then what changed, in a private file that names nobody', async () => {
    const whole = await exported(...last)
    expect(whole.keys).to.deep.equal(['first', 'second'])
    expect(whole.stderr).to.match(/everything is read[\s\S]*--since last goes on at 20/)
    const folder = join(desk.folder, 'from/_since')
    const [name = '', another] = readdirSync(folder)
    expect(another).to.equal(undefined)
    expect(statSync(join(folder, name)).mode & 0o777).to.equal(0o600)
    expect(name + readFileSync(join(folder, name), 'utf8')).to.match(/^[0-9a-f]{64}\.json\{"watermark":"[-:.TZ\d]+"\}$/)
    await create('from', {key: 'third', email: 'third@example.com'})
    // The last one that was read comes again: another may have changed at the same millisecond.
    expect((await exported(...last)).keys).to.deep.equal(['second', 'third'])
    expect((await exported(...last)).keys).to.deep.equal(['third'])
    expect((await exported('--since', 'last')).keys, 'five minutes are read again').to.have.length(3)
  })

  it('keeps other predicates, names and pseudonyms apart', async () => {
    for (const flags of [
      ['--since', 'last:shop'],
      [...last, '-w', 'key is defined'],
      [...last, '--anonymize', '7'],
    ]) {
      expect((await exported(...flags)).stdout.split('\n'), flags.join(' ')).to.have.length(4)
    }
  })

  it('takes a moment, which moves no place past what nobody has read', async () => {
    expect((await exported('--since', '2000-01-01')).keys).to.have.length(3)
    const ahead = await exported('--since', '2999-01-01')
    expect(ahead.keys).to.deep.equal([])
    expect((await exported(...last)).keys).to.deep.equal(['third'])
    for (const wrong of ['yesterday', 'last:', 'last:a/b']) {
      expect((await run('from', 'customers', 'export', '--since', wrong)).code, wrong).to.equal(2)
    }
  })

  it('copies changes, and stays where it is when a customer failed', async () => {
    const copy = (...flags: readonly string[]) =>
      desk.run(['customers', 'copy', '--from', 'from', '--to', 'to', ...last, '--json', ...flags])
    await create('to', {key: 'taken', email: 'third@example.com'})
    const failed = await copy()
    expect(failed.json, failed.stderr).to.include({created: 2, failed: 1})
    expect(failed.stderr).to.include('--since last begins anew: 1 row failed')
    expect((await desk.run(['customers', 'delete', 'taken', '--yes'], {env: at('to')})).code).to.equal(0)
    expect((await copy('--dry-run')).json).to.include({read: 3, create: 1})
    expect((await copy()).json).to.include({created: 1, unchanged: 2})
    expect((await copy()).json).to.include({read: 1, unchanged: 1})
  })

  it('leaves no gap: a run that began later moves nothing', async () => {
    await create('from', {key: 'fourth', email: 'fourth@example.com'})
    const {json} = await run('from', 'customers', 'get', 'fourth', '--json')
    const {lastModifiedAt} = json as {lastModifiedAt: string}
    const later = await exported('--since', lastModifiedAt)
    expect(later.keys).to.deep.equal(['fourth'])
    expect(later.stderr).to.include('since this run began later')
    expect((await exported(...last)).keys).to.deep.equal(['fourth', 'third'])
  })

  it('imports the rows of an export that changed', async () => {
    const file = join(desk.folder, 'all.csv')
    expect((await run('from', 'customers', 'export', '--out', file)).code).to.equal(0)
    const load = (...flags: readonly string[]) =>
      run('new', 'customers', 'import', file, '--password-mode', 'external-auth', '--json', ...flags)
    expect((await load(...last)).json).to.include({read: 4, created: 4})
    expect((await load(...last)).json).to.include({read: 1, unchanged: 1})
    const rows = join(desk.folder, 'rows.csv')
    writeFileSync(rows, 'key,email\na,a@example.com\n')
    const {code, stderr} = await run('new', 'customers', 'import', rows, '--since', 'last')
    expect(code).to.equal(2)
    expect(stderr).to.include('line 2 has no lastModifiedAt')
  })

  it('goes back with a run that is taken back, and with those after it', async () => {
    const side = 'undone'
    const file = join(desk.folder, 'rows.jsonl')
    const row = (key: string, minute: number) =>
      JSON.stringify({
        key,
        email: `${key}@example.com`,
        lastModifiedAt: minutes(minute),
        authenticationMode: 'ExternalAuth',
      })
    const load = async (...rows: readonly string[]) => {
      writeFileSync(file, rows.join('\n'))
      const {json, stderr} = await run(side, 'customers', 'import', file, ...last, '--json')
      return {...(json as {job: string; read: number; created: number}), stderr}
    }
    const first = await load(row('u-1', 1))
    const second = await load(row('u-1', 1), row('u-2', 2))
    expect(second).to.include({read: 2, created: 1})
    const undone = await run(side, 'undo', second.job, '--yes')
    expect(undone.stderr).to.include(`--since last goes on at ${minutes(1)}: the run was taken back`)
    const third = await load(row('u-1', 1), row('u-2', 2))
    expect(third).to.include({read: 2, created: 1})
    const whole = await run(side, 'undo', first.job, '--yes')
    expect(whole.stderr).to.include('--since last begins anew: the run was taken back')
    expect((await load(row('u-1', 1), row('u-2', 2))).created).to.equal(1)
  })

  it('has no mark at a target that was emptied, and its own at a restored one', async () => {
    const file = join(desk.folder, 'again.jsonl')
    const row = (key: string, minute: number) =>
      `{"key":"${key}","email":"${key}@example.com","lastModifiedAt":"${minutes(minute)}","authenticationMode":"ExternalAuth"}\n`
    const load = async () => run('again', 'customers', 'import', file, ...last, '--json')
    const server = async (...argv: readonly string[]) => {
      const {code, stderr} = await run('again', 'server', ...argv)
      expect(code, stderr).to.equal(0)
    }
    writeFileSync(file, row('r-1', 1))
    await load()
    await server('snapshot', 'save', 'one')
    writeFileSync(file, row('r-1', 1) + row('r-2', 2))
    expect((await load()).json).to.include({read: 2, created: 1})
    writeFileSync(file, row('r-1', 1) + row('r-2', 2) + row('r-3', 3))
    expect((await load()).json).to.include({read: 2, created: 1})
    await server('snapshot', 'restore', 'one', '--yes')
    const restored = await load()
    expect(restored.json).to.include({read: 3, created: 2})
    expect(restored.stderr).to.include('changes since 2026-11-01T12:01')
    await server('reset', '--yes')
    const emptied = await load()
    expect(emptied.json).to.include({read: 3, created: 3})
    expect(emptied.stderr).to.include('no earlier run with --since last: everything is read')
    expect((await load()).json).to.include({read: 1, unchanged: 1})
  })
})
