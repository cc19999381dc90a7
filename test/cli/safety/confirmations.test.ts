import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {parentIdentity} from '../../../src/files/process-identity.js'
import {Desk} from '../run.js'

describe('cli · confirmations of a protected profile', () => {
  const desk = new Desk()
  after(() => desk.remove())
  let now = Date.parse('2026-11-22T10:00:00Z')

  before(async () => {
    for (const argv of [
      ['server', 'seed', 'demo'],
      ['login', 'live', '--local', '--project-key', 'local', '--protected'],
      ['login', 'other', '--local', '--project-key', 'local', '--protected'],
    ]) {
      const {code, stderr} = await desk.run(argv)
      expect(code, stderr).to.equal(0)
    }
  })

  /** Whether the profile's name had to be typed for a write. */
  async function isAsked(profile: string, shell: string | undefined): Promise<boolean> {
    const title = `Title ${now}`
    const argv = ['customers', 'update', 'key=owen-pell', '--set', `title=${title}`, '-P', profile]
    const options = {clock: () => now, ...(shell === undefined ? {} : {shell})}
    const silent = await desk.run(argv, {...options, answers: []})
    if (silent.code === 0) {
      expect(silent.stderr).to.match(/was confirmed in this shell \d+ min ago/)
      return false
    }
    const {code, stderr} = await desk.run(argv, {...options, answers: [profile]})
    expect(code, stderr).to.equal(0)
    return true
  }

  it('hold for ten minutes, in one shell, for one profile', async () => {
    expect(await isAsked('live', 'bash 1')).to.equal(true)
    now += 9 * 60_000
    expect(await isAsked('live', 'bash 1')).to.equal(false)
    expect(await isAsked('live', 'bash 2')).to.equal(true)
    expect(await isAsked('other', 'bash 1')).to.equal(true)
    expect(await isAsked('live', undefined)).to.equal(true)
    // Not prolonged by use.
    now += 60_000
    expect(await isAsked('live', 'bash 1')).to.equal(true)
    now -= 3_600_000
    expect(await isAsked('live', 'bash 1'), 'a clock that was set back').to.equal(true)
  })

  it('do not hold where nobody could have typed', async () => {
    now += 7_200_000
    expect(await isAsked('live', 'bash 3')).to.equal(true)
    const argv = ['customers', 'update', 'key=owen-pell', '--set', 'title=Sir', '-P', 'live']
    expect((await desk.run(argv, {shell: 'bash 3', clock: () => now})).code).to.equal(12)
  })

  it('are kept without a name, and go with their time', async () => {
    now += 7_200_000
    const folder = join(desk.folder, 'data', '_confirmed')
    expect(await isAsked('live', 'bash 4')).to.equal(true)
    for (const name of readdirSync(folder)) expect(name).to.match(/^[0-9a-f]{64}$/)
  })

  it('know the process that started this one', () => {
    expect(parentIdentity()).to.match(new RegExp(`^${process.ppid} \\S`))
  })
})
