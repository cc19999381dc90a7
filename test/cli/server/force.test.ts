import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {thisProcess} from '../../../src/store/lowdb/folder/lock.js'
import {Desk} from '../run.js'

describe('cli · a folder whose holder cannot be told to have ended', () => {
  const desk = new Desk()
  const lock = join(desk.env['FRONTDESK_DATA_DIR'] ?? '', 'LOCK')

  before(async () => {
    expect(await desk.run(['server', 'seed', 'fixtures/demo', '--project-key', 'demo'])).to.include({code: 0})
  })
  after(() => desk.remove())

  it('is refused by name, and released by server doctor --force, which a dry run only shows', async () => {
    const holder = {...thisProcess('n', 'server'), pid: 7, host: 'web-1', namespace: 'pid:[1]'}
    writeFileSync(lock, JSON.stringify(holder), {mode: 0o600})
    const status = await desk.run(['server', 'status', '--json'])
    expect(status.json).to.deep.include({inUseBy: {pid: 7, purpose: 'server', host: 'web-1', liveness: 'unknown'}})
    const refused = await desk.run(['server', 'reset', '--yes', '--json'])
    expect(refused.code).to.equal(13)
    expect(refused.stdout + refused.stderr).to.match(/process id 7 on web-1[\s\S]*server doctor --force/)
    expect(await desk.run(['server', 'doctor', '--force', '--dry-run'])).to.include({code: 0})
    expect(readFileSync(lock, 'utf8')).to.equal(JSON.stringify(holder))
    expect(await desk.run(['server', 'doctor', '--force', '--yes'])).to.include({code: 0})
    expect(await desk.run(['server', 'reset', '--yes'])).to.include({code: 0})
  })
})
