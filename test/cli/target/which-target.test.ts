import {readdirSync} from 'node:fs'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

/** Two servers, each with a profile, and the variables of `server env` for the second: which one is written to? */
describe('cli · which target is written to', () => {
  const servers = new Map<string, RunningServer>()
  let desk: Desk
  let written = 0

  before(async () => {
    desk = new Desk()
    for (const name of ['staging', 'production']) {
      const server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
      servers.set(name, server)
      const rules = name === 'production' ? ['--protected', '--require-reason'] : []
      await desk.run([
        ...['login', name, '--no-check', '--project-key', 'shop', '--api-url', server.apiUrl, '--client-id'],
        ...[server.client.clientId, '--secret-from', `env:SECRET_OF_${name.toUpperCase()}`, ...rules],
      ])
      desk.env[`SECRET_OF_${name.toUpperCase()}`] = server.client.clientSecret
    }
  })
  after(async () => {
    for (const server of servers.values()) await server.stop()
    desk.remove()
  })

  const at = (name: string): RunningServer => servers.get(name) as RunningServer
  const exported = (name: string): Record<string, string> => ({
    FRONTDESK_API_URL: at(name).apiUrl,
    FRONTDESK_AUTH_URL: at(name).authUrl,
    FRONTDESK_PROJECT_KEY: 'shop',
    FRONTDESK_CLIENT_ID: at(name).client.clientId,
    FRONTDESK_CLIENT_SECRET: at(name).client.clientSecret,
  })
  const confirming = ['--reason', 'a test', '--confirm-profile', 'production']

  /** Creates a customer, and finds out where it is. */
  async function whereWritten(flags: readonly string[], env: Record<string, string>, key = `k-${++written}`) {
    const argv = ['customers', 'create', '--email', `${key}@example.com`, '--key', key, '--external-auth', ...flags]
    const {code, stderr} = await desk.run(argv, {env})
    const found: string[] = []
    for (const name of [...servers.keys(), 'local']) {
      if ((await desk.run(['customers', 'exists', `key=${key}`, '-P', name])).code === 0) found.push(name)
    }
    return {code, stderr, where: found.join(' ') || 'nowhere', key}
  }

  const whole = (): Record<string, Record<string, string>> => ({
    nothing: {},
    'the whole set': exported('production'),
    'another profile': {FRONTDESK_PROFILE: 'production'},
    'the whole set and another profile': {...exported('production'), FRONTDESK_PROFILE: 'production'},
    'address and token': {FRONTDESK_API_URL: at('production').apiUrl, FRONTDESK_TOKEN: 'a-token'},
    ...Object.fromEntries(Object.entries(exported('production')).map(([name, value]) => [name, {[name]: value}])),
  })

  it('is the profile that a flag names, whatever variables say', async () => {
    for (const [name, env] of Object.entries(whole())) {
      const {where, stderr, code} = await whereWritten(['-P', 'staging'], env)
      expect([where, code], `${name}: ${stderr}`).to.deep.equal(['staging', 0])
      expect(stderr).to.include('target: staging (shop)')
    }
  })

  it('is the local state beside --local and --data', async () => {
    for (const [name, env] of Object.entries(whole())) {
      if (name === 'another profile') continue
      const {where, stderr} = await whereWritten(['--local', '--project-key', 'local'], env)
      expect(where, `${name}: ${stderr}`).to.equal('local')
    }
    const data = desk.env['FRONTDESK_DATA_DIR'] as string
    const {where, stderr} = await whereWritten(['--data', data, '--project-key', 'local'], exported('production'))
    expect(where, stderr).to.equal('local')
  })

  it('is no folder that is named like a body', async () => {
    const env = {FRONTDESK_PROFILE: 'local'}
    for (const body of ['{"version":1}', ' [1]', '@body.json']) {
      const calls = [
        ['api', 'POST', 'customers', '--data', body],
        ['server', 'status', '--data', body],
        ['login', 'folder', '--project-key', 'shop', '--data', body],
      ]
      for (const call of calls) {
        const {code, stderr} = await desk.run(call, {env})
        expect([code, stderr], call.join(' ')).to.satisfy(([ended, said]: [number, string]) => {
          return ended === 2 && said.includes('looks like a body') && said.includes('--body')
        })
      }
    }
    expect(readdirSync('.').filter((name) => /^\s*[@{[]/.test(name))).to.deep.equal([])
  })

  it('names the variables that do not count, in one line', async () => {
    const {stderr} = await whereWritten(['-P', 'staging'], exported('production'))
    expect(stderr.split('\n').filter((line) => line.includes('not used'))).to.deep.equal([
      "FRONTDESK_API_URL, FRONTDESK_AUTH_URL, FRONTDESK_CLIENT_ID, FRONTDESK_CLIENT_SECRET not used: the profile 'staging' names the target.",
    ])
    expect((await whereWritten(['-P', 'staging'], exported('staging'))).stderr).to.not.include('FRONTDESK_API_URL')
  })

  it('is what variables say where no flag names a profile', async () => {
    await desk.run(['profiles', 'use', 'staging'])
    expect((await whereWritten([], {})).where).to.equal('staging')
    expect((await whereWritten(confirming, {FRONTDESK_PROFILE: 'production'})).where).to.equal('production')
    expect((await whereWritten(confirming, exported('production'))).where).to.equal('production')
    await desk.run(['profiles', 'use', 'local'])
  })

  it('is protected by the profile of the place, whatever way leads there', async () => {
    const address = new URL(at('production').apiUrl)
    const spellings = ['127.0.0.1', 'localhost', '127.0.0.1/', 'LOCALHOST'].map((text) => {
      const [host, slash = ''] = text.split(/(?=\/)/)
      return `http://${host}:${address.port}${slash}`
    })
    for (const url of spellings) {
      const env = {...exported('production'), FRONTDESK_API_URL: url, FRONTDESK_AUTH_URL: url}
      const unreasoned = await whereWritten([], env)
      expect([unreasoned.where, unreasoned.code], url).to.deep.equal(['nowhere', 2])
      expect(unreasoned.stderr).to.include("'production' requires a reason")
      const unconfirmed = await whereWritten(['--reason', 'a test'], env)
      expect([unconfirmed.where, unconfirmed.code], url).to.deep.equal(['nowhere', 12])
      expect(unconfirmed.stderr).to.include('--confirm-profile production')
      const {FRONTDESK_API_URL: _, FRONTDESK_AUTH_URL: __, ...credentials} = env
      expect((await whereWritten(['--api-url', url], credentials)).code, `--api-url ${url}`).to.equal(2)
    }
    expect((await whereWritten(confirming, exported('production'))).where).to.equal('production')
    expect((await whereWritten(['--confirm-profile', 'staging'], exported('production'))).where).to.equal('nowhere')
  })

  it('is what origins, whoami, the way back and the audit log name', async () => {
    await desk.run(['profiles', 'use', 'staging'])
    const env = exported('production')
    const {key} = await whereWritten(confirming, env)
    const origins = (await desk.run(['whoami', '--origins', '--json'], {env})).json as Record<string, unknown>
    expect(origins).to.deep.include({
      apiUrl: {value: at('production').apiUrl, origin: {by: 'environment', name: 'FRONTDESK_API_URL'}},
      clientId: {value: env['FRONTDESK_CLIENT_ID'], origin: {by: 'environment', name: 'FRONTDESK_CLIENT_ID'}},
      secret: {value: 'env:FRONTDESK_CLIENT_SECRET', origin: {by: 'environment', name: 'FRONTDESK_CLIENT_SECRET'}},
      protected: {value: 'true', origin: {by: 'profile', name: 'production'}},
    })
    const who = (await desk.run(['whoami', '--json'], {env})).json
    expect(who).to.include({clientId: env['FRONTDESK_CLIENT_ID'], profile: new URL(at('production').apiUrl).host})
    const updated = await desk.run(['customers', 'update', `key=${key}`, '--set', 'title=Sir', ...confirming], {env})
    expect(updated.stderr).to.match(new RegExp(`undo: .*--project-key shop --api-url ${at('production').apiUrl}`))
    expect(updated.stderr).to.not.include('-P staging')
    const log = (await desk.run(['audit', 'list', '-n', '1', '--json'])).json as {results: {profile: string}[]}
    expect(log.results[0]?.profile).to.equal(new URL(at('production').apiUrl).host)
    await desk.run(['profiles', 'use', 'local'])
  })

  it('says which variable leads away from the profile, and does not send its secret there', async () => {
    await desk.run(['profiles', 'use', 'staging'])
    const env = {FRONTDESK_PROJECT_KEY: 'demo'}
    const {code, stderr} = await desk.run(['customers', 'query'], {env})
    expect([code, stderr]).to.deep.include(4)
    expect(stderr).to.include('FRONTDESK_PROJECT_KEY').and.not.include('frontdesk login')
    const wrong = {...exported('staging'), FRONTDESK_CLIENT_SECRET: 'wrong'}
    const refused = await desk.run(['customers', 'query'], {env: wrong})
    expect(refused.code).to.equal(4)
    expect(refused.stderr).to.include('FRONTDESK_CLIENT_SECRET').and.not.include('frontdesk login')
    await desk.run(['profiles', 'use', 'local'])
  })
})
