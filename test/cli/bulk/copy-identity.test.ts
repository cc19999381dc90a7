import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · customers copy names customers', () => {
  const desk = new Desk()
  const at = (side: string) => ({FRONTDESK_DATA_DIR: join(desk.folder, side)})
  const drafts = [
    {key: 'ada', email: 'ada@example.com', firstName: 'Ada'},
    {email: 'keyless@example.com', firstName: 'Kay'},
    {key: 'bob', email: 'bob@example.com'},
  ]
  let ids: string[]

  before(async () => {
    const profile = (side: string) => ({projectKey: 'local', dataDir: join(desk.folder, side)})
    mkdirSync(join(desk.folder, 'config'), {recursive: true, mode: 0o700})
    const profiles = {profiles: {from: profile('from'), to: profile('to')}}
    writeFileSync(join(desk.folder, 'config/profiles.json'), JSON.stringify(profiles), {mode: 0o600})
    ids = []
    for (const draft of drafts) {
      const {json, stderr} = await desk.run(['customers', 'create', '--external-auth', '--body', '-', '--json'], {
        env: at('from'),
        stdin: JSON.stringify(draft),
      })
      expect(json, stderr).to.have.nested.property('customer.id')
      ids.push((json as {customer: {id: string}}).customer.id)
    }
    // The target knows the customer without a key under a key of its own, and Ada's email as somebody else's.
    for (const draft of [
      {key: 'kay', email: 'keyless@example.com', firstName: 'Old'},
      {key: 'other', email: 'ada@example.com'},
    ]) {
      const argv = ['customers', 'create', '--external-auth', '--body', '-']
      expect((await desk.run(argv, {env: at('to'), stdin: JSON.stringify(draft)})).code).to.equal(0)
    }
  })
  after(() => desk.remove())

  const copy = (...flags: readonly string[]) =>
    desk.run(['customers', 'copy', '--from', 'from', '--to', 'to', ...flags])

  it('finds those without a key by email and the others by key, and says how many', async () => {
    const planned = await copy('--dry-run')
    expect(planned.stderr).to.include('1 customer has no key and is found by email')
    expect(planned.stdout).to.include('1 create, 1 update').and.include('1 conflict')
    expect(planned.stdout).to.include(`! key=ada (customer ${ids[0]} (key ada, email ada@example.com)): `)
    expect(planned.stdout).to.include(
      `~ email=keyless@example.com (customer ${ids[1]} (email keyless@example.com))\n    setFirstName`,
    )
    expect(planned.stdout).to.not.match(/\bline \d/)
    const {json} = await copy('--dry-run', '--json')
    const {rows} = json as {rows: {do: string; identity: string}[]}
    expect(rows.find((row) => row.do === 'update')?.identity).to.equal('email=keyless@example.com')
  })

  it('refuses a customer who has not what was asked for, by name and without a file to correct', async () => {
    const {code, stderr} = await copy('--match', 'key')
    expect(code).to.equal(2)
    expect(stderr).to.include(`customer ${ids[1]} (email keyless@example.com), key: The row has no key`)
    expect(stderr).to.include('Correct these customers at the source').and.not.include('line')
  })

  it('copies each, and updates the one that it found by email', async () => {
    const {code, json, stderr} = await copy('--json')
    expect(json, stderr).to.include({read: 3, created: 1, updated: 1, failed: 1})
    expect(code).to.equal(10)
    const kay = await desk.run(['customers', 'get', 'kay', '--json'], {env: at('to')})
    expect(kay.json).to.include({firstName: 'Kay', email: 'keyless@example.com'})
    expect((await copy('--json')).json).to.include({unchanged: 2, failed: 1})
  })
})
