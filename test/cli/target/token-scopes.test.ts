import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · scopes of tokens', () => {
  const desk = new Desk()
  after(() => desk.remove())

  it('says which API client to make, where that of the target does not hold what a command needs', async () => {
    const body = JSON.stringify({name: 'wide', scope: 'manage_customers:local'})
    const {json} = await desk.run(['api', 'POST', 'api-clients', '--body', body, '--yes', '--json'])
    const {id, secret} = json as {id: string; secret: string}
    const env = {FRONTDESK_CLIENT_ID: id, FRONTDESK_CLIENT_SECRET: secret}
    const refused = await desk.run(['token', 'issue', '--for', 'customers get', '--show-secret'], {env})
    expect(refused.code, refused.stderr).to.equal(4)
    expect(refused.stderr).to.include(
      'Permissions exceeded. Only the following permissions can be requested: manage_customers:local',
    )
    expect(refused.stderr).to.include('"scope":"view_customers:local"')
    const malformed = await desk.run(['token', 'issue', '--scope', 'nonsense', '--show-secret'], {env})
    expect(malformed.stderr).to.include('Malformed parameter: scope').and.not.include('api-clients')
  })

  it('issues what a command needs to the client of the demo shop that may do everything', async () => {
    const project = ['--project-key', 'demo']
    expect(await desk.run(['server', 'seed', 'fixtures/demo', ...project])).to.include({code: 0})
    const env = {
      FRONTDESK_CLIENT_ID: 'demo-admin-0000000000001',
      FRONTDESK_CLIENT_SECRET: 'demo-only-secret-of-admin',
    }
    for (const [command, scope] of [
      ['customers get', 'view_customers:demo'],
      ['customers delete', 'manage_customers:demo'],
    ] as const) {
      const words = ['token', 'issue', '--for', command, '--show-secret', '--json', ...project]
      const {code, json, stderr} = await desk.run(words, {env})
      expect(code, stderr).to.equal(0)
      expect((json as {scope: string}).scope).to.equal(scope)
    }
  })
})
