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
})
