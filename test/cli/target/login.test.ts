import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {forms} from '../../../src/cli/output/view.js'
import type {SavedSession} from '../../../src/cli/tokens/sessions.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

describe('cli · login of somebody who begins', () => {
  let server: RunningServer
  let desk: Desk
  before(async () => {
    server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
  })
  after(() => server.stop())
  beforeEach(() => {
    desk = new Desk()
  })
  afterEach(() => desk.remove())

  const answers = () => ['shop', server.apiUrl, server.authUrl, server.client.clientId, server.client.clientSecret]

  it('asks for everything, tests it, and ends with a profile that works', async () => {
    const {code, stderr} = await desk.run(['login', 'production'], {answers: answers()})
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include('frontdesk profiles use production')
    expect((await desk.run(['customers', 'query', '-P', 'production'])).code).to.equal(0)
    const named = await desk.run(['login'], {answers: ['staging', ...answers()]})
    expect(named.code, named.stderr).to.equal(0)
    expect((await desk.run(['profiles', 'list', '-o', 'ids'])).stdout).to.include('staging')
  })

  it('asks again for what the project or a check refuses, with what was typed in brackets', async () => {
    const [key = '', api = '', auth = '', id = '', secret = ''] = answers()
    const typed = ['No Key', key, 'no address', api, auth, id, 'wrong', key, api, auth, id, secret]
    const {code, stderr} = await desk.run(['login', 'production'], {answers: typed})
    expect(code, stderr).to.equal(0)
    expect(stderr.replace(/\s+/g, ' ')).to.include('Enter keeps what stands in brackets')
    expect((await desk.run(['customers', 'query', '-P', 'production'])).code).to.equal(0)
  })

  it('gives up after three answers, adds nothing, and asks nobody again for what flags gave', async () => {
    const wrong = [...answers().slice(0, -1), 'wrong']
    const refused = await desk.run(['login', 'production'], {answers: [...wrong, ...wrong, ...wrong]})
    expect(refused.code, refused.stderr).to.equal(4)
    expect(refused.stderr).to.include('The id or the secret of the API client is wrong').and.not.include('HTTP Basic')
    expect((await desk.run(['login', 'bad'], {answers: ['No Key', 'No Key', 'No Key']})).code).to.equal(2)
    expect((await desk.run(['login', 'production', '--dry-run'], {answers: answers()})).code).to.equal(0)
    const place = ['--project-key', 'shop', '--api-url', server.apiUrl, '--auth-url', server.authUrl]
    const flags = ['login', 'ci', ...place, '--client-id', server.client.clientId, '--secret-stdin']
    expect((await desk.run(flags, {stdin: 'wrong'})).code).to.equal(4)
    expect((await desk.run(['profiles', 'list', '-o', 'ids'])).stdout.trim()).to.equal('local')
  })

  it('takes the same from flags, and asks nobody where nobody is', async () => {
    const secret = {stdin: server.client.clientSecret}
    const place = ['--project-key', 'shop', '--api-url', server.apiUrl, '--auth-url', server.authUrl]
    const flags = ['login', 'ci', ...place, '--client-id', server.client.clientId, '--secret-stdin']
    const {code, stderr} = await desk.run(flags, secret)
    expect(code, stderr).to.equal(0)
    expect((await desk.run(['customers', 'query', '-P', 'ci'])).code).to.equal(0)
    expect((await desk.run(['login', 'nobody'])).code).to.equal(2)
  })

  it('keeps the form of output that it is told, which commands then have', async () => {
    const secret = {stdin: server.client.clientSecret}
    const flags = [...place(), ...client(), '--secret-stdin', '--no-check', '--default-output']
    const shown = new Set<string>()
    for (const form of forms) {
      const {code, stderr} = await desk.run(['login', form, ...flags, form], secret)
      expect(code, stderr).to.equal(0)
      const query = ['customers', 'query', '--fields', 'email,version', '-P', form]
      if (shown.size === 0)
        await desk.run(['customers', 'create', '--external-auth', '--email', 'a@example.com', '-P', form])
      const {stdout} = await desk.run(query)
      expect(stdout, form).to.equal((await desk.run([...query, '-o', form])).stdout)
      shown.add(stdout)
    }
    expect(shown.size).to.equal(forms.length)
  })

  const place = () => ['--project-key', 'shop', '--api-url', server.apiUrl, '--auth-url', server.authUrl]
  const client = () => ['--client-id', server.client.clientId]
  const stored = async (name: string) => (await desk.run(['profiles', 'show', name, '--json'])).json
  const secretFile = (name: string) => join(desk.folder, 'config', 'secrets', name)

  it('tests the secret at the place that a flag names, and stores the place alone', async () => {
    const env = {SHOP_SECRET: server.client.clientSecret}
    const from = ['login', 'ci', ...place(), ...client(), '--secret-from', 'env:SHOP_SECRET']
    expect((await desk.run(from, {env: {SHOP_SECRET: 'wrong'}})).code).to.equal(4)
    expect((await desk.run(from)).code).to.equal(4)
    const {code, json, stderr} = await desk.run([...from, '--protected', '--json'], {env})
    expect(code, stderr).to.equal(0)
    expect(json).to.deep.include({profile: 'ci', protected: true, secret: {from: 'env:SHOP_SECRET'}})
    expect(existsSync(secretFile('ci'))).to.equal(false)
    expect((await desk.run(['customers', 'query', '-P', 'ci'], {env})).code).to.equal(0)
    const both = await desk.run([...from, '--secret-stdin', '--replace'], {env, stdin: 'x'})
    expect(both.code).to.equal(2)
  })

  it('makes a profile anew with --replace alone, and otherwise stores another secret', async () => {
    await desk.run(['login', 'shop', ...place(), '--no-secret', '--protected'])
    const changed = await desk.run(['login', 'shop', '--read-only', ...client(), '--secret-stdin'], {stdin: 'x'})
    expect(changed.code).to.equal(2)
    expect(changed.stderr).to.include('--read-only').and.include('--replace')
    const login = await desk.run(['login', 'shop', ...client(), '--secret-stdin'], {stdin: server.client.clientSecret})
    expect(login.code, login.stderr).to.equal(0)
    expect(readFileSync(secretFile('shop'), 'utf8').trim()).to.equal(server.client.clientSecret)
    expect(await stored('shop')).to.deep.include({protected: true, clientId: server.client.clientId})
    const anew = ['login', 'shop', ...place(), '--no-secret', '--read-only', '--replace']
    expect((await desk.run([...anew, '--dry-run'])).stdout).to.include('would replace profile shop')
    expect(await stored('shop')).to.include({protected: true})
    expect((await desk.run(anew)).stderr).to.include('Next: frontdesk login shop')
    expect(await stored('shop'))
      .to.include({readOnly: true})
      .and.not.have.any.keys('protected', 'secret', 'clientId')
    expect(existsSync(secretFile('shop')), 'the secret of the former place').to.equal(false)
  })

  it('makes a project of this machine a profile, which needs no secret', async () => {
    const local = ['login', 'practice', '--project-key', 'demo']
    const nowhere = await desk.run(local)
    expect(nowhere.code).to.equal(2)
    expect(nowhere.stderr).to.include('--api-url URL, or --local')
    expect((await desk.run([...local, '--local', '--api-url', server.apiUrl])).code).to.equal(2)
    for (const idle of ['--no-secret', '--no-check']) {
      const {code, stderr} = await desk.run([...local, '--local', idle])
      expect([code, stderr]).to.deep.include(2)
      expect(stderr).to.include(`${idle} has no effect`)
    }
    expect((await desk.run([...local, '--local'], {answers: []})).code, 'nothing is left to ask').to.equal(0)
    expect((await desk.run(['login', 'other', '--project-key', 'demo', '--data', desk.folder])).code).to.equal(0)
    expect(await stored('other')).to.include({dataDir: desk.folder})
    expect((await desk.run(['whoami', '-P', 'practice', '--json'])).json).to.include({projectKey: 'demo'})
    expect((await desk.run(['login', 'practice'])).stderr).to.include('needs no login')
  })

  it('is ended by logout, which removes the profile if it is asked to', async () => {
    const secret = {stdin: server.client.clientSecret}
    await desk.run(['login', 'shop', ...place(), ...client(), '--secret-stdin', '--protected'], secret)
    await desk.run(['profiles', 'use', 'shop'])
    await desk.run(['customers', 'query'])
    const planned = await desk.run(['logout', 'shop', '--dry-run'])
    expect(planned.stdout).to.include('would forget the secret of shop')
    expect(existsSync(secretFile('shop'))).to.equal(true)
    const left = await desk.run(['logout', 'shop'])
    expect(left.stdout).to.include('forgot the secret of shop; its token is revoked')
    expect(existsSync(secretFile('shop'))).to.equal(false)
    expect(await stored('shop'))
      .to.include({protected: true})
      .and.not.have.property('secret')
    expect((await desk.run(['logout', 'shop'])).stdout).to.include('which has none')
    expect((await desk.run(['logout', 'shop', '--remove'])).code, 'nobody can confirm').to.equal(12)
    const removed = await desk.run(['logout', 'shop', '--remove', '--yes', '--json'])
    expect(removed.json).to.include({profile: 'shop', removed: true})
    expect((await desk.run(['profiles', 'list', '-o', 'ids'])).stdout.trim()).to.equal('local')
    expect((await desk.run(['whoami', '--origins'])).stdout).to.include('profile  local')
    expect((await desk.run(['logout', 'local'])).code).to.equal(2)
  })

  it('is ended by logout with the sessions that its client saved, and no other client’s', async () => {
    const secret = {stdin: server.client.clientSecret}
    const saved = () => desk.run(['token', 'list', '-o', 'ids']).then(({stdout}) => stdout.split('\n').filter(Boolean))
    const sessions = join(desk.folder, 'cache', 'sessions')
    await desk.run(['login', 'shop', ...place(), ...client(), '--secret-stdin'], secret)
    for (const [name, flow] of [
      ['machine', 'client'],
      ['visitor', 'anonymous'],
      ['other', 'client'],
    ] as const)
      expect((await desk.run(['token', 'issue', '-P', 'shop', '--flow', flow, '--save', name])).code).to.equal(0)
    const kept = (name: string) => JSON.parse(readFileSync(join(sessions, `${name}.json`), 'utf8')) as SavedSession
    const {accessToken, refreshToken = ''} = kept('visitor')
    writeFileSync(join(sessions, 'other.json'), JSON.stringify({...kept('other'), clientId: 'another'}), {mode: 0o600})
    writeFileSync(join(sessions, 'damaged.json'), '{"place":', {mode: 0o600})
    const {stderr} = await desk.run(['logout', 'shop'])
    expect(stderr).to.include('Saved sessions, ended, too: machine, visitor')
    expect(existsSync(secretFile('shop')), 'beside a damaged session').to.equal(false)
    expect((await desk.run(['token', 'forget', 'damaged'])).code).to.equal(0)
    expect(await saved()).to.deep.equal(['other'])
    const {clientId, clientSecret} = server.client
    const env = {FRONTDESK_CLIENT_ID: clientId, FRONTDESK_CLIENT_SECRET: clientSecret}
    for (const stdin of [accessToken, refreshToken])
      expect((await desk.run(['token', 'introspect', '-', '--json', ...place()], {stdin, env})).json).to.deep.equal({
        active: false,
      })
    // Where nobody answers, what stays valid is named.
    await desk.run(['login', 'shop', '--replace', ...place(), ...client(), '--secret-stdin', '--yes'], secret)
    await desk.run(['token', 'issue', '-P', 'shop', '--save', 'left'])
    await server.stop()
    const left = await desk.run(['logout', 'shop'], {env: {FRONTDESK_RETRIES: '0'}})
    expect(left.stderr).to.include('which stay here and valid: left')
    expect(existsSync(secretFile('shop'))).to.equal(false)
    server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
  })

  it('says that a profile has no secret where a token is asked for, not that it is wrong', async () => {
    await desk.run(['login', 'bare', ...place(), ...client(), '--no-secret'])
    const {code, stderr} = await desk.run(['token', 'issue', '-P', 'bare', '--show-secret'])
    expect({code, stderr}).to.deep.include({code: 4})
    expect(stderr).to.include("There are no credentials for profile 'bare'").and.not.include('wrong')
  })

  it('leaves a secret that is kept elsewhere where it is, and says so', async () => {
    const path = join(desk.folder, 'kept-elsewhere')
    writeFileSync(path, server.client.clientSecret, {mode: 0o600})
    await desk.run(['login', 'ci', ...place(), ...client(), '--secret-from', `file:${path}`])
    const {stdout} = await desk.run(['logout', 'ci'])
    expect(stdout).to.include(`(file:${path} stays as it is)`)
    expect(existsSync(path)).to.equal(true)
  })
})
