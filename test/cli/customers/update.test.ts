import {expect} from 'chai'
import {type ConflictMode, conflictModes, type Meanwhile} from '../../../src/cli/customers/update/engine.js'
import {changesFrom} from '../../../src/cli/customers/update/flags.js'
import type {Io} from '../../../src/cli/process/io.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {Desk} from '../run.js'
import {maker} from './harness.js'

describe('cli · customers update', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)

  it('changes how a customer signs in, and says what becomes of an anonymous cart', async () => {
    const {id} = await make('modes')
    const mode = (...argv: string[]) =>
      desk.run(['customers', 'update', id, '--auth-mode', ...argv], {stdin: 'geheim-1\n'})
    expect((await mode('Password', '--password-stdin')).code).to.equal(0)
    for (const merge of ['MergeWithExistingCustomerCart', 'UseAsNewActiveCustomerCart']) {
      const signIn = ['customers', 'sign-in', 'modes@example.com', '--password-stdin', '--merge-mode', merge]
      const {json, stderr} = await desk.run([...signIn, '--dry-run', '--json'], {stdin: 'geheim-1\n'})
      expect(json, stderr).to.include({anonymousCartSignInMode: merge})
      expect((await desk.run(signIn, {stdin: 'geheim-1\n'})).code).to.equal(0)
    }
    expect((await mode('ExternalAuth')).code).to.equal(0)
    expect((await desk.run(['customers', 'get', id, '--json'])).json).to.include({authenticationMode: 'ExternalAuth'})
  })

  it('sends only what differs, and says what changed', async () => {
    const {id} = await make(
      'change',
      '--first-name',
      'Ada',
      '--set',
      'addresses.0.country=GB',
      '--set',
      'addresses.0.key=home',
    )
    const argv = [
      'customers',
      'update',
      'key=change',
      '--set',
      'firstName=Augusta',
      '--set',
      'addresses.home.city=London',
    ]
    const plan = await desk.run([...argv, '--dry-run', '--json'])
    expect(plan.json).to.deep.include({dryRun: true, id, version: 1})
    expect(plan.json)
      .to.have.property('differences')
      .that.deep.include({path: 'firstName', before: 'Ada', after: 'Augusta'})
    expect(plan.json).to.have.property('messages').that.deep.equals(['CustomerFirstNameSet', 'CustomerAddressChanged'])
    const done = await desk.run(argv)
    expect(done.stdout)
      .to.include(`updated Augusta <change@example.com>: version 1 → 3`)
      .and.include('first name: "Ada" → "Augusta"')
    expect(done.stdout).to.include('addresses 1 city: (absent) → "London"')
    const again = await desk.run(argv)
    expect(again.stdout).to.equal('unchanged Augusta <change@example.com>: version 3\n')
  })

  it('ends with code 5 on a conflict, says both versions, and starts over if asked', async () => {
    await make('conflict')
    await desk.run(['customers', 'update', 'key=conflict', '--set', 'firstName=A'])
    const stale = ['customers', 'update', 'key=conflict', '--version', '1', '--set', 'lastName=B']
    const refused = await desk.run(stale)
    expect(refused.code).to.equal(5)
    expect(refused.stderr).to.match(/1/).and.match(/2/)
    expect((await desk.run([...stale, '--on-conflict', 'retry'])).code).to.equal(0)
  })

  it('notices wrong fields, values and actions before sending, with code 6', async () => {
    await make('wrong')
    for (const argv of [
      ['--set', 'fristName=x'],
      ['--set', 'email= nonsense'],
      ['--set', 'key=a b'],
      ['--set', 'dateOfBirth=2023-02-30'],
      ['--set', 'addresses.0.city=x'],
      ['--action', '{"action":"setFristName"}'],
      ['--action', '{"action":"__proto__"}'],
      ['--actions', '[{"action":"setStores"}]'],
    ]) {
      const {code, stderr} = await desk.run(['customers', 'update', 'key=wrong', ...argv])
      expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(6)
    }
    expect((await desk.run(['customers', 'update', 'key=wrong', '--set', 'fristName=x'])).stderr).to.include(
      'firstName',
    )
    expect((await desk.run(['customers', 'update', 'key=wrong'])).code).to.equal(2)
    expect((await desk.run(['customers', 'update', 'key=wrong', '--set', 'nothing'])).code).to.equal(2)
    expect((await desk.run(['customers', 'update', 'key=wrong', '--actions', '{'])).code).to.equal(2)
  })

  const table: Readonly<Record<ConflictMode, Readonly<Record<Meanwhile, 'again' | 'refuse'>>>> = {
    fail: {'same field': 'refuse', 'other fields': 'refuse', unknown: 'refuse'},
    retry: {'same field': 'again', 'other fields': 'again', unknown: 'again'},
    rebase: {'same field': 'refuse', 'other fields': 'again', unknown: 'refuse'},
  }
  for (const [mode, row] of Object.entries(table) as [ConflictMode, (typeof table)[ConflictMode]][]) {
    it(`${mode} decides on what is known`, async () => {
      for (const [meanwhile, what] of Object.entries(row) as [Meanwhile, string][])
        expect(conflictModes[mode](meanwhile), meanwhile).to.equal(what)
      const {id} = await make(`stale-${mode}`, '--last-name', 'Original')
      await desk.run(['customers', 'update', id, '--set', 'lastName=Colleague'])
      const update = ['customers', 'update', id, '--version', '1', '--set', 'lastName=Mine', '--on-conflict', mode]
      const {code, stderr} = await desk.run(update)
      expect(code, stderr).to.equal(row.unknown === 'again' ? 0 : 5)
      const {json} = await desk.run(['customers', 'get', id, '--json'])
      expect(json).to.include({lastName: row.unknown === 'again' ? 'Mine' : 'Colleague'})
    })
  }

  const withAddresses = (...ids: string[]) =>
    ({id: 'c', version: 1, addresses: ids.map((id) => ({id, country: 'DE'}))}) as unknown as Customer

  for (const flags of [
    {set: ['addresses.0.city=Mine']},
    {'remove-address': ['0']},
    {'default-shipping': '0'},
    {'default-billing': '0'},
  ]) {
    it(`a position means the same address in every try: ${JSON.stringify(flags)}`, async () => {
      const changes = await changesFrom(flags, {} as Io, undefined)
      expect(changes(withAddresses('first', 'second'))[0]).to.include({addressId: 'first'})
      expect(changes(withAddresses('new', 'first'))[0]).to.include({addressId: 'first'})
      expect(() => changes(withAddresses('second')))
        .to.throw('position 0 is gone')
        .with.property('exitCode', 5)
    })
  }
})
