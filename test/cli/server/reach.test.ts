import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {chmodSync, existsSync} from 'node:fs'
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
      expect(stderr).to.contain('plain HTTP').and.contain('--insecure-http').and.contain('--tls-cert')
    }
    for (const host of ['shop.test', '1.2.3', '*', '']) {
      expect((await desk.run(['server', 'start', '--host', host])).code, host).to.equal(2)
    }
    const callback = await desk.run(['callback', 'serve', '--host', '0.0.0.0'])
    expect(callback.code).to.equal(2)
  })

  it('refuses seed packs, patterns and half a certificate', async () => {
    const open = ['server', 'start', '--host', '0.0.0.0', '--insecure-http']
    const seeded = await desk.run([...open, '--seed', join(root, 'fixtures/demo')])
    expect(seeded.code).to.equal(2)
    expect(seeded.stderr).to.contain('seed')
    expect((await desk.run([...open, '--allowed-host', '*'])).code).to.equal(2)
    expect((await desk.run([...open, '--public-url', 'shop.test'])).code).to.equal(2)
    expect((await desk.run([...open, '--tls-cert', 'a', '--tls-key', 'b'])).code).to.equal(2)
    expect((await desk.run(['server', 'start', '--tls-cert', 'a'])).code).to.equal(2)
    expect(existsSync(join(desk.folder, 'data', 'LOCK'))).to.equal(false)
  })

  it('serves HTTPS with a private key, under a public address that its own commands do not need', async () => {
    const [key, cert] = [join(desk.folder, 'key.pem'), join(desk.folder, 'cert.pem')]
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
    execFileSync('openssl', [...made, '-subj', '/CN=shop.test', '-keyout', key, '-out', cert], {stdio: 'ignore'})
    const argv = ['server', 'start', '--host', '0.0.0.0', '--tls-cert', cert, '--tls-key', key, '--json']
    chmodSync(key, 0o644)
    const refused = await desk.run(argv)
    expect(refused.code).to.equal(13)
    expect(refused.stdout).to.contain('chmod 600')
    chmodSync(key, 0o600)
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
      expect((await desk.run(['server', 'status', '--details', '--json'])).json).to.include({
        apiUrl: 'https://shop.test',
      })
      const create = ['customers', 'create', '--email', 'ada@example.com', '--external-auth', '--json']
      expect((await desk.run(create)).json).to.have.nested.include({'customer.email': 'ada@example.com'})
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })
})
