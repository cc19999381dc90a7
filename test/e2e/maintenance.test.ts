import {readdirSync, readFileSync, truncateSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {openSandbox, type Sandbox} from './binary.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any

describe('e2e · upkeep of the state', () => {
  let sandbox: Sandbox
  before(async () => {
    sandbox = openSandbox()
    await sandbox.frontdesk(['customers', 'create', '--email', 'kept@example.com', '--external-auth'])
  })
  after(() => sandbox.remove())

  const emails = async (): Promise<string[]> => {
    const {stdout} = await sandbox.frontdesk(['customers', 'query', '--json'])
    return (JSON.parse(stdout) as Body).results.map(({email}: Body) => email)
  }

  it('keeps a state under a name and puts it back; what was there is kept too', async () => {
    expect((await sandbox.frontdesk(['server', 'snapshot', 'save', 'first'])).code).to.equal(0)
    await sandbox.frontdesk(['customers', 'create', '--email', 'later@example.com', '--external-auth'])
    const asked = await sandbox.frontdesk(['server', 'snapshot', 'restore', 'first'])
    expect(asked.code).to.equal(12)
    expect((await sandbox.frontdesk(['server', 'snapshot', 'restore', 'first', '--yes'])).code).to.equal(0)
    expect(await emails()).to.deep.equal(['kept@example.com'])
    const {stdout} = await sandbox.frontdesk(['server', 'snapshot', 'list', '--json'])
    const names = (JSON.parse(stdout) as Body).results.map(({name}: Body) => name)
    expect(names[0]).to.equal('first')
    await sandbox.frontdesk(['server', 'snapshot', 'restore', names[1], '--yes'])
    expect(await emails()).to.have.members(['kept@example.com', 'later@example.com'])
    const {stdout: log} = await sandbox.frontdesk(['audit', 'list', '-o', 'jsonl'])
    expect(log, 'the audit log stays').to.include('"command":"customers create"')
    expect((await sandbox.frontdesk(['server', 'snapshot', 'restore', 'nothing', '--yes'])).code).to.equal(13)
  })

  it('writes the state anew without losing a thing, by itself and through a server', async () => {
    const before = await emails()
    expect((await sandbox.frontdesk(['server', 'compact'])).code).to.equal(0)
    expect(await emails()).to.deep.equal(before)
    const {child, exited} = await sandbox.serve()
    expect((await sandbox.frontdesk(['server', 'compact'])).code).to.equal(0)
    expect(await emails()).to.deep.equal(before)
    child.kill('SIGTERM')
    await exited
  })

  it('refuses a state that was cut in the middle, names it, and repairs what can be read when told to', async () => {
    expect((await sandbox.frontdesk(['server', 'doctor'])).code).to.equal(0)
    const folder = join(sandbox.data, 'local')
    const base = readdirSync(folder).find((name) => /^documents\.\d+\.jsonl$/.test(name)) ?? ''
    const path = join(folder, base)
    truncateSync(path, Math.floor(readFileSync(path).length / 2))
    const {code, stderr} = await sandbox.frontdesk(['customers', 'query'])
    expect(code).to.equal(13)
    expect(stderr).to.contain(path).and.contain('server doctor')
    const told = await sandbox.frontdesk(['server', 'doctor'])
    expect(told.stderr).to.contain(`${path} is damaged at byte`).and.contain('Whole: _.').and.contain('--repair')
    const diagnosis = await sandbox.frontdesk(['server', 'doctor', '--json'])
    expect(diagnosis.code).to.equal(13)
    expect((JSON.parse(diagnosis.stdout) as Body).error.details[0].path).to.contain('local')
    expect((JSON.parse(diagnosis.stdout) as Body).error.message).to.match(/ is damaged in 1 place\.$/)
    const repaired = await sandbox.frontdesk(['server', 'doctor', '--repair', '--yes', '--json'])
    expect((JSON.parse(repaired.stdout) as Body).repaired[0]).to.include({project: 'local'})
    expect((await sandbox.frontdesk(['server', 'doctor'])).code).to.equal(0)
    expect((await sandbox.frontdesk(['customers', 'query'])).code).to.equal(0)
  })
})
