import {readdirSync, readFileSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

const dayMs = 86_400_000

describe('cli · what is kept of persons beside the state', () => {
  let desk: Desk
  beforeEach(() => {
    desk = new Desk()
  })
  afterEach(() => desk.remove())

  const data = () => join(desk.folder, 'data')
  const holding = (folder: string, word: string): readonly string[] =>
    readdirSync(folder, {recursive: true, withFileTypes: true})
      .filter((entry) => entry.isFile())
      .map(({parentPath, name}) => join(parentPath, name))
      .filter((path) => readFileSync(path, 'latin1').toLowerCase().includes(word))

  /** Rows that fail and succeed, an update that replaces values, and one by hand. Returns the id of Erna. */
  async function busy(): Promise<string> {
    const rows = join(desk.folder, 'rows.csv')
    const run = async (argv: readonly string[], codes: readonly number[]) => {
      const ended = await desk.run(argv)
      expect(ended.code, ended.stderr).to.be.oneOf(codes)
      return ended
    }
    const table = (...lines: readonly string[]) =>
      writeFileSync(rows, `${['key,email,firstName,locale', ...lines].join('\n')}\n`)
    const without = ['--password-mode', 'external-auth', '--yes']
    const other = 'o-1,other-person@x.example,Otto,xx-nowhere'
    table('e-1,erased-person@x.example,Zwerglinde,xx-nowhere', other)
    await run(['customers', 'import', rows, '--skip-invalid', ...without], [0, 10])
    table('e-1,Erased-Person@x.example,Zwerglinde,')
    await run(['customers', 'import', rows, ...without], [0])
    table('e-1,Erased-Person@x.example,Ernestine,')
    await run(['customers', 'import', rows, ...without], [0])
    await run(['customers', 'update', 'key=e-1', '--set', 'companyName=Erased-Person Ltd'], [0])
    const {json} = await run(['customers', 'get', 'key=e-1', '--json'], [0])
    writeFileSync(rows, '')
    return (json as {id: string}).id
  }

  it('S-309 has no byte of a person after an erasure, and names the files of the user', async () => {
    const id = await busy()
    expect(holding(join(data(), '_jobs'), 'erased-person')).to.have.length(5)
    expect(holding(join(data(), '_jobs'), 'zwerglinde')).to.have.length(4)
    expect((await desk.run(['customers', 'erased', id])).code).to.equal(9)
    const {code, stderr} = await desk.run(['customers', 'delete', id, '--erase-personal-data', '--yes'])
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include(join(desk.folder, 'rows.csv'))
    for (const word of ['erased-person', 'zwerglinde', 'ernestine'])
      expect(holding(data(), word), word).to.deep.equal([])
    expect(holding(join(data(), '_jobs'), 'other-person')).to.have.length(2)
    const erased = await desk.run(['customers', 'erased', id, '--json'])
    expect([erased.code, (erased.json as {kept: object}).kept]).to.deep.equal([0, {}])
  })

  it('names plans and files with passwords that speak of the person, and no others', async () => {
    const path = (name: string) => join(desk.folder, name)
    const planned = async (name: string, row: string) => {
      writeFileSync(path(`${name}.csv`), `key,email,firstName\n${row}\n`)
      const argv = ['customers', 'import', path(`${name}.csv`), '--password-mode', 'external-auth', '--yes']
      expect((await desk.run([...argv, '--plan-out', path(`${name}.jsonl`)])).code).to.equal(0)
      return argv
    }
    const argv = await planned('her', 'e-1,Erna@x.example,Erna')
    await planned('other', 'o-1,otto@x.example,Otto')
    await planned('gone', 'e-1,erna@x.example,Erna')
    rmSync(path('gone.jsonl'))
    const generated = ['--password-mode', 'generate', '--generated-passwords', path('new.csv')]
    expect((await desk.run([...argv.slice(0, 3), ...generated, '--yes'])).code).to.equal(0)
    const {code, stderr} = await desk.run(['customers', 'delete', 'key=e-1', '--erase-personal-data', '--yes'])
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include(path('her.jsonl')).and.include(path('new.csv'))
    expect(stderr).to.not.include('other.jsonl')
    expect(stderr).to.not.include('gone.jsonl')
  })

  it('tells what is left of a person who was only deleted', async () => {
    const id = await busy()
    await desk.run(['customers', 'delete', id, '--yes'])
    expect(holding(join(data(), '_jobs'), 'erased-person ltd')).to.deep.equal([])
    expect(holding(join(data(), '_jobs'), 'erased-person').length).to.be.above(0)
  })

  it('lists and shows jobs whose rows are gone', async () => {
    const id = await busy()
    await desk.run(['customers', 'delete', id, '--erase-personal-data', '--yes'])
    const {json, code} = await desk.run(['jobs', 'list', '--json'])
    expect(code).to.equal(0)
    const jobs = (json as {results: {id: string; counts: {failed: number}; report: string | null}[]}).results
    const failed = jobs.find(({counts}) => counts.failed > 0)
    expect(failed?.counts.failed).to.equal(2)
    expect(
      readFileSync(failed?.report ?? '', 'utf8')
        .trim()
        .split('\n'),
    ).to.have.length(2)
    expect((await desk.run(['jobs', 'show', failed?.id ?? ''])).code).to.equal(0)
  })

  it('goes after its days, which the environment sets', async () => {
    await busy()
    const files = () => readdirSync(join(data(), '_jobs'))
    const aged = (days: number) => {
      const at = new Date(Date.now() - days * dayMs)
      for (const name of files()) utimesSync(join(data(), '_jobs', name), at, at)
    }
    const before = files()
    // As if the runs had been processes of their own.
    for (const path of before.map((name) => join(data(), '_jobs', name)))
      writeFileSync(path, readFileSync(path, 'utf8').replace(/("run":\{"pid":)\d+/, '$14194305'))
    aged(29)
    await desk.run(['jobs', 'list'])
    expect(files()).to.deep.equal(before)
    expect((await desk.run(['jobs', 'list'], {env: {FRONTDESK_KEEP_DAYS: 'many'}})).code).to.equal(2)
    aged(31)
    await desk.run(['jobs', 'list'], {env: {FRONTDESK_KEEP_DAYS: '40'}})
    expect(files()).to.deep.equal(before)
    const {json} = await desk.run(['jobs', 'list', '--json'])
    expect([files(), (json as {count: number}).count]).to.deep.equal([[], 0])
  })
})
