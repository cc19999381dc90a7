import {cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk, type Ended} from '../run.js'

const errorOf = ({json}: Ended): {code: string; message: string; hints: string[]} => (json as {error: never}).error

/** The next step that an error or an answer names can be typed as it stands. */
describe('cli · next steps on a folder that --data names', () => {
  const desk = new Desk()
  const sound = join(desk.folder, 'sound')
  let count = 0
  const copy = (): string => {
    count += 1
    const dir = join(desk.folder, `state ${count}`)
    cpSync(sound, dir, {recursive: true})
    return dir
  }
  const on = (dir: string, ...argv: string[]) => desk.run([...argv, '--data', dir])
  const privately = (path: string, text = 'nonsense') => writeFileSync(path, text, {mode: 0o600})

  before(async () => {
    expect(await on(sound, 'server', 'seed', 'demo')).to.include({code: 0})
    expect(await on(sound, 'server', 'snapshot', 'save', 'monday')).to.include({code: 0})
  })
  after(() => desk.remove())

  it('name the folder, and the doctor does not send to itself', async () => {
    const dir = copy()
    privately(join(dir, 'PROJECTS.json'))
    const read = await on(dir, 'customers', 'query', '--json')
    expect(errorOf(read).hints.join()).to.include(`frontdesk server doctor --data '${dir}'`)
    const hints = errorOf(await on(dir, 'server', 'doctor', '--json')).hints.join()
    expect(hints)
      .to.include(`frontdesk server doctor --data '${dir}' --repair`)
      .and.not.include('to see what is damaged')
    const stopped = await on(dir, 'server', 'stop', '--json')
    expect(errorOf(stopped).hints).to.deep.equal([`Run: frontdesk server start --data '${dir}'`])
    const missing = await on(join(desk.folder, 'new'), 'customers', 'get', 'nobody@example.com', '--json')
    expect(errorOf(missing).hints.join()).to.include(`frontdesk server seed --data ${join(desk.folder, 'new')} demo`)
  })

  it('lead out of a damaged mark of a restore', async () => {
    const dir = copy()
    privately(join(dir, 'RESTORING.json'))
    const {hints} = errorOf(await on(dir, 'server', 'doctor', '--json'))
    expect(hints.join()).to.include(`frontdesk server snapshot list --data '${dir}'`)
    expect(await on(dir, 'server', 'snapshot', 'restore', 'monday', '--yes')).to.include({code: 0})
    expect(await on(dir, 'server', 'doctor')).to.include({code: 0})
  })

  it('a repair says what it mended, and ends with 13 for what it leaves', async () => {
    const dir = copy()
    privately(join(dir, 'PROJECTS.json'))
    const mended = await on(dir, 'server', 'doctor', '--repair', '--yes')
    expect(mended).to.include({code: 0, stdout: `written anew: ${join(dir, 'PROJECTS.json')}\n`})
    privately(join(dir, 'local.client.json'))
    const left = await on(dir, 'server', 'doctor', '--repair', '--yes')
    expect(left).to.include({code: 13})
    expect(left.stdout).to.match(/^damage: .*local\.client\.json holds no API client\. Remove /)
  })

  it('a snapshot that cannot be read hides no other, and what others can read is not removed', async () => {
    const dir = copy()
    mkdirSync(join(dir, '.snapshots', 'empty'))
    const listed = await on(dir, 'server', 'snapshot', 'list', '--json')
    expect(listed.code).to.equal(0)
    const {results} = listed.json as {results: {name: string; problem?: string}[]}
    expect(results.map(({name, problem}) => [name, problem?.replace(/.*\//, '')])).to.deep.equal([
      ['empty', 'SNAPSHOT.json is missing.'],
      ['monday', undefined],
    ])
    rmSync(join(dir, '.snapshots', 'monday', 'SNAPSHOT.json'))
    writeFileSync(join(dir, '.snapshots', 'monday', 'SNAPSHOT.json'), '{}', {mode: 0o644})
    const {hints} = errorOf(await on(dir, 'server', 'doctor', '--json'))
    expect(hints.join())
      .to.include('Run: chmod 600')
      .and.not.include('Remove ' + join(dir, '.snapshots', 'monday'))
  })

  it('a folder by a link is checked; none, another one and a nameless one are told', async () => {
    const link = join(desk.folder, 'link')
    symlinkSync(sound, link)
    expect(await on(link, 'server', 'doctor')).to.include({code: 0})
    const none = join(desk.folder, 'none')
    expect(await on(none, 'server', 'doctor')).to.include({stdout: `there is no state in ${none}\n`})
    const other = join(desk.folder, 'other')
    mkdirSync(join(other, 'photos'), {recursive: true, mode: 0o755})
    expect(errorOf(await on(other, 'customers', 'query', '--json')).hints.join()).not.to.include('chmod')
    expect(await on('', 'customers', 'query')).to.include({code: 2})
  })

  it('a link in the place of a project is not given another mode, nor forgotten by a repair', async () => {
    const dir = copy()
    cpSync(join(dir, 'local'), join(desk.folder, 'away'), {recursive: true})
    rmSync(join(dir, 'local'), {recursive: true})
    symlinkSync(join(desk.folder, 'away'), join(dir, 'local'))
    expect(errorOf(await on(dir, 'customers', 'query', '--json')).message).to.include('is not a directory')
    expect(await on(dir, 'server', 'doctor', '--repair', '--yes')).to.include({code: 13})
    expect(await on(dir, 'server', 'snapshot', 'restore', 'monday', '--yes')).to.include({code: 13})
    rmSync(join(dir, 'local'))
    expect(errorOf(await on(dir, 'server', 'doctor', '--json')).hints.join()).to.include('are missing')
    expect(await on(dir, 'server', 'snapshot', 'restore', 'monday', '--yes')).to.include({code: 0})
  })

  it('a lock that cannot be read is of nobody on another machine', async () => {
    const dir = copy()
    privately(join(dir, 'LOCK'))
    const {stdout} = await on(dir, 'server', 'status')
    expect(stdout).to.include('in use by a process whose lock cannot be read; if it has ended: frontdesk server doctor')
    expect(await on(dir, 'server', 'doctor', '--force', '--yes')).to.include({code: 0})
  })

  it('a migration goes to no folder that was meant for a database or a home', async () => {
    for (const to of ['postgress://clerk@127.0.0.1/shop', '~/state', '']) {
      expect(await desk.run(['server', 'migrate-store', '--from', sound, '--to', to, '--dry-run']), to).to.include({
        code: 2,
      })
    }
  })
})
