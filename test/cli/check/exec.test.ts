import {spawn} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {built, Desk} from '../run.js'
import {exampleOf} from './harness.js'

describe('cli · server exec', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const node = (script: string, ...words: string[]): string[] => ['--', process.execPath, '-e', script, ...words]

  it('runs a program beside a seeded server, tells it the way, and passes its exit code', async () => {
    const script = `
      const {FRONTDESK_API_URL: api, FRONTDESK_AUTH_URL: auth, FRONTDESK_CLIENT_ID: id, FRONTDESK_CLIENT_SECRET: secret,
        FRONTDESK_TOKEN: none, FRONTDESK_PROJECT_KEY: project} = process.env
      const authorization = 'Basic ' + Buffer.from(id + ':' + secret).toString('base64')
      const body = new URLSearchParams({grant_type: 'client_credentials'})
      const {access_token: token} = await (await fetch(auth + '/oauth/token', {method: 'POST', headers: {authorization}, body})).json()
      const headers = {authorization: 'Bearer ' + token}
      const answer = await fetch(api + '/' + project + '/customers/key=hazel-brandvold', {headers})
      console.log(answer.status, none, process.env.FRONTDESK_DATA_DIR)
      process.exitCode = 42`
    const argv = ['server', 'exec', '--seed', 'fixtures/demo', '--project-key', 'demo', '--', process.execPath]
    const env = {FRONTDESK_TOKEN: 'stray'}
    const {code, stdout, stderr} = await desk.run([...argv, '--input-type=module', '-e', script], {env})
    expect(code, stderr).to.equal(42)
    const [status, none, folder = ''] = stdout.trim().split(' ')
    expect([status, none]).to.deep.equal(['200', 'undefined'])
    expect(existsSync(folder), 'the temporary state is gone').to.equal(false)
  })

  it('hands on the environment, but for other targets, secrets of a server and proxies before this machine', async () => {
    const proxies = {HTTP_PROXY: 'http://proxy.test:3128', NO_PROXY: 'intern.test', no_proxy: ''}
    const kept = {
      FRONTDESK_OUTPUT: 'json',
      FRONTDESK_TICKET: 'CS-1',
      APP_SECRET: 'own',
      PATH: process.env['PATH'] ?? '',
      EMPTY: '',
    }
    const secrets = {
      FRONTDESK_STORE_URL: 'postgres://clerk:hush@db.test/x',
      FRONTDESK_FALLBACK_AUTHORIZATION: 'Bearer hush',
      FRONTDESK_TOKEN: 'hush',
      FRONTDESK_SCOPES: 'hush',
      FRONTDESK_SOMETHING_NEW: 'hush',
    }
    const {code, stdout, stderr} = await desk.run(
      ['server', 'exec', '-o', 'table', ...node('console.log(JSON.stringify(process.env))')],
      {env: {...proxies, ...kept, ...secrets}},
    )
    expect(code, stderr).to.equal(0)
    const env = JSON.parse(stdout) as Record<string, string>
    expect(stdout).to.not.include('hush')
    expect(env).to.deep.include({...kept, HTTP_PROXY: proxies.HTTP_PROXY})
    expect([env['NO_PROXY'], env['no_proxy']]).to.deep.equal(
      Array.from({length: 2}, () => 'intern.test,127.0.0.1,localhost,::1'),
    )
    const ours = Object.keys(env).filter((name) => name.startsWith('FRONTDESK_'))
    const named = ['API_URL', 'AUTH_URL', 'CLIENT_ID', 'CLIENT_SECRET', 'DATA_DIR', 'PROJECT_KEY']
    const modes = ['CACHE_DIR', 'CONFIG_DIR', 'OUTPUT', 'TICKET']
    expect(ours.sort()).to.deep.equal([...named, ...modes].map((name) => `FRONTDESK_${name}`).sort())
  })

  it('runs its own example', async () => {
    const {code, stdout} = await desk.run(await exampleOf('server:exec'))
    expect(code).to.equal(0)
    expect(stdout).to.match(/^http:\/\/127\.0\.0\.1:\d+\n$/)
  })

  it('leaves the flags after -- to the program', async () => {
    const {code, stdout} = await desk.run(['server', 'exec', ...node('console.log(process.argv[1])', '--', '--json')])
    expect([code, stdout]).to.deep.equal([0, '--json\n'])
  })

  it('keeps the state with --data', async () => {
    const folder = join(desk.folder, 'kept')
    expect((await desk.run(['server', 'exec', '--data', folder, ...node('0')])).code).to.equal(0)
    expect(existsSync(folder)).to.equal(true)
  })

  it('gives the code of a shell for a program that a signal ended, and code 2 for none', async () => {
    expect((await desk.run(['server', 'exec', ...node('process.kill(process.pid, "SIGTERM")')])).code).to.equal(143)
    const none = await desk.run(['server', 'exec', '--', 'no-such-program-here'])
    expect([none.code, none.stderr]).to.deep.include(2)
    expect(none.stderr).to.include('cannot be run: there is no such file or folder')
    expect((await desk.run(['server', 'exec'])).code).to.equal(2)
  })

  it('forwards a signal, waits for the program, and ends with the code of the signal', async () => {
    const script =
      'process.on("SIGTERM", () => {console.log("told"); process.exit(0)}); console.log("up"); setInterval(() => 0, 1000)'
    const child = spawn(process.execPath, [built, 'server', 'exec', ...node(script)], {
      env: {...process.env, ...desk.env},
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    child.stdout.on('data', (chunk: Buffer) => {
      if (said === '') child.kill('SIGTERM')
      said += chunk.toString()
    })
    expect(await ended).to.equal(143)
    expect(said).to.equal('up\ntold\n')
  })
})
