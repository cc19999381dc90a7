import {execFileSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {administer} from '../../../src/client/local/admin.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

describe('cli · server env', () => {
  const desk = new Desk()
  const dataDir = join(desk.folder, 'data')
  let server: RunningServer
  before(async () => {
    server = await startServer({dataDir, projectKey: 'demo'})
  })
  after(async () => {
    await server.stop()
    desk.remove()
  })

  it('takes the only project of the server where nobody names one', async () => {
    const {code, stdout, stderr} = await desk.run(['server', 'env'])
    expect(code, stderr).to.equal(0)
    expect(stdout).to.contain('FRONTDESK_PROJECT_KEY=demo\n').and.contain(server.client.clientSecret)
    const named = await desk.run(['server', 'env', '--project-key', 'shop'])
    expect(named.code).to.equal(3)
    expect(named.stderr).to.contain('demo').and.contain('server seed --project-key shop')
  })

  it('prints the syntax of each shell', async () => {
    const {clientId} = server.client
    const lines = async (shell: string) => (await desk.run(['server', 'env', '--shell', shell])).stdout
    expect(await lines('fish')).to.contain(`set -gx FRONTDESK_CLIENT_ID ${clientId}\n`)
    expect(await lines('powershell')).to.contain(`$env:FRONTDESK_CLIENT_ID = '${clientId}'\n`)
    expect(await lines('cmd')).to.contain(`set "FRONTDESK_CLIENT_ID=${clientId}"\n`)
    const script = `${await lines('sh')}printf %s "$FRONTDESK_CLIENT_ID"`
    expect(execFileSync('sh', ['-c', script], {encoding: 'utf8'})).to.equal(clientId)
  })

  it('prints a file in the names of the vendor, which login takes', async () => {
    const {stdout, stderr} = await desk.run(['server', 'env', '--shell', 'dotenv'])
    expect(stdout, stderr).to.contain(`CTP_CLIENT_ID=${server.client.clientId}\n`).and.not.contain('FRONTDESK_')
    const file = join(desk.folder, 'shop.env')
    writeFileSync(file, stdout)
    const login = await desk.run(['login', 'x', '--from', file])
    expect(login.code, login.stderr).to.equal(0)
    expect((await desk.run(['whoami', '--check', '-P', 'x'])).code).to.equal(0)
  })

  it('asks which of several projects is meant', async () => {
    await administer(dataDir, 'addProject', {body: {projectKey: 'other'}})
    const {code, stderr} = await desk.run(['server', 'env'])
    expect(code).to.equal(3)
    expect(stderr).to.contain('demo, other').and.contain('--project-key')
    expect((await desk.run(['server', 'env', '--project-key', 'other'])).code).to.equal(0)
  })
})
