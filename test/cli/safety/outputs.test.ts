import fs, {existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {existingOf} from '../../../src/cli/run/out-files.js'
import {config, Desk, type Ended} from '../run.js'
import {everyCommand} from './every-command.js'

interface Flag {
  readonly dependsOn?: string[] | undefined
}

/** A failure of the disk, of one function for files that have no name yet. */
function failing(name: 'openSync' | 'writeSync' | 'linkSync', code: string): () => void {
  const real: unknown = fs[name]
  const parts = new Set<unknown>()
  const stand = (...given: unknown[]): unknown => {
    const isPart = parts.has(given[0]) || String(given[0]).endsWith('.part')
    if (isPart && !(name === 'writeSync' && typeof given[0] === 'string'))
      throw Object.assign(new Error(code), {code, path: String(given[0])})
    return (real as (...all: unknown[]) => unknown)(...given)
  }
  const realOpen = fs.openSync
  if (name === 'writeSync') {
    fs.openSync = ((...given: Parameters<typeof realOpen>) => {
      const file = realOpen(...given)
      if (String(given[0]).endsWith('.part')) parts.add(file)
      return file
    }) as typeof realOpen
  }
  Object.assign(fs, {[name]: stand})
  return () => {
    fs.openSync = realOpen
    Object.assign(fs, {[name]: real})
  }
}

interface Trouble {
  readonly path: string
  readonly says: RegExp
  readonly prepare?: () => () => void
  /** Not for files that are replaced, or gone on with. */
  readonly onlyNew?: true
}

const troubles: Readonly<Record<string, Trouble>> = {
  'a folder that is missing': {path: 'nodir/x', says: /The folder nodir of nodir\/x does not exist/},
  'a file where a folder should be': {path: 'there/x', says: /a part of the path is no folder/},
  'a file that is there': {path: 'there', says: /there exists already/, onlyNew: true},
  'a link': {path: 'link', says: /link is not a regular file/},
  'a folder': {path: 'folder', says: /folder is not a regular file/},
  'a name that ends as a folder': {path: 'nobody/', says: /names a folder/},
  'a read-only disk': {path: 'x', says: /the file system is read-only/, prepare: () => failing('openSync', 'EROFS')},
  'a full disk': {path: 'x', says: /no space is left/, prepare: () => failing('openSync', 'ENOSPC')},
  'a disk without a block': {
    path: 'x',
    says: /no space is left/,
    prepare: () => failing('writeSync', 'ENOSPC'),
    onlyNew: true,
  },
}

describe('cli · outputs', () => {
  const desk = new Desk()
  const home = process.cwd()
  const work = join(desk.folder, 'work')
  before(() => {
    mkdirSync(join(work, 'folder'), {recursive: true})
    process.chdir(work)
    writeFileSync('there', 'mine')
    symlinkSync('elsewhere', 'link')
  })
  after(() => {
    process.chdir(home)
    desk.remove()
  })

  /** The flags of a command that name files which it writes. */
  async function filesOf(id: string): Promise<readonly (readonly [name: string, flag: Flag])[]> {
    const found = (await config()).findCommand(id.replaceAll(' ', ':'), {must: true})
    const {baseFlags, flags} = await found.load()
    return Object.entries({...baseFlags, ...flags}).filter(([, flag]) => existingOf(flag) !== undefined)
  }

  it('are declared: a flag for a file says that it is written, or that it is read', async () => {
    const read = /^(Read|Import|Carry out|Map file|File with|A file with|PEM file|A GraphQL document|The scopes of)/
    const unsaid: string[] = []
    for (const id of Object.keys(everyCommand)) {
      const {baseFlags, flags} = await (await config()).findCommand(id.replaceAll(' ', ':'), {must: true}).load()
      for (const [name, flag] of Object.entries({...baseFlags, ...flags})) {
        const {helpValue = '', summary = ''} = flag as {helpValue?: string; summary?: string}
        const isFile = /\bFILE\b/.test(helpValue) && !helpValue.includes('@')
        if (isFile && existingOf(flag) === undefined && !read.test(summary)) unsaid.push(`${id} --${name}: ${summary}`)
      }
    }
    expect(unsaid).to.deep.equal([])
  })

  for (const [what, {path, says, prepare, onlyNew}] of Object.entries(troubles)) {
    it(`are refused before anything is asked or made: ${what}`, async () => {
      const faults: string[] = []
      let tried = 0
      for (const id of Object.keys(everyCommand)) {
        const files = await filesOf(id)
        const others = new Set(files.map(([name]) => `--${name}`))
        const words = (everyCommand[id] ?? []).filter(
          (word, at, all) => !others.has(word) && !others.has(all[at - 1] ?? ''),
        )
        for (const [name, flag] of files) {
          if (onlyNew && existingOf(flag) !== 'refused') continue
          const needed = (flag.dependsOn ?? []).map((one) => `--${one}`).filter((one) => !words.includes(one))
          const at = words.indexOf('--')
          const given = [...needed, `--${name}=${path}`]
          const argv = words.toSpliced(at < 0 ? words.length : at, 0, ...given).filter((word) => word !== '--yes')
          const restore = prepare?.()
          const {code, stderr, stdout} = await desk.run([...id.split(' '), ...argv]).finally(restore)
          tried += 1
          const said = (stderr + stdout).replaceAll('\n', ' ')
          // A command that writes no such file refuses its flag.
          if (code === 2 && said.includes(`--${name} has no effect`)) continue
          if (code !== 2 || !says.test(said)) faults.push(`${id} --${name}: ${code} ${said}`)
        }
      }
      expect(faults.join('\n')).to.equal('')
      expect(tried).to.be.greaterThan(Object.keys(everyCommand).length)
      expect(existsSync(join(desk.folder, 'data')), 'a project was made').to.equal(false)
      expect(readdirSync(work).toSorted()).to.deep.equal(['folder', 'link', 'there'])
    })
  }
})

describe('cli · outputs of what happened', () => {
  const desk = new Desk()
  const home = process.cwd()
  const work = join(desk.folder, 'work')
  before(async () => {
    mkdirSync(work)
    process.chdir(work)
    await done('server', 'seed', 'demo')
  })
  after(() => {
    process.chdir(home)
    desk.remove()
  })

  async function done(...argv: string[]): Promise<Ended> {
    const ended = await desk.run(argv)
    expect(ended.code, ended.stderr).to.equal(0)
    return ended
  }

  /** Runs a command whose file cannot get its name at the end. */
  async function spoilt(...argv: string[]): Promise<Ended> {
    const restore = failing('linkSync', 'ENOSPC')
    const ended = await desk.run(argv).finally(restore)
    expect(ended.code, ended.stderr).to.equal(13)
    expect(readdirSync(work)).to.deep.equal([])
    return ended
  }

  const version = async (key: string): Promise<unknown> =>
    ((await done('customers', 'get', `key=${key}`, '--json')).json as {version: number}).version

  it('say that it happened, and print the secret rather than lose it', async () => {
    const owen = await version('owen-pell')
    const set = ['customers', 'reset-password', 'key=owen-pell', '--set', '--generate-password', '--secret-out', 'p']
    const reset = await spoilt(...set)
    expect(reset.stderr).to.match(/It is done, but p could not be written: no space is left/)
    const password = /^(?=.{12,}$)[a-z0-9-]+$/im.exec(reset.stderr)?.[0] ?? ''
    writeFileSync(join(desk.folder, 'secret'), password, {mode: 0o600})
    const email = 'owen.pell@quayside.example'
    await done('customers', 'sign-in', email, '--password-file', join(desk.folder, 'secret'))
    expect(await version('owen-pell')).to.equal((owen as number) + 1)

    const token = await spoilt('customers', 'password-token', 'create', 'key=owen-pell', '--secret-out', 't')
    expect(token.stderr).to.match(/^[A-Za-z0-9_-]{20,}$/m)
    expect(token.stdout).to.not.match(/The token is in/)
  })

  it('say that it happened, and print the result', async () => {
    const {stderr, stdout} = await spoilt('customers', 'update', 'key=petra-vance', '--set', 'title=Dame', '--out', 'o')
    expect(stderr).to.include('It is done, but o could not be written').and.to.include('"Dame"')
    expect(stdout).to.equal('')
    const traced = ['customers', 'update', 'key=petra-vance', '--set', 'title=Ms', '--trace-http', 'o.har']
    expect((await spoilt(...traced)).stderr).to.include('It is done, but o.har could not be written')
  })

  it('stop what rests on them', async () => {
    const {stderr} = await spoilt('customers', 'delete', 'key=petra-vance', '--yes', '--backup', 'b')
    expect(stderr).to.include('b could not be written').and.to.not.include('It is done')
    await done('customers', 'exists', 'key=petra-vance')
  })

  it('fail as what they are where nothing happened', async () => {
    const {stderr} = await spoilt('customers', 'get', 'key=petra-vance', '--out', 'o')
    expect(stderr).to.include('o could not be written').and.to.not.include('It is done')
  })

  it('leave nothing after a failure or a dry run, and one private file after a success', async () => {
    const missing = await desk.run(['customers', 'get', 'key=nobody', '--out', 'o', '--trace-http', 'o.har'])
    expect(missing.code).to.equal(3)
    expect(readdirSync(work)).to.deep.equal(['o.har'])
    fs.rmSync('o.har')
    await done('customers', 'delete', 'key=petra-vance', '--dry-run', '--backup', 'b', '--out', 'o')
    expect(readdirSync(work)).to.deep.equal([])
    await done('customers', 'get', 'key=petra-vance', '--out', 'o', '--json')
    expect(readdirSync(work)).to.deep.equal(['o'])
    expect(statSync('o').mode & 0o777).to.equal(0o600)
    expect(JSON.parse(readFileSync('o', 'utf8'))).to.include({key: 'petra-vance'})
  })

  it('are refused where the command reads the file', async () => {
    const rows = 'key,email,customerGroup.key\nbad-1,bad-1@example.com,none\n'
    writeFileSync('in.csv', rows)
    writeFileSync('map.json', '{}')
    symlinkSync('in.csv', 'same.csv')
    const run = ['customers', 'import', 'in.csv', '--password-mode', 'external-auth']
    for (const argv of [
      [...run, '--report', './in.csv'],
      [...run, '--report', 'in.csv', '--yes'],
      ['customers', 'import', 'same.csv', '--report', 'in.csv'],
      [...run, '--map-file', 'map.json', '--report', 'map.json'],
      ['customers', 'update', 'key=owen-pell', '--actions', '@in.csv', '--out', 'in.csv', '--yes'],
    ]) {
      const {code, stderr} = await desk.run(argv)
      expect([code, /which this command reads/.test(stderr)], stderr).to.deep.equal([2, true])
    }
    expect(readFileSync('in.csv', 'utf8')).to.equal(rows)
  })

  it('of a run take the place of a report, and of no other file unasked', async () => {
    const run = ['customers', 'import', 'in.csv', '--password-mode', 'external-auth', '--report']
    writeFileSync('notes.txt', 'mine')
    const refused = await desk.run([...run, 'notes.txt'])
    expect([refused.code, /exists already/.test(refused.stderr)]).to.deep.equal([2, true])
    expect(readFileSync('notes.txt', 'utf8')).to.equal('mine')
    expect((await desk.run([...run, 'notes.txt', '--yes'])).code).to.equal(10)
    for (const again of ['notes.txt', 'page.html', 'page.html'])
      expect((await desk.run([...run, again])).code, again).to.equal(10)
  })

  it('are refused where two flags name one file', async () => {
    const argv = ['customers', 'delete', 'key=petra-vance', '--yes', '--backup', 'b', '--out', './b']
    const {code, stderr} = await desk.run(argv)
    expect([code, stderr]).to.satisfy(() => code === 2 && /names the file of another flag/.test(stderr))
  })
})
