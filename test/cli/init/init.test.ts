import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {writeFileSet} from '../../../commands/init.js'
import {Desk} from '../run.js'

const everything = (folder: string): string[] => readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort()

describe('cli · init', () => {
  let desk: Desk
  let folder: string
  beforeEach(() => {
    desk = new Desk()
    folder = join(desk.folder, 'a shop')
  })
  afterEach(() => desk.remove())

  it('writes files that work together', async () => {
    const {code, stdout, stderr} = await desk.run(['init', folder])
    expect(code, stderr).to.equal(0)
    expect(stdout).to.include(`files to ${folder}.`)
    const at = (name: string): string => join(folder, name)
    const project = ['--project-key', 'demo']
    for (const argv of [
      ['server', 'seed', at('seed'), ...project],
      ['check', 'run', at('checks.json'), ...project],
      ['customers', 'import', at('customers.csv'), '--map-file', at('customers.map.json'), '--dry-run', ...project],
    ]) {
      const more = argv.includes('import') ? ['--password-mode', 'external-auth'] : []
      const ended = await desk.run([...argv, ...more])
      expect(ended.code, argv.join(' ') + ended.stderr + ended.stdout).to.equal(0)
    }
    const pipeline = readFileSync(at('ci/github-actions.yml'), 'utf8')
    expect(pipeline).to.include('--seed seed').and.not.include('--seed demo')
  })

  it('lists what it wrote as JSON', async () => {
    const {json} = await desk.run(['init', folder, '--json'])
    const {files, ...rest} = json as {files: string[]}
    expect(rest).to.deep.equal({folder})
    expect(files).to.include.members(['checks.json', 'customers.map.json', 'seed/customers.json', 'ci/gitlab-ci.yml'])
    for (const name of files) expect(existsSync(join(folder, name)), name).to.equal(true)
  })

  it('writes nothing for a dry run', async () => {
    const {code, stdout} = await desk.run(['init', folder, '--dry-run'])
    expect(code).to.equal(0)
    expect(stdout).to.include('would write checks.json')
    expect(existsSync(folder)).to.equal(false)
  })

  it('replaces nothing that exists, and then writes nothing at all, unless it is told to', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'customers.map.json'), 'mine')
    const {code, stderr} = await desk.run(['init', folder])
    expect(code).to.equal(2)
    expect(stderr).to.include('customers.map.json exists already; nothing was written.').and.include('--force')
    expect(everything(folder)).to.deep.equal(['customers.map.json'])
    const forced = await desk.run(['init', folder, '--force'])
    expect(forced.code, forced.stderr).to.equal(0)
    expect(readFileSync(join(folder, 'customers.map.json'), 'utf8')).to.include('"columns"')
    expect(everything(folder).filter((name) => name.endsWith('.part'))).to.deep.equal([])
  })

  it('neither follows nor replaces a link, also when it is told to replace', async () => {
    mkdirSync(folder)
    writeFileSync(join(desk.folder, 'elsewhere'), 'mine')
    symlinkSync(join(desk.folder, 'elsewhere'), join(folder, 'checks.json'))
    expect((await desk.run(['init', folder, '--force'])).code).to.equal(2)
    expect(readFileSync(join(desk.folder, 'elsewhere'), 'utf8')).to.equal('mine')
  })

  it('writes nothing where a folder below is a link, a dangling one, or a file', async () => {
    const victim = join(desk.folder, 'victim')
    mkdirSync(victim)
    mkdirSync(folder)
    const make = {
      link: () => symlinkSync(victim, join(folder, 'seed')),
      dangling: () => symlinkSync(join(desk.folder, 'nowhere'), join(folder, 'seed')),
      file: () => writeFileSync(join(folder, 'seed'), 'mine'),
    }
    for (const [kind, made] of Object.entries(make)) {
      made()
      for (const force of [[], ['--force']]) {
        const {code, stderr} = await desk.run(['init', folder, ...force])
        expect([code, /nothing was written/.test(stderr)], kind + stderr).to.deep.equal([2, true])
      }
      expect([everything(victim), everything(folder)], kind).to.deep.equal([[], ['seed']])
      rmSync(join(folder, 'seed'))
    }
    expect(existsSync(join(desk.folder, 'nowhere'))).to.equal(false)
  })

  it('takes back what it wrote when a later file cannot be written', () => {
    // Its temporary name is longer than file systems take.
    const files = new Map([
      ['a.json', '{}'],
      ['b'.repeat(254), ''],
    ])
    expect(() => writeFileSet(folder, files, false)).to.throw('cannot be written')
    expect(everything(folder)).to.deep.equal([])
  })

  it('says which folder cannot be written', async () => {
    if (process.getuid?.() === 0) folder = '/proc/shop'
    else {
      mkdirSync(folder)
      chmodSync(folder, 0o500)
    }
    const {code, stderr} = await desk.run(['init', folder])
    expect(code).to.equal(2)
    expect(stderr).to.include(`${folder} cannot be written`)
  })
})
