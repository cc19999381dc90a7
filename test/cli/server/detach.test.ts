import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {expect} from 'chai'
import {startDetached} from '../../../src/cli/server/detached.js'
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

  it('names the folder in the next step', () => {
    const dir = join(desk.folder, 'other')
    const {stdout} = run('server', 'start', '--detach', '--data', dir)
    expect(run('server', 'stop', '--data', dir).status).to.equal(0)
    expect(stdout).to.include(`\`frontdesk server env --data ${dir}\` shows how to use it`)
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

  describe('of a program that is slow', () => {
    const limits = {stepMs: 40, limitMs: 120_000, endMs: 60_000}
    /** Notes its process, and says that it listens once a file is there. */
    const program = (name: string) => {
      const [go, pid] = [join(desk.folder, `${name}-go`), join(desk.folder, `${name}-pid`)]
      const line = JSON.stringify(JSON.stringify({apiUrl: 'a', authUrl: 'b', projectKey: 'c', pid: 1}))
      const script = `const {existsSync, writeFileSync} = require('fs')
        writeFileSync(${JSON.stringify(pid)}, String(process.pid))
        setInterval(() => {if (existsSync(${JSON.stringify(go)})) {console.log(${line}); process.exit()}}, 5)`
      return {argv: ['-e', script], data: join(desk.folder, name), go, pid}
    }

    it('is waited for as long as it works', async () => {
      const {argv, data, go} = program('slow')
      let steps = 0
      const work = () => {
        steps += 1
        if (steps === 3) writeFileSync(go, '')
        return String(steps)
      }
      expect(await startDetached(argv, data, {...limits, work})).to.include({apiUrl: 'a', pid: 1})
      expect(steps).to.be.at.least(3)
    })

    it('is ended by its process, which is named, where it stands still or takes too long', async () => {
      for (const [name, limitMs, work] of [
        [
          'still',
          limits.limitMs,
          (pid?: number) => (existsSync(join(desk.folder, 'still-pid')) ? 'same' : `${pid}${performance.now()}`),
        ],
        ['long', 400, () => String(performance.now())],
      ] as const) {
        const {argv, data, pid} = program(name)
        const error = await startDetached(argv, data, {...limits, limitMs, work}).catch((failure: unknown) => failure)
        const ended = existsSync(pid) ? Number(readFileSync(pid, 'utf8')) : 0
        expect((error as Error).message).to.match(/did not report that it listens, and its process \d+ was ended/)
        if (ended > 0) {
          expect((error as Error).message).to.include(`process ${ended} `)
          expect(() => process.kill(ended, 0)).to.throw('ESRCH')
        }
      }
    })
  })
})
