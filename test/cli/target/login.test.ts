import {expect} from 'chai'
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
})
