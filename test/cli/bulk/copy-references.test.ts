import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

const countOf = (file: string): number =>
  (JSON.parse(readFileSync(`fixtures/demo/${file}.json`, 'utf8')) as unknown[]).length

/** References in custom fields of the demo: to products and other customers. */
const pointers = (JSON.parse(readFileSync('fixtures/demo/customers.json', 'utf8')) as {custom?: {fields: object}}[])
  .flatMap(({custom}) => Object.values(custom?.fields ?? {}).flat() as unknown[])
  .filter((value) => typeof value === 'object' && value !== null && 'typeId' in value).length

describe('cli · customers copy --with-references', () => {
  const desk = new Desk()
  const folder = (name: string): string => join(desk.folder, name)
  const servers: RunningServer[] = []
  const all = countOf('customers')
  const references = {types: countOf('types'), customerGroups: countOf('customer-groups'), stores: countOf('stores')}

  before(async () => {
    const profiles: Record<string, object> = {}
    for (const name of ['demo', 'fresh']) {
      const server = await startServer({
        dataDir: folder(`${name}-state`),
        projectKey: name,
        ...(name === 'demo' ? {seedDir: 'fixtures/demo', settings: {passwordCost: 4}} : {}),
      })
      servers.push(server)
      const {apiUrl, authUrl, client} = server
      const demo = JSON.parse(readFileSync('fixtures/demo/api-clients.json', 'utf8')) as {id: string; secret: string}[]
      const {clientId = demo[0]?.id, clientSecret = demo[0]?.secret} = client ?? {}
      desk.env[`${name.toUpperCase()}_SECRET`] = clientSecret ?? ''
      const secret = {from: `env:${name.toUpperCase()}_SECRET`}
      profiles[name] = {projectKey: name, apiUrl, authUrl, clientId, secret}
    }
    mkdirSync(folder('config'), {recursive: true, mode: 0o700})
    writeFileSync(folder('config/profiles.json'), JSON.stringify({profiles}), {mode: 0o600})
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    desk.remove()
  })

  const copy = (...flags: readonly string[]) =>
    desk.run(['customers', 'copy', '--from', 'demo', '--to', 'fresh', ...flags])
  const inFresh = async (path: string) => (await desk.run(['api', 'GET', path, '-P', 'fresh', '--json'])).json as never

  it('says what it would create, and creates nothing in a dry run', async () => {
    const planned = await copy('--with-references', '--dry-run', '--json')
    expect(planned.json, planned.stderr + planned.stdout).to.deep.include({read: all, create: all, references})
    expect(await inFresh('stores')).to.have.nested.property('total', 0)
  })

  it('brings every customer of the demo into a project that has nothing', async () => {
    const without = await copy('--json')
    expect(without.code, without.stderr + without.stdout).to.equal(10)
    const copied = await copy('--with-references', '--json')
    expect(copied.code, copied.stderr).to.equal(0)
    expect(copied.json).to.deep.include({read: all, failed: 0, references, valuesLeftOut: pointers})
    expect(await inFresh('customers?limit=0')).to.have.nested.property('total', all)
    const undo = await desk.run(['undo', (copied.json as {job: string}).job, '-P', 'fresh', '--dry-run'])
    expect(undo.stdout).to.match(
      /^stay, since only customers are taken back: .*type key .*customer-group key .*store key/m,
    )
    const again = await copy('--with-references', '--json')
    const nothing = {types: 0, customerGroups: 0, stores: 0}
    expect(again.json, again.stderr).to.deep.include({read: all, unchanged: all, references: nothing})
    const shown = await copy('--with-references')
    expect(shown.stdout).to.contain('created: 0 types, 0 customer groups, 0 stores')
    expect(shown.stdout).to.contain(`left out: ${pointers} values of custom fields`)
  })

  it('tells groups without a key apart by name, and customers come to the ones of their project', async () => {
    const from = ['-P', 'demo', '--json', '--yes']
    const group = JSON.stringify({groupName: 'Keyless'})
    const made = (await desk.run(['api', 'POST', 'customer-groups', '--body', '-', ...from], {stdin: group})).json
    const {id} = made as {id: string}
    const draft = JSON.stringify({email: 'keyless@example.com', password: 'p', customerGroup: {id}})
    await desk.run(['api', 'POST', 'customers', '--body', '-', ...from], {stdin: draft})
    const copied = await copy('--with-references', '--json')
    expect(copied.json, copied.stderr).to.deep.include({created: 1, failed: 0})
    expect(copied.json).to.have.nested.property('references.customerGroups', 1)
    const where = encodeURIComponent('email = "keyless@example.com"')
    const found = (await inFresh(`customers?where=${where}&expand=customerGroup`)) as {
      results: {customerGroup: {id: string; obj: {name: string}}}[]
    }
    const [customer] = found.results
    expect(customer?.customerGroup.obj.name).to.equal('Keyless')
    expect(customer?.customerGroup.id).to.not.equal(id)
    expect((await copy('--with-references', '--json')).json).to.include({unchanged: all + 1})
  })
})
