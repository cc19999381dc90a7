import {join} from 'node:path'
import {expect} from 'chai'
import type {Summary} from '../../../src/cli/check/runner.js'
import {readAudit} from '../../../src/cli/safety/audit.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk, type Ended} from '../run.js'
import {exampleOf} from './harness.js'

describe('cli · whoami --check, check scopes, check smoke', () => {
  const desk = new Desk()
  let server: RunningServer
  before(async () => {
    const options = {dataDir: ':memory:', projectKey: 'demo', seedDir: 'fixtures/demo', settings: {passwordCost: 4}}
    server = await startServer(options)
  })
  after(async () => {
    await server.stop()
    desk.remove()
  })

  const admin = () => ({
    FRONTDESK_API_URL: server.apiUrl,
    FRONTDESK_PROJECT_KEY: 'demo',
    FRONTDESK_CLIENT_ID: server.client.clientId,
    FRONTDESK_CLIENT_SECRET: server.client.clientSecret,
  })
  const reader = () => ({
    ...admin(),
    FRONTDESK_CLIENT_ID: 'demo-reader-000000000001',
    FRONTDESK_CLIENT_SECRET: 'demo-only-secret-of-reader',
  })
  const results = ({json}: Ended): string[] => (json as Summary).checks.map(({result}) => result)

  it('runs the examples of the three against a server and against the state itself', async () => {
    // They write reports where they run.
    const home = process.cwd()
    process.chdir(desk.folder)
    try {
      await runExamples()
    } finally {
      process.chdir(home)
    }
  })

  async function runExamples(): Promise<void> {
    for (const id of ['whoami', 'check:scopes', 'check:smoke']) {
      for (const at of [0, 1]) {
        for (const env of [admin(), {}]) {
          const {code, stdout, stderr} = await desk.run(await exampleOf(id, at), {env})
          expect(code, `${id} ${at}: ${stdout}${stderr}`).to.equal(0)
        }
      }
    }
  }

  it('tells where a connection ends: nobody there, wrong secret, wrong project, clocks apart', async () => {
    const check = (env: Record<string, string>, ...argv: string[]): Promise<Ended> =>
      desk.run(['whoami', '--check', '--json', '--retries', '0', ...argv], {env: {...admin(), ...env}})
    const nobody = await check({FRONTDESK_API_URL: 'http://127.0.0.1:9'})
    expect([nobody.code, results(nobody)]).to.deep.equal([7, ['error', 'skipped', 'skipped', 'skipped']])
    const secret = await check({FRONTDESK_CLIENT_SECRET: 'wrong'})
    expect([secret.code, results(secret)]).to.deep.equal([9, ['passed', 'failed', 'skipped', 'skipped']])
    const token = await check({FRONTDESK_TOKEN: 'wrong'})
    expect([token.code, results(token)]).to.deep.equal([9, ['passed', 'failed', 'skipped', 'skipped']])
    const skew = await check({}, '--max-skew', '30s')
    expect([skew.code, results(skew)]).to.deep.equal([0, ['passed', 'passed', 'passed', 'passed']])
  })

  const trials = (env: Record<string, string>) =>
    Promise.all(
      [['whoami', '--check'], ['whoami']].map((argv) =>
        desk.run([...argv, '--json', '--retries', '0'], {env: {...admin(), ...env}}),
      ),
    )

  it('finds a project that is none, or that of others, whatever asks', async () => {
    for (const projectKey of ['demoo', 'nowhere']) {
      const [check, whoami] = await trials({FRONTDESK_PROJECT_KEY: projectKey})
      expect([check?.code, results(check as Ended)]).to.deep.equal([9, ['passed', 'passed', 'failed', 'skipped']])
      expect(whoami?.code).to.equal(4)
      expect(whoami?.stdout).to.include('demo').and.include(projectKey)
    }
    expect((await trials({})).map(({code}) => code)).to.deep.equal([0, 0])
  })

  it('does not take a token on trust', async () => {
    expect((await trials({FRONTDESK_TOKEN: 'abc'})).map(({code}) => code)).to.deep.equal([9, 4])
    const {stdout} = await desk.run(['token', 'issue', '--print', 'raw', '--show-secret'], {env: admin()})
    const token = {FRONTDESK_TOKEN: stdout.trim()}
    expect((await trials(token)).map(({code}) => code)).to.deep.equal([0, 0])
    const elsewhere = await trials({...token, FRONTDESK_PROJECT_KEY: 'demoo'})
    expect(elsewhere.map(({code}) => code)).to.deep.equal([9, 4])
  })

  it('finds a project by its customers if the client may not read its settings', async () => {
    const {code, json} = await desk.run(['whoami', '--check', '--json'], {env: reader()})
    expect(code).to.equal(0)
    expect((json as Summary).checks[2]?.detail).to.equal('demo, by its customers alone')
  })

  it('names the scopes that a command lacks', async () => {
    const argv = ['check', 'scopes', 'customers get', 'customers update', 'quotes', '--json']
    const {code, json} = await desk.run(argv, {env: reader()})
    expect(code).to.equal(9)
    const byName = new Map((json as Summary).checks.map(({name, failures}) => [name, failures]))
    expect(byName.get('customers get')).to.deep.equal([])
    expect(byName.get('customers update')?.join()).to.include('updateCustomerById needs manage_customers:demo')
    expect(byName.get('quotes accept')?.join()).to.include('manage_my_quotes:demo')
    expect(byName.get('quotes update')).to.have.length(3)
    const every = (await desk.run(['check', 'scopes', '--json'], {env: admin()})).json as Summary
    expect(every.checks.map(({name}) => name)).to.include.members(['customers copy', 'quotes update', 'quotes exists'])
    expect((await desk.run(['check', 'scopes', 'customers copy'], {env: reader()})).code).to.equal(9)
    expect((await desk.run(['check', 'scopes', 'no such'], {env: reader()})).code).to.equal(6)
    expect((await desk.run(['check', 'scopes'], {env: {...admin(), FRONTDESK_TOKEN: 'x'}})).code).to.equal(4)
  })

  it('leaves no customer behind, whether the life of the throw-away ends well or not', async () => {
    const count = async () => {
      const {json} = await desk.run(['customers', 'query', '-n', '0', '--json'], {env: admin()})
      return (json as {total: number}).total
    }
    const before = await count()
    const whole = await desk.run(['check', 'smoke', '--json'], {env: admin()})
    expect([whole.code, new Set(results(whole))]).to.deep.equal([0, new Set(['passed'])])
    const broken = await desk.run(['check', 'smoke', '--json'], {env: reader()})
    expect(broken.code).to.equal(9)
    expect(results(broken).slice(0, 2)).to.deep.equal(['failed', 'skipped'])
    expect(await count()).to.equal(before)
    const {lines} = readAudit(join(desk.folder, 'data', '_audit'))
    const [intent, result, ofBroken] = lines
      .filter(({command}) => command === 'check smoke')
      .slice(-4)
      .toSpliced(2, 1)
    expect(intent?.target).to.match(/^key=smoke-[0-9a-f-]{36}$/)
    expect(intent?.actions).to.include('signUp').and.include('delete')
    expect(result).to.include({phase: 'result', result: 'done', target: intent?.target})
    expect(ofBroken).to.include({phase: 'result', result: 'CheckFailed'})
  })

  it('writes nothing with --read-only, and sends nothing in a dry run', async () => {
    expect((await desk.run(['check', 'smoke', '--read-only'], {env: reader()})).code).to.equal(0)
    expect((await desk.run(['check', 'smoke', '--dry-run'], {env: reader()})).stdout).to.include('would make')
  })
})
