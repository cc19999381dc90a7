import {type ChildProcess, spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {built, Desk, root} from '../run.js'

/** The first line that a server prints. */
function firstLine({stdout}: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '')
    })
    stdout?.once('end', () => resolve(text))
  })
}

describe('cli · server start beyond loopback', () => {
  const desk = new Desk()
  after(() => desk.remove())

  it('refuses plain HTTP that nobody asked for, and what is no address', async () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.2']) {
      const {code, stderr} = await desk.run(['server', 'start', '--host', host])
      expect(code, host).to.equal(2)
      expect(stderr).to.contain('plain HTTP').and.contain('--insecure-http').and.contain('proxy')
    }
    for (const host of ['shop.test', '1.2.3', '*', '']) {
      expect((await desk.run(['server', 'start', '--host', host])).code, host).to.equal(2)
    }
    const callback = await desk.run(['callback', 'serve', '--host', '0.0.0.0'])
    expect(callback.code).to.equal(2)
  })

  it('refuses seed packs and patterns', async () => {
    const open = ['server', 'start', '--host', '0.0.0.0', '--insecure-http']
    const seeded = await desk.run([...open, '--seed', join(root, 'fixtures/demo')])
    expect(seeded.code).to.equal(2)
    expect(seeded.stderr).to.contain('seed')
    expect((await desk.run([...open, '--allowed-host', '*'])).code).to.equal(2)
    expect((await desk.run([...open, '--allowed-origin', '*'])).code).to.equal(2)
    expect((await desk.run([...open, '--public-url', 'shop.test'])).code).to.equal(2)
    expect(existsSync(join(desk.folder, 'data', 'LOCK'))).to.equal(false)
  })

  it('serves under a public address that its own commands do not need', async () => {
    const argv = ['server', 'start', '--host', '0.0.0.0', '--insecure-http', '--json']
    const child = spawn(process.execPath, [built, ...argv, '--public-url', 'https://shop.test'], {
      env: {...process.env, ...desk.env},
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    try {
      const line = await firstLine(child)
      expect(JSON.parse(line)).to.include({apiUrl: 'https://shop.test', authUrl: 'https://shop.test'})
      const env = await desk.run(['server', 'env'])
      expect(env.stdout).to.contain('FRONTDESK_API_URL=https://shop.test\n')
      const brief = (await desk.run(['server', 'status', '--json'])).json
      expect(brief).to.have.all.keys('running', 'pid', 'apiUrl', 'authUrl', 'dataDir')
      expect(env.stdout).to.not.include('SCOPES')
      expect((await desk.run(['server', 'status', '--details', '--json'])).json).to.include({
        apiUrl: 'https://shop.test',
      })
      const create = ['customers', 'create', '--email', 'ada@example.com', '--external-auth', '--json']
      const {stdout} = await desk.run(['server', 'status', '--details'])
      expect(stdout).to.match(/\nup for \S.*\nlocal {2}empty\n$/)
      expect((await desk.run(create)).json).to.have.nested.include({'customer.email': 'ada@example.com'})
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })
})
