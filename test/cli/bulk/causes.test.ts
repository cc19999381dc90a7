import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · why rows fail', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const file = (name: string, ...lines: readonly string[]): string => {
    const path = join(desk.folder, name)
    writeFileSync(path, `${lines.join('\n')}\n`)
    return path
  }
  const load = (path: string, ...more: string[]) => desk.run(['customers', 'import', path, ...more])

  it('is shown by cause with the aliases to paste', async () => {
    const rows = ['Korea', 'Narnia', 'Korea', 'Germany'].map((land, at) => `c-${at},c-${at}@x.de,${land}`)
    const path = file('lands.csv', 'key,email,addresses.0.country', ...rows)
    const flags = ['--transform', 'addresses.0.country=country', '--password-mode', 'external-auth']
    const plain = await load(path, ...flags)
    expect(plain.code).to.equal(2)
    expect(plain.stderr)
      .to.include("2 rows (lines 2, 4), addresses.0.country: 'Korea' is not a country")
      .and.include("line 3, addresses.0.country: 'Narnia'")
    const pasted = /^\{.*^\}$/ms.exec(plain.stderr)?.[0] ?? ''
    expect(JSON.parse(pasted)).to.deep.equal({aliases: {'addresses.0.country': {Korea: null, Narnia: null}}})
    const {error} = (await load(path, ...flags, '--json')).json as {error: {aliases: object; causes: object[]}}
    expect({aliases: error.aliases}).to.deep.equal(JSON.parse(pasted))
    expect(error.causes[0]).to.include({rows: 2, code: 'InvalidField', kind: 'invalid'})
    const redacted = (await load(path, ...flags, '--json', '--redact')).stdout
    expect(redacted).to.include('causes').and.not.include('Narnia')
  })

  it('is told after a run, and by its job', async () => {
    const path = file(
      'groups.csv',
      'key,email,customerGroup.key',
      'g-1,g1@x.de,nope',
      'g-2,g2@x.de,',
      'g-3,g3@x.de,nope',
    )
    const flags = ['--password-mode', 'external-auth']
    const plain = await load(path, ...flags)
    expect(plain.code).to.equal(10)
    expect(plain.stdout).to.match(/^3 rows: 1 created, 2 failed\n2 rows \(lines 2, 4\): .*'nope'/s)
    const job = /^job: (.*)$/m.exec(plain.stdout)?.[1] ?? ''
    const shown = (await desk.run(['jobs', 'show', job, '--json'])).json as {causes: {rows: number; code: string}[]}
    expect(shown.causes.map(({rows, code}) => [rows, code])).to.deep.equal([[2, 'ReferencedResourceNotFound']])
    expect((await desk.run(['jobs', 'show', job])).stdout).to.include('nope')
  })

  it('ends a run that fails from its start with 10, and takes a limit that makes sense', async () => {
    const rows = Array.from({length: 120}, (_, at) => `m-${at},m${at}@x.de,nope`)
    const path = file('many.csv', 'key,email,customerGroup.key', ...rows)
    const flags = ['--password-mode', 'external-auth']
    const stopped = await load(path, ...flags)
    expect(stopped.code).to.equal(10)
    expect(stopped.stderr)
      .to.include('120 rows will fail: ')
      .and.include('The first 100 rows all failed alike.')
      .and.include('--resume')
    const strict = await load(path, ...flags, '--max-failures', '99.5%', '--json')
    expect(strict.code).to.equal(2)
    expect(strict.json).to.have.nested.property('error.code', 'TooManyFailures')
    for (const wrong of ['', '-1', '1.5', '101%', 'abc', '5 %', '1e3']) {
      expect((await load(path, ...flags, `--max-failures=${wrong}`)).code, wrong).to.equal(2)
    }
  })

  it('claims nothing for a job that had finished', async () => {
    const path = file('once.csv', 'key,email', 'o-1,o1@x.de')
    const flags = ['--password-mode', 'external-auth']
    expect((await load(path, ...flags)).stdout).to.match(/^1 row: 1 created\n/)
    expect((await desk.run(['customers', 'delete', 'key=o-1', '--yes'])).code).to.equal(0)
    const again = await load(path, ...flags, '--resume')
    expect(again.code).to.equal(0)
    expect(again.stdout).to.match(/^the job had finished at \d{4}-.*Z; nothing was done\n/)
    const {json} = await load(path, ...flags, '--resume', '--json')
    expect(json).to.include({alreadyFinished: true}).and.to.have.property('finishedAt')
    expect((await desk.run(['customers', 'exists', 'key=o-1'])).code).to.equal(3)
  })
})
