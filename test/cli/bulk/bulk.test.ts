import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

const rows = 'key,email,firstName,title\nbulk-1,b1@x.de,=Ada,\nbulk-2,b2@x.de,"Bea, B.",Dr\n'

describe('cli · export, diff, template and jobs', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const path = (name: string): string => join(desk.folder, name)
  const write = (name: string, text: string): string => {
    writeFileSync(path(name), text)
    return path(name)
  }

  before(async () => {
    const file = write('rows.csv', rows)
    const {code, stderr} = await desk.run(['customers', 'import', file, '--password-mode', 'external-auth'])
    expect(code, stderr).to.equal(0)
  })

  it('exports to a file and to stdout, in the format that the file name or the flag says', async () => {
    const out = path('all.csv')
    const {code, stdout, stderr} = await desk.run(['customers', 'export', '--out', out])
    expect(code, stderr).to.equal(0)
    expect(stdout).to.equal('')
    expect(stderr).to.include('2 customers exported to')
    expect(statSync(out).mode & 0o777).to.equal(0o600)
    expect(readFileSync(out, 'utf8')).to.include(',"Bea, B.",')
    expect((await desk.run(['customers', 'export', '--out', out])).code).to.equal(2)
    const lines = await desk.run(['customers', 'export', '--format', 'jsonl', '-w', 'key = :k', '--var', 'k=bulk-1'])
    expect(JSON.parse(lines.stdout)).to.include({key: 'bulk-1', firstName: '=Ada'})
    const both = ['-w', 'key in :k', '--var', 'k=bulk-1', '--var', 'k=bulk-2']
    const listed = await desk.run(['customers', 'export', '--format', 'jsonl', ...both])
    expect(listed.stdout.trim().split('\n'), 'a variable that is given again is a list').to.have.length(2)
    const array = await desk.run(['customers', 'export', '--json'])
    expect((array.json as unknown[]).length).to.equal(2)
    const masked = await desk.run(['customers', 'export', '--format', 'json', '--redact'])
    expect(masked.stdout).to.include('b***@x***.de').and.not.include('b1@x.de')
    const guarded = await desk.run(['customers', 'export', '--format', 'csv', '--excel-safe'])
    expect(guarded.stdout).to.include(",'=Ada,")
  })

  it('shows what an import would change, and changes nothing', async () => {
    const file = write('changed.csv', `${rows.replace('Dr', 'Prof')}bulk-3,b3@x.de,Cy,\n`)
    const argv = ['customers', 'diff', file, '--password-mode', 'external-auth']
    const {code, stdout, stderr} = await desk.run(argv)
    expect(code, stderr).to.equal(0)
    expect(stdout).to.equal(
      '~ key=bulk-2 (line 3)\n    setTitle {"title":"Prof"}\n+ key=bulk-3 (line 4)\n3 rows: 1 create, 1 update, 1 unchanged, 0 skipped, 0 conflict, 0 invalid\n',
    )
    const {json} = await desk.run([...argv, '--json'])
    expect(json).to.include({read: 3, create: 1, update: 1, unchanged: 1})
    expect((json as {rows: {do: string}[]}).rows.map((row) => row.do)).to.deep.equal(['update', 'create'])
    expect((await desk.run(['customers', 'exists', 'key=bulk-3'])).code).to.equal(3)
    const masked = await desk.run([...argv, '--redact'])
    expect(masked.stdout)
      .to.include('3 rows: 1 create, 1 update')
      .and.not.to.match(/bulk-[23]|Prof/)
    const {json: numbers, stdout: text} = await desk.run([...argv, '--redact', '--json'])
    expect(numbers).to.include({read: 3, create: 1, update: 1, unchanged: 1, conflict: 0, invalid: 0})
    expect(text)
      .to.include('"do": "update"')
      .and.not.to.match(/bulk-[23]|Prof|b3@x/)
  })

  it('prints a map file that its own import takes, and a header', async () => {
    const file = write(
      'crm.csv',
      'Customer Id,E-Mail,Surname,Birthday,Country,Shoe\ncrm-1,c1@x.de,King,31-12-1990,Korea,42\n',
    )
    const {code, stdout, stderr} = await desk.run(['customers', 'template', file])
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include('no field found for: Shoe\n')
    const {decide, ...map} = JSON.parse(stdout)
    for (const [name, words] of Object.entries(decide)) expect(stderr).to.include(`to decide, ${name}: ${words}\n`)
    expect(decide).to.have.keys('addresses.0.country', '--password-mode')
    expect(map).to.deep.equal({
      columns: {
        'Customer Id': 'key',
        'E-Mail': 'email',
        Surname: 'lastName',
        Birthday: 'dateOfBirth',
        Country: 'addresses.0.country',
      },
      constants: {},
      transforms: {'addresses.0.country': 'country', dateOfBirth: 'date:dd-mm-yyyy'},
      aliases: {'addresses.0.country': {Korea: null}},
    })
    map.aliases['addresses.0.country'].Korea = 'KR'
    const mapFile = write('map.json', JSON.stringify(map))
    const loaded = await desk.run([
      'customers',
      'import',
      file,
      '--map-file',
      mapFile,
      '--password-mode',
      'external-auth',
      '--json',
    ])
    expect(loaded.json).to.include({created: 1})
    const header = await desk.run(['customers', 'template', '--csv'])
    expect(header.stdout).to.match(/^key,email,/)
    expect((await desk.run(['customers', 'template'])).json).to.have.keys(
      'columns',
      'constants',
      'transforms',
      'aliases',
    )
  })

  it('lists and shows jobs, and imports their failed rows again', async () => {
    const file = write(
      'retry.csv',
      'key,email,password,stores.0.key\njob-1,j1@x.de,geheim,nowhere\njob-2,j2@x.de,geheim,\n',
    )
    const failed = await desk.run(['customers', 'import', file, '--json'])
    expect(failed.code, failed.stderr).to.equal(10)
    const {job, report} = failed.json as {job: string; report: string}
    const listed = await desk.run(['jobs', 'list', '--json'])
    const [newest] = (listed.json as {results: {id: string; state: string}[]}).results
    expect(newest).to.include({id: job, state: 'finished', report})
    const shown = await desk.run(['jobs', 'show', job, '--json'])
    expect(shown.json).to.deep.include({counts: {read: 2, created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 1}})
    expect((await desk.run(['jobs', 'show', '20200101-000000000-abcdef'])).code).to.equal(3)
    expect((await desk.run(['jobs', 'show', '../../etc/passwd'])).code).to.equal(3)
    const retry = ['customers', 'import', file, '--retry-failed', report, '--json']
    expect((await desk.run(retry)).code).to.equal(10)
    const planned = await desk.run([...retry, '--dry-run'])
    expect(planned.json).to.deep.include({dryRun: true, read: 1, create: 0, conflict: 1})
    writeFileSync(report, readFileSync(report, 'utf8').replace('nowhere', ''))
    const retried = await desk.run(retry)
    expect(retried.code, retried.stderr).to.equal(0)
    expect(retried.json).to.include({read: 1, created: 1})
  })

  it('copies between two profiles under pseudonyms', async () => {
    const profiles = {
      profiles: {
        one: {projectKey: 'local', dataDir: path('data')},
        two: {projectKey: 'copy', dataDir: path('data-two')},
      },
    }
    mkdirSync(join(desk.folder, 'config'), {recursive: true, mode: 0o700})
    writeFileSync(join(desk.folder, 'config', 'profiles.json'), JSON.stringify(profiles), {mode: 0o600})
    const argv = ['customers', 'copy', '--from', 'one', '--to', 'two', '--anonymize', '7', '--json']
    const planned = await desk.run([...argv, '--dry-run'])
    expect(planned.code, planned.stderr + planned.stdout).to.equal(0)
    const copied = await desk.run(argv)
    expect(copied.code, copied.stderr + copied.stdout).to.equal(0)
    expect(copied.stderr).to.include('target: two (copy)')
    const {created} = copied.json as {created: number}
    expect((await desk.run(argv)).json).to.include({unchanged: created})
    const there = await desk.run(['customers', 'query', '--all', '--profile', 'two', '--json'])
    expect(there.stdout).not.to.include('b1@x.de')
    expect((await desk.run(['customers', 'copy', '--from', 'one', '--to', 'one'])).code).to.equal(2)
    expect(existsSync(path('data-two'))).to.equal(true)
  })
})
