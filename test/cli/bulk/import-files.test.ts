import {readFileSync, writeFileSync} from 'node:fs'
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
      .to.include(`+ key=many-1 (${one}, line 2)`)
      .and.include(`! key=many-1 (${two}, line 3): The key 'many-1' is already used`)
    const differing = await desk.run(['customers', 'diff', one, two, ...mode, '--skip-invalid'])
    expect(differing.stdout).to.include(`+ key=many-2 (${two}, line 2)`)
  })

  it('plans the lines that the difference shows and that a plan file keeps, and ends with the counts', async () => {
    const there = write('there.csv', 'key,email\nten-1,t1@x.de\nten-2,t2@x.de\n')
    expect((await desk.run(['customers', 'import', there, ...mode])).code).to.equal(0)
    const file = write(
      'more.csv',
      'key,email,title\nten-1,t1@x.de,Dr\nten-2,t2@x.de,\nten-3,t3@x.de,\nten-3,t5@x.de,\n',
    )
    const argv = [file, ...mode, '--skip-invalid']
    const planned = await desk.run(['customers', 'import', ...argv, '--dry-run'])
    const [update, action, create, invalid, counts] = planned.stdout.split('\n')
    expect([update, action]).to.deep.equal(['~ key=ten-1 (line 2)', '    setTitle {"title":"Dr"}'])
    expect(create).to.equal('+ key=ten-3 (line 4)')
    expect(invalid).to.match(/^! key=ten-3 \(line 5\): The key 'ten-3' is already used/)
    expect(counts).to.equal('4 rows: 1 create, 1 update, 1 unchanged, 0 skipped, 0 conflict, 1 invalid')
    const different = await desk.run(['customers', 'diff', ...argv])
    expect([different.code, different.stdout]).to.deep.equal([0, planned.stdout])
    const {json} = await desk.run(['customers', 'import', ...argv, '--dry-run', '--json'])
    const {rows} = json as {rows: object[]}
    const out = join(desk.folder, 'plan.jsonl')
    expect((await desk.run(['customers', 'import', ...argv, '--plan-out', out])).code).to.equal(0)
    const linesIn = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
    expect(linesIn(readFileSync(out, 'utf8')).slice(1, -1)).to.deep.equal(rows)
    const lines = await desk.run(['customers', 'import', ...argv, '--dry-run', '-o', 'jsonl'])
    expect(linesIn(lines.stdout).slice(0, -1)).to.deep.equal(rows)
    expect(linesIn(lines.stdout).at(-1)).to.deep.include({dryRun: true, read: 4, create: 1, unchanged: 1})
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
