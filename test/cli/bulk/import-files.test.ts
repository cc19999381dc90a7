import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk, root} from '../run.js'

describe('cli · importing several files, and into stores', () => {
  const desk = new Desk()
  const stores = new Desk()
  after(() => {
    desk.remove()
    stores.remove()
  })
  const write = (name: string, text: string): string => {
    const path = join(desk.folder, name)
    writeFileSync(path, text)
    return path
  }
  const mode = ['--password-mode', 'external-auth']

  it('names the file of each row', async () => {
    const one = write('one.csv', 'key,email\nmany-1,m1@x.de\n')
    const two = write('two.csv', 'key,email\nmany-2,m2@x.de\nmany-1,m3@x.de\n')
    const argv = ['customers', 'import', one, two, ...mode]
    const refused = await desk.run(argv)
    expect(refused.code).to.equal(2)
    expect(refused.stderr).to.include(`${two}, line 3, key: The key 'many-1' is already used on line 2 of ${one}.`)
    const planned = await desk.run([...argv, '--skip-invalid', '--dry-run'])
    expect(planned.stdout)
      .to.include(`create    ${one}, line 2 key=many-1`)
      .and.include(`invalid   ${two}, line 3, key`)
    const differing = await desk.run(['customers', 'diff', one, two, ...mode, '--skip-invalid'])
    expect(differing.stdout).to.include(`+ key=many-2 (${two}, line 2)`)
  })

  it('shows the first ten of each kind before it writes', async () => {
    const rows = (count: number): string => Array.from({length: count}, (_, at) => `ten-${at},t${at}@x.de\n`).join('')
    const there = write('there.csv', `key,email\n${rows(12)}`)
    expect((await desk.run(['customers', 'import', there, ...mode])).code).to.equal(0)
    const file = write('more.csv', `key,email\n${rows(24)}`)
    const planned = await desk.run(['customers', 'import', file, ...mode, '--dry-run'])
    const shown = (kind: string): number =>
      planned.stdout.split('\n').filter((line) => line.startsWith(kind) && line.includes('line ')).length
    expect(planned.stdout).to.match(/^24 rows: 12 create, 0 update, 12 unchanged, 0 skipped, 0 conflict, 0 invalid\n/)
    expect([shown('create '), shown('unchanged ')]).to.deep.equal([10, 10])
    expect(planned.stdout.match(/2 more/g)).to.have.lengthOf(2)
    const {json} = await desk.run(['customers', 'import', file, ...mode, '--dry-run', '--json'])
    const {first} = json as {first: Record<string, unknown[]>}
    expect([first['create']?.length, first['unchanged']?.length]).to.deep.equal([10, 10])
  })

  it('imports the failed rows of a job again, in its store', async () => {
    const seeded = await stores.run(['server', 'seed', join(root, 'fixtures/demo')])
    expect(seeded.code, seeded.stderr).to.equal(0)
    const text = 'key,email,customerGroup.key\nstore-1,s1@x.de,nobody\n'
    const file = write('store.csv', text)
    const failed = await stores.run(['customers', 'import', file, ...mode, '--store', 'berlin', '--json'])
    expect(failed.code, failed.stderr + failed.stdout).to.equal(10)
    const {job, report} = failed.json as {job: string; report: string}
    expect((await stores.run(['jobs', 'show', job, '--json'])).json).to.include({store: 'berlin'})
    writeFileSync(report, `${text.replace('nobody', '').trim()}\n`)
    const again = ['customers', 'import', '--retry-failed', report, ...mode, '--store', 'berlin', '--json']
    const retried = await stores.run(again)
    expect(retried.json, retried.stderr).to.include({read: 1, created: 1})
    const {json} = await stores.run(['customers', 'get', 'key=store-1', '--json'])
    expect(json).to.deep.include({stores: [{typeId: 'store', key: 'berlin'}]})
  })

  it('calls the standard input by its name, in messages and in jobs', async () => {
    const bad = await desk.run(['customers', 'import', '-', ...mode], {stdin: 'key,email\nin-1,\n'})
    expect(bad.code).to.equal(2)
    const done = await desk.run(['customers', 'import', '-', ...mode, '--json'], {stdin: 'key,email\nin-1,i@x.de\n'})
    const {job} = done.json as {job: string}
    expect((await desk.run(['jobs', 'show', job, '--json'])).json).to.deep.include({files: ['standard input']})
  })
})
