import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
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

  it('takes the port of the last start again, and says so where another program has it', async () => {
    let said = ''
    const started = (...words: string[]) => {
      const {status, stdout, stderr} = run('server', 'start', '--detach', '--json', ...words)
      expect(status, stderr).to.equal(0)
      said = stderr.replace(/\s+/g, ' ')
      expect(run('server', 'stop').status).to.equal(0)
      return Number(new URL((JSON.parse(stdout) as {apiUrl: string}).apiUrl).port)
    }
    const port = started()
    expect(started()).to.equal(port)
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    try {
      expect(started()).to.not.equal(port)
      expect(said).to.include(`another program has port ${port}`)
      const log = readFileSync(join(desk.folder, 'data', 'server.log'), 'utf8').replace(/\s+/g, ' ')
      expect(log).to.include(`another program has port ${port}, the one of the last start`)
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
    expect(started(), 'the port is free again').to.equal(port)
    expect(said).to.not.include('another program')
    expect(started('--port', String(port))).to.equal(port)
    expect(started()).to.equal(port)
  })
})
