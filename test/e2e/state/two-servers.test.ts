import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {openSandbox, type Sandbox} from '../binary.js'

/** Processes that want one folder. */
describe('e2e · who else uses the folder', () => {
  let sandbox: Sandbox
  beforeEach(() => {
    sandbox = openSandbox()
  })
  afterEach(() => sandbox.remove())

  const create = (name: string) =>
    sandbox.frontdesk(['customers', 'create', '--email', `${name}@example.com`, '--external-auth'])

  async function emails(): Promise<string[]> {
    const {code, stdout, stderr} = await sandbox.frontdesk([
      'customers',
      'query',
      '--all',
      '--json',
      '--fields',
      'email',
    ])
    expect(code, stderr).to.equal(0)
    const {results} = JSON.parse(stdout) as {results: {email: string}[]}
    return results.map(({email}) => email.split('@')[0] ?? '').sort()
  }

  it('is refused while a server runs, with --force too, and takes it over at once when that is killed', async () => {
    const first = await sandbox.serve()
    expect((await create('one')).code).to.equal(0)
    const second = ['server', 'start', '--port', '0', '--data', sandbox.data]
    for (const more of [[], ['--force']]) {
      const {code, stderr} = await sandbox.frontdesk([...second, ...more])
      expect(code, stderr).to.equal(13)
      expect(stderr).to.include(`process id ${first.child.pid}`)
    }
    expect((await create('two')).code).to.equal(0)
    first.child.kill('SIGKILL')
    await first.exited
    const next = await sandbox.serve()
    expect((await create('three')).code).to.equal(0)
    next.child.kill('SIGTERM')
    await next.exited
    expect(await emails()).to.deep.equal(['one', 'three', 'two'])
    expect((await sandbox.frontdesk(['server', 'doctor'])).code).to.equal(0)
  })

  it('--force takes the folder of one in another container, which stops at its next write', async () => {
    const first = await sandbox.serve()
    expect((await create('one')).code).to.equal(0)
    // As the lock of a container looks from outside: whether that still runs is not known here.
    const lock = join(sandbox.data, 'LOCK')
    const holder = JSON.parse(readFileSync(lock, 'utf8')) as object
    writeFileSync(lock, JSON.stringify({...holder, namespace: 'pid:[1]'}))
    const refused = await sandbox.frontdesk(['server', 'start', '--port', '0', '--data', sandbox.data])
    expect(refused.code).to.equal(13)
    expect(refused.stderr).to.include('--force')
    const second = await sandbox.serve(['--force'])
    expect((await create('two')).code).to.equal(0)
    const url = [`--api-url=${first.apiUrl}`, `--auth-url=${first.apiUrl}`]
    const late = ['customers', 'create', '--email', 'late@example.com', '--external-auth', '--retries', '0', ...url]
    const shown = await sandbox.frontdesk(['server', 'env', '--json'])
    const {FRONTDESK_CLIENT_ID = '', FRONTDESK_CLIENT_SECRET = ''} = JSON.parse(shown.stdout) as NodeJS.ProcessEnv
    const answer = await sandbox.frontdesk(late, {env: {FRONTDESK_CLIENT_ID, FRONTDESK_CLIENT_SECRET}})
    expect(answer.code, answer.stderr).to.not.equal(0)
    expect((await first.exited).code).to.equal(13)
    second.child.kill('SIGTERM')
    await second.exited
    expect(await emails()).to.deep.equal(['one', 'two'])
    expect((await sandbox.frontdesk(['server', 'doctor'])).code).to.equal(0)
  })
})
