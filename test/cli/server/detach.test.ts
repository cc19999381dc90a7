import {spawnSync} from 'node:child_process'
import {expect} from 'chai'
import {processLimitMs} from '../../patience.js'
import {built, Desk} from '../run.js'

describe('cli · server start --detach', () => {
  const desk = new Desk()
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [built, ...words], {
      env: {...process.env, ...desk.env},
      encoding: 'utf8',
      timeout: processLimitMs,
    })
  after(() => {
    run('server', 'stop')
    desk.remove()
  })

  it('returns when the server listens, and says what kept a second one from it', () => {
    const first = run('server', 'start', '--detach', '--json')
    expect(first.status, first.stderr).to.equal(0)
    const {pid} = JSON.parse(first.stdout) as {pid: number}
    const second = run('server', 'start', '--detach')
    expect(second.status, second.stderr).to.equal(13)
    expect(second.stderr).to.include(String(pid))
    expect(run('server', 'stop').status).to.equal(0)
  })
})
