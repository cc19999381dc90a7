import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {join} from 'node:path'
import {expect} from 'chai'
import {processLimitMs} from '../../patience.js'
import {built, Desk, root} from '../run.js'

describe('cli · errors that no request owns', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const saying = (stream: NodeJS.ReadableStream | null, text: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      let said = ''
      stream?.on('data', (chunk) => {
        said += String(chunk)
        if (text.test(said)) resolve(said)
      })
      stream?.once('end', () => reject(new Error(`the server ended and said: ${said}`)))
    })

  it('are logged with their stack by a server, which goes on answering', async () => {
    const stray = join(root, 'test/security/survival/stray-error.mjs')
    const words = ['server', 'start', '--port', '0', '--data', join(desk.folder, 'stray'), '--json']
    const child: ChildProcess = spawn(process.execPath, ['--import', stray, built, ...words], {
      env: {...process.env, ...desk.env},
      timeout: processLimitMs,
      killSignal: 'SIGKILL',
    })
    const ended = once(child, 'exit')
    try {
      const {apiUrl} = JSON.parse(await saying(child.stdout, /\n/)) as {apiUrl: string}
      for (const fault of ['stray throw 1', 'stray rejection 2', 'stray throw 3']) {
        const logged = saying(child.stderr, new RegExp(fault))
        child.kill('SIGUSR2')
        expect(await logged).to.match(/^no request: Error: .*stray-error\.mjs/s)
        expect((await fetch(`${apiUrl}/health`)).status).to.equal(200)
      }
    } finally {
      child.kill('SIGTERM')
    }
    const [code] = await ended
    expect(code).to.equal(143)
  })
})
