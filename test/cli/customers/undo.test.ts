import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {Desk} from '../run.js'
import {maker} from './harness.js'

const setCompany = ({version}: Customer, companyName: string): string =>
  JSON.stringify({version, actions: [{action: 'setCompanyName', companyName}]})

describe('cli · undo of a customer', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)
  const run = (...argv: string[]) => desk.run(['customers', ...argv])
  const read = async (ref: string): Promise<Customer> => (await run('get', ref, '--json')).json as Customer
  const folder = () => join(desk.folder, 'data', '_jobs')

  it('is what an update names, and brings everything back that it changed', async () => {
    const addresses = [
      '--set',
      'addresses.0.country=DE',
      '--set',
      'addresses.0.city=Kiel',
      '--set',
      'addresses.0.key=home',
    ]
    const {id} = await make('taken-back', '--company', 'Harrow', ...addresses)
    const before = await read(id)
    const changes = ['--set', 'companyName=Mill', '--set', 'firstName=Ada', '--set', 'addresses.0.city=Bonn']
    const updated = await run('update', id, ...changes, '--set', 'email=other@example.com')
    expect(updated.stderr).to.include(`undo: frontdesk undo ${id}\n`)
    const shown = await desk.run(['undo', 'taken-back', '--dry-run'])
    expect(shown.stdout).to.include('setCompanyName').and.include('changeEmail')
    const {code, stdout, stderr} = await desk.run(['undo', 'taken-back', '--ticket', 'T-9'])
    expect(code, stderr).to.equal(0)
    expect(stdout).to.include('version 5 → 9').and.include('"Mill" → "Harrow"')
    const now = await read(id)
    for (const name of ['companyName', 'firstName', 'email', 'addresses'] as const) {
      expect(now[name], name).to.deep.equal(before[name])
    }
    const audit = (await desk.run(['audit', 'list', '--target', id, '--ticket', 'T-9', '--json'])).json
    expect(audit).to.have.property('count', 1)
    expect((await desk.run(['undo', id])).code, 'again').to.equal(0)
    expect(await read(id)).to.include({companyName: 'Mill', firstName: 'Ada', email: 'other@example.com'})
  })

  it('refuses what somebody has changed since, and leaves what they have changed beside it', async () => {
    const {id} = await make('moved-on', '--company', 'Harrow')
    await run('update', id, '--set', 'companyName=Mill')
    const body = JSON.stringify({version: 2, actions: [{action: 'setTitle', title: 'Dr.'}]})
    expect((await desk.run(['api', 'POST', `customers/${id}`, '--body', body, '--yes'])).code).to.equal(0)
    const undone = await desk.run(['undo', id])
    expect(undone.code, undone.stderr).to.equal(0)
    expect(undone.stderr).to.include('other fields since')
    expect(await read(id)).to.include({companyName: 'Harrow', title: 'Dr.'})
    await run('update', id, '--set', 'companyName=Mill')
    const {version} = await read(id)
    const again = JSON.stringify({version, actions: [{action: 'setCompanyName', companyName: 'Theirs'}]})
    await desk.run(['api', 'POST', `customers/${id}`, '--body', again, '--yes'])
    const refused = await desk.run(['undo', id])
    expect(refused.code).to.equal(5)
    expect(refused.stderr).to.include('company name')
    expect(await read(id)).to.include({companyName: 'Theirs'})
  })

  it('compares a change that was killed before its end was noted with the customer', async () => {
    const {id} = await make('killed', '--company', 'Harrow')
    await run('update', id, '--set', 'companyName=Mill')
    /** The journal of the last change as a kill leaves it that comes before the row. */
    const kill = () => {
      const [journal = ''] = readdirSync(folder())
        .filter((name) => /-[0-9a-f]{12}\.jsonl$/.test(name))
        .sort()
        .reverse()
      const lines = readFileSync(join(folder(), journal), 'utf8').trim().split('\n')
      writeFileSync(join(folder(), journal), `${lines.slice(0, 3).join('\n')}\n`)
    }
    const address = JSON.stringify({action: 'addAddress', address: {country: 'DE'}})
    expect((await run('update', id, '--set', 'companyName=Oxbow', '--action', address)).code).to.equal(0)
    kill()
    const declined = await desk.run(['undo', id], {answers: ['no']})
    expect(declined.stderr).to.include('was interrupted; the customer shows that it was made')
    expect(declined.code).not.to.equal(0)
    expect((await desk.run(['undo', id])).code).to.equal(0)
    const back = await read(id)
    expect([back.companyName, back.addresses]).to.deep.equal(['Mill', []])

    await run('update', id, '--set', 'companyName=Never')
    kill()
    await desk.run(['api', 'POST', `customers/${id}`, '--yes', '--body', setCompany(await read(id), 'Theirs')])
    const refused = await desk.run(['undo', id])
    expect([
      refused.code,
      refused.stderr.includes('was interrupted, and somebody has changed company name'),
    ]).to.deep.equal([5, true])
    await desk.run(['api', 'POST', `customers/${id}`, '--yes', '--body', setCompany(await read(id), 'Mill')])
    const earlier = await desk.run(['undo', id, '--yes'])
    expect(earlier.code, earlier.stderr).to.equal(0)
    expect(await read(id), 'it was not made: the one before it is taken back').to.include({companyName: 'Oxbow'})
  })

  it('keeps no change that was refused', async () => {
    const {id} = await make('refused-change')
    const before = readdirSync(folder()).length
    expect((await run('update', id, '--set', 'title=Dr.', '--version', '7')).code).to.equal(5)
    expect((await run('update', id, '--set', 'customerGroup.key=none')).code).to.equal(6)
    expect(readdirSync(folder())).to.have.lengthOf(before)
  })

  it('says what cannot be taken back', async () => {
    const {id} = await make('cannot')
    const none = await desk.run(['undo', id])
    expect(none.code).to.equal(3)
    const stdin = 'correct horse battery\n'
    const mode = await desk.run(['customers', 'update', id, '--auth-mode', 'Password', '--password-stdin'], {stdin})
    expect(mode.stderr).to.include('cannot be undone').and.not.include('undo: ')
    await run('update', id, '--set', 'title=Dr.')
    await run('reset-password', id, '--set', '--generate-password', '--secret-out', join(desk.folder, 'pw'))
    const reset = await desk.run(['undo', id])
    expect(reset.code).to.equal(3)
    expect(reset.stderr).to.include("'reset-password', which cannot be taken back")
    expect((await desk.run(['undo', 'nobody-here'])).code).to.equal(3)
  })

  it('keeps values in private files, which a deletion removes', async () => {
    const {id} = await make('canary-undo', '--company', 'Quillfeather')
    await run('update', id, '--set', 'companyName=Oxbow')
    const traces = () =>
      readdirSync(folder()).filter((name) => readFileSync(join(folder(), name), 'utf8').includes('Quillfeather'))
    const [file = ''] = traces()
    expect(statSync(join(folder(), file)).mode & 0o777).to.equal(0o600)
    expect(statSync(folder()).mode & 0o777).to.equal(0o700)
    expect(readFileSync(join(desk.folder, 'data', '_audit', 'audit.jsonl'), 'utf8')).to.not.include('Quillfeather')
    await run('delete', id, '--erase-personal-data', '--yes')
    expect(traces()).to.deep.equal([])
  })
})
