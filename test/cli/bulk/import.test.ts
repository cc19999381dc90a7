import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · customers import', () => {
  const desk = new Desk()
  after(() => desk.remove())
  let count = 0
  const file = (name: string, content: string): string => {
    count += 1
    const path = join(desk.folder, `${count}-${name}`)
    writeFileSync(path, content)
    return path
  }
  const load = (path: string, ...more: string[]) => desk.run(['customers', 'import', path, ...more])

  it('imports, names the target, and prints one JSON document of counts', async () => {
    const path = file('a.csv', 'Id,Mail,Land\nada-1,ada@x.de,Germany\n')
    const map = ['--map', 'Id=key', '--map', 'Mail=email', '--map', 'Land=addresses.0.country']
    const more = [...map, '--transform', 'addresses.0.country=country', '--password-mode', 'external-auth']
    const {code, json, stderr} = await load(path, ...more, '--json')
    expect(code, stderr).to.equal(0)
    const {job, ...counts} = json as {job: string}
    expect(counts).to.deep.equal({read: 1, created: 1, updated: 0, unchanged: 0, skipped: 0, failed: 0, report: null})
    expect(job).to.match(/^\d{8}-\d{9}-/)
    expect(stderr).to.include('target: local (local)')
    const again = await load(path, ...more)
    expect(again.stdout).to.match(/^1 row: 1 unchanged\njob: /)
  })

  it('plans without writing', async () => {
    const path = file('a.csv', 'key,email,password\nplan-1,p@x.de,geheim\n')
    const {code, stdout, stderr} = await load(path, '--dry-run')
    expect(code).to.equal(0)
    expect(stdout).to.include('1 create').and.include('+ key=plan-1 (line 2)')
    expect(stderr).not.to.include('target:')
    expect((await desk.run(['customers', 'exists', 'key=plan-1'])).code).to.equal(3)
  })

  it('ends with 2 and the issues of a file that does not validate', async () => {
    const path = file('a.csv', 'key,email,password\nbad-1,ok@x.de,geheim\nbad-2, nobody,geheim\n')
    const plain = await load(path)
    expect(plain.code).to.equal(2)
    expect(plain.stderr).to.include('line 3, email:').and.include('--skip-invalid').and.not.include('geheim')
    const {code, json} = await load(path, '--json')
    expect(code).to.equal(2)
    const {error} = json as {error: {details: {line: number; column: string}[]}}
    expect(error.details.map(({line, column}) => [line, column])).to.deep.equal([[3, 'email']])
    expect((await desk.run(['customers', 'exists', 'key=bad-1'])).code).to.equal(3)
  })

  it('ends with 10 when rows failed, and takes the report back with the passwords of the file', async () => {
    const path = file(
      'a.csv',
      'key,email,password,customerGroup.key\nret-1,r1@x.de,geheim1,none\nret-2,r2@x.de,geheim2,\n',
    )
    const report = join(desk.folder, 'failed.csv')
    const {code, json} = await load(path, '--report', report, '--json')
    expect(code).to.equal(10)
    expect(json).to.include({read: 2, created: 1, failed: 1, report})
    writeFileSync(report, readFileSync(report, 'utf8').replace(',none,', ',,'))
    expect((await desk.run(['customers', 'import', '--retry-failed', report])).code).to.equal(2)
    const retried = await load(path, '--retry-failed', report, '--json')
    expect(retried.code, retried.stderr).to.equal(0)
    expect(retried.json).to.include({read: 1, created: 1})
    const signIn = await desk.run(['customers', 'get', 'key=ret-1', '--json'])
    expect(signIn.json).to.include({email: 'r1@x.de', authenticationMode: 'Password'})
  })

  it('reads the standard input', async () => {
    const argv = ['customers', 'import', '-', '--password-mode', 'external-auth', '--json']
    const {code, json} = await desk.run(argv, {stdin: '{"key":"std-1","email":"s@x.de"}\n'})
    expect(code).to.equal(0)
    expect(json).to.include({read: 1, created: 1})
  })

  it('ends with 2 for files, maps and flags that cannot be used', async () => {
    const good = file('a.csv', 'key,email\nuse-1,u@x.de\n')
    for (const argv of [
      [join(desk.folder, 'nowhere.csv')],
      [desk.folder],
      [file('empty.csv', '')],
      [file('proto.csv', 'key,email,__proto__\na,b,c\n')],
      [good, '--map', 'nothing'],
      [good, '--map-file', join(desk.folder, 'nowhere.json')],
      [good, '--rate', 'fast'],
      [good, '--password-mode', 'generate'],
      [],
    ]) {
      const {code, stderr} = await desk.run(['customers', 'import', ...argv])
      expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(2)
      expect(stderr).not.to.include('at ')
    }
  })
})
