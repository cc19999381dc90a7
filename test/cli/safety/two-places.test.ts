import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {isSamePlace} from '../../../src/client/place.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'
import {recordReaders} from './record-reads.js'

/** Two servers with the same customers under one project key, and one folder of records: what was done at the first is the first's alone. */
describe('cli · records of two places', () => {
  const servers: RunningServer[] = []
  let desk: Desk
  let job = ''
  const id = '1a6d66fe-b045-4294-88fa-3a4ddaf9d263'
  const at = (name: 'one' | 'two', ...argv: string[]) => desk.run([...argv, '-P', name])

  before(async () => {
    desk = new Desk()
    const password = join(desk.folder, 'password')
    writeFileSync(password, 'a-password-1', {mode: 0o600})
    for (const name of ['one', 'two']) {
      const server = await startServer({
        dataDir: ':memory:',
        projectKey: 'demo',
        seedDir: 'demo',
        settings: {passwordCost: 4},
      })
      servers.push(server)
      desk.env[`SECRET_${name.toUpperCase()}`] = server.client.clientSecret
      await desk.run([
        ...['login', name, '--no-check', '--project-key', 'demo', '--api-url', server.apiUrl, '--client-id'],
        ...[server.client.clientId, '--secret-from', `env:SECRET_${name.toUpperCase()}`],
      ])
    }
    const changed = await at('one', 'customers', 'update', `id=${id}`, '--set', 'title=Sir', '--ticket', 'T-1')
    expect(changed.code, changed.stderr).to.equal(0)
    const rows = join(desk.folder, 'rows.csv')
    writeFileSync(rows, 'key,email,firstName\nnew-one,new-one@example.com,New\n')
    const imported = await at('one', 'customers', 'import', rows, '--password-mode', 'external-auth', '--json')
    expect(imported.code, imported.stderr).to.equal(0)
    job = (imported.json as {job: string}).job
    const saved = await at('one', 'token', 'issue', '--save', 'mine')
    expect(saved.code, saved.stderr).to.equal(0)
  })
  after(async () => {
    for (const server of servers) await server.stop()
    desk.remove()
  })

  /** What each command says of the record at a place. */
  const reads: Readonly<Record<string, (name: 'one' | 'two') => Promise<boolean>>> = {
    'customers history': async (name) => (await at(name, 'customers', 'history', `id=${id}`)).stdout.includes('T-1'),
    'customers dossier': async (name) =>
      (await at(name, 'customers', 'dossier', `id=${id}`, '--json')).stdout.includes('T-1'),
    'audit list --target': async (name) => (await at(name, 'audit', 'list', '--target', id)).code === 0,
    'audit list --target, of a profile in use': async (name) => {
      await desk.run(['profiles', 'use', name])
      return (await desk.run(['audit', 'list', '--target', id])).code === 0
    },
    'jobs list': async (name) => (await at(name, 'jobs', 'list')).stdout.includes(job),
    'undo of a customer': async (name) => (await at(name, 'undo', `id=${id}`, '--dry-run')).code === 0,
    'undo of a job': async (name) => (await at(name, 'undo', job, '--dry-run')).code === 0,
    'undo of the last job': async (name) => (await at(name, 'undo', '--dry-run')).code === 0,
    'customers erased, by what this machine keeps': async (name) => {
      const {json} = await at(name, 'customers', 'erased', id, '--json')
      return Object.keys((json as {kept: object}).kept).length > 0
    },
    'customers export --since last': async (name) => {
      const out = (at: string) => [
        'customers',
        'export',
        '--since',
        'last',
        '--out',
        join(desk.folder, `${at}.jsonl`),
        '--json',
      ]
      if (name === 'one') await at('one', ...out('first'))
      return ((await at(name, ...out(`next-${name}`))).json as {exported: number}).exported < 5
    },
    'a saved session to revoke': async (name) =>
      (await at(name, 'token', 'revoke', '--saved', 'mine', '--dry-run')).code === 0,
    'a saved session': async (name) => (await at(name, 'token', 'introspect', '--saved', 'mine')).code === 0,
  }

  for (const [what, read] of Object.entries(reads)) {
    it(`${what} knows what was done at the first, and nothing of it at the second`, async () => {
      expect(await read('one'), 'at the first').to.equal(true)
      expect(await read('two'), 'at the second').to.equal(false)
    })
  }

  it('takes no import of the first for one of the second: hashes, fingerprints and erasures are of a place', async () => {
    const rows = join(desk.folder, 'rows.csv')
    const again = await at('two', 'customers', 'import', rows, '--password-mode', 'external-auth', '--json')
    expect(again.json).to.deep.include({created: 1, read: 1})
    await at('one', 'customers', 'delete', 'key=new-one', '--erase-personal-data', '--yes')
    const listed = await at('one', 'audit', 'list', '--json')
    const {results} = listed.json as {results: {actions?: string[]; target: string}[]}
    const erased = results.find(({actions}) => actions?.includes('erase'))?.target ?? ''
    expect((await at('one', 'customers', 'erased', erased)).code, 'where it was').to.equal(0)
    expect((await at('two', 'customers', 'erased', erased)).code, 'no trace there').to.equal(3)
  })

  it('shows a job of any place, and names its own', async () => {
    const {stdout, code} = await at('two', 'jobs', 'show', job)
    expect([code, stdout]).to.satisfy(
      ([ended, text]: [number, string]) => ended === 3 || text.includes(servers[0]?.apiUrl ?? '-'),
    )
  })

  it('lists the saved sessions of the machine, each with its place', async () => {
    expect((await at('two', 'token', 'list', '--json')).json)
      .to.have.nested.property('results[0].place')
      .that.contains(servers[0]?.authUrl)
  })

  it('has a row for each command that reads records', function () {
    const titles = this.test?.parent?.tests.map(({title}) => title) ?? []
    const missing = Object.values(recordReaders).filter((what) => !titles.some((title) => title.startsWith(what)))
    expect(missing).to.deep.equal([])
  })

  it('erases what is of its place, and leaves what the other needs of a customer with the same id', async () => {
    await at('two', 'customers', 'update', `id=${id}`, '--set', 'title=Lady')
    const gone = await at('two', 'customers', 'delete', `id=${id}`, '--erase-personal-data', '--yes')
    expect(gone.code, gone.stderr).to.equal(0)
    expect((await at('two', 'customers', 'erased', id)).code).to.equal(0)
    const back = await at('one', 'undo', `id=${id}`, '--dry-run')
    expect(back.code, back.stderr).to.equal(0)
  })
})

describe('client · places', () => {
  it('compares addresses however they are written, and never two projects', () => {
    expect(isSamePlace('https://API.example:443/ shop', 'https://api.example shop')).to.equal(true)
    expect(isSamePlace('http://localhost:8080 shop', 'http://127.0.0.1:8080/ shop')).to.equal(true)
    expect(isSamePlace('http://localhost:8080 shop', 'http://localhost:8081 shop')).to.equal(false)
    expect(isSamePlace('/a folder/data shop', '/a folder/data shop2')).to.equal(false)
    expect(isSamePlace('/a folder/data shop', '/a folder/data shop')).to.equal(true)
  })
})
