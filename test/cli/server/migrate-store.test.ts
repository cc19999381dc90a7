import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {storeUrlOf} from '../../../src/cli/server/flags.js'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'
import {Desk, type Ended} from '../run.js'

const errorOf = ({json}: Ended): {code: string; hints: string[]} => (json as {error: never}).error

describe('cli · server migrate-store', () => {
  const desk = new Desk()
  const data = desk.env['FRONTDESK_DATA_DIR'] ?? ''
  let cluster: Cluster | undefined

  before(async () => {
    cluster = await startCluster()
    expect(await desk.run(['server', 'seed', 'fixtures/demo', '--project-key', 'demo'])).to.include({code: 0})
  })

  after(async () => {
    await cluster?.stop()
    desk.remove()
  })

  const migrate = (from: string, to: string, ...more: string[]) =>
    desk.run(['server', 'migrate-store', '--from', from, '--to', to, '--json', ...more])

  it('moves the state to PostgreSQL and back', async function () {
    if (!cluster) return this.skip()
    const url = await cluster.database('commands')
    const back = join(desk.folder, 'back')
    expect(await migrate(data, url, '--dry-run')).to.include({code: 0})
    const there = await migrate(data, url)
    expect(there.code, there.stderr).to.equal(0)
    expect(there.json).to.include({migrated: true, resumed: false}).and.have.nested.property('projects.demo.documents')
    const again = await migrate(url, back)
    expect(again.json).to.have.deep.property('projects', (there.json as {projects: object}).projects)
    const found = await desk.run(['customers', 'query', '--data', back, '--project-key', 'demo', '-o', 'ids'])
    expect(found.stdout.split('\n').length, found.stderr).to.be.greaterThan(10)
    expect(await migrate(url, back)).to.include({code: 13})
  })

  it('refuses a source that is not there and a password in the arguments', async () => {
    const absent = join(desk.folder, 'absent')
    expect(await migrate(absent, join(desk.folder, 'target'))).to.include({code: 13})
    expect(existsSync(absent)).to.equal(false)
    const told = await migrate(data, 'postgres://ada:hush@localhost/shop')
    expect(told).to.include({code: 2})
    expect(errorOf(told).code).to.equal('SecretInArguments')
    expect(told.stdout + told.stderr).not.to.include('hush')
  })

  it('takes the URL of a server from its flag without a password, or whole from the environment', () => {
    const whole = {FRONTDESK_STORE_URL: 'postgres://ada:hush@localhost/shop'}
    expect(storeUrlOf(undefined, {})).to.equal(undefined)
    expect(storeUrlOf(undefined, whole)).to.equal(whole.FRONTDESK_STORE_URL)
    expect(storeUrlOf('postgres://ada@localhost/shop', whole)).to.equal('postgres://ada@localhost/shop')
    for (const url of [whole.FRONTDESK_STORE_URL, 'postgres://ada:hush@local host/shop']) {
      expect(() => storeUrlOf(url, {})).to.throw('holds a password')
    }
    expect(() => storeUrlOf('mysql://localhost/shop', {})).to.throw('not the URL of a database')
  })

  it('starts a server on a database that a flag names', async function () {
    if (!cluster) return this.skip()
    const closed = await desk.run(['server', 'start', '--store-url', 'postgres://frontdesk@localhost:1/a', '--json'])
    expect(closed).to.include({code: 13})
    expect(errorOf(closed).code).to.equal('StateUnusable')
  })
})
