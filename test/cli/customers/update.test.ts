import {expect} from 'chai'
import {getCustomerById} from '../../../src/api/customers/operations.js'
import {type ConflictMode, conflictModes, updateCustomer} from '../../../src/cli/customers/update/engine.js'
import {changesFrom} from '../../../src/cli/customers/update/flags.js'
import type {Io} from '../../../src/cli/process/io.js'
import type {Client} from '../../../src/client/client.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {ApiError} from '../../../src/domain/errors.js'
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

  /** Whether a change of the first name is sent again after somebody else changed a field. */
  const sentAgain = async (onConflict: ConflictMode, field: 'firstName' | 'lastName'): Promise<boolean> => {
    const before = {id: 'c', version: 1, firstName: 'A', lastName: 'B'} as Customer
    const latest = {...before, version: 2, [field]: 'Theirs'}
    const versions: number[] = []
    const call = async (operation: unknown, _: unknown, {body}: {body?: {version: number}}) => {
      if (operation === getCustomerById) return latest
      versions.push(body?.version ?? 0)
      if (versions.length > 1) return {...latest, version: 3}
      throw ApiError.of('ConcurrentModification', {resourceId: 'c', expectedVersion: 1, currentVersion: 2})
    }
    const nothing = async () => undefined
    const updated = updateCustomer({
      client: {call} as unknown as Client,
      run: {commandLine: () => '', io: {clock: Date.now} as Io},
      before,
      actions: () => [{action: 'setFirstName', firstName: 'Mine'}],
      onConflict,
      keep: async () => ({made: async () => true, drop: nothing, leave: nothing}),
      write: async ({request}) => request(),
    })
    const version = await updated.then(
      ({after}) => after.version,
      (error: unknown) => expect(error).to.have.property('code', 'ConcurrentModification') && 1,
    )
    expect(versions).to.deep.equal(version === 3 ? [1, 2] : [1])
    return version === 3
  }

  const table = {
    fail: {'same field': false, 'other fields': false, unknown: false},
    retry: {'same field': true, 'other fields': true, unknown: true},
    rebase: {'same field': false, 'other fields': true, unknown: false},
  }
  for (const mode of conflictModes) {
    const row = table[mode]
    it(`${mode} decides on what is known`, async () => {
      expect(await sentAgain(mode, 'firstName')).to.equal(row['same field'])
      expect(await sentAgain(mode, 'lastName')).to.equal(row['other fields'])
      const {id} = await make(`stale-${mode}`, '--last-name', 'Original')
      await desk.run(['customers', 'update', id, '--set', 'lastName=Colleague'])
      const update = ['customers', 'update', id, '--version', '1', '--set', 'lastName=Mine', '--on-conflict', mode]
      const {code, stderr} = await desk.run(update)
      expect(code, stderr).to.equal(row.unknown ? 0 : 5)
      const {json} = await desk.run(['customers', 'get', id, '--json'])
      expect(json).to.include({lastName: row.unknown ? 'Mine' : 'Colleague'})
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
