import {expect} from 'chai'
import {labelOf} from '../../../src/cli/customers/preview.js'
import type {HistoryEvent} from '../../../src/cli/records/event.js'
import {messageEvents} from '../../../src/cli/records/message-events.js'
import {Desk} from '../run.js'
import {maker} from './harness.js'

interface Page {
  readonly count: number
  readonly total: number
  readonly results: readonly HistoryEvent[]
}

describe('cli · customers history', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)
  const history = async (...argv: string[]): Promise<Page> =>
    (await desk.run(['customers', 'history', ...argv, '--json'])).json as Page

  let id = ''
  before(async () => {
    id = (await make('storied', '--company', 'Brandvold & Sons', '--customer-number', 'H-1')).id
    const update = (...argv: string[]) => desk.run(['customers', 'update', 'key=storied', ...argv])
    await update('--set', 'companyName=Brandvold & Daughters', '--ticket', 'CS-1', '--reason', 'asked by phone')
    await update('--set', 'email=renamed@example.com')
    await update('--unset', 'companyName')
    await update('--auth-mode', 'Password', '--password-stdin')
    await desk.run(['customers', 'verify-email', 'key=storied', '--send-only', '--show-secret'])
  })

  it('tells of every change with its values, who made it and why, the latest first', async () => {
    const {results} = await history('key=storied')
    const changed = results.filter(({changes}) => changes)
    expect(changed.map(({changes}) => changes)).to.deep.equal([
      [{path: 'companyName', before: 'Brandvold & Daughters'}],
      [{path: 'email', before: 'storied@example.com', after: 'renamed@example.com'}],
      [{path: 'companyName', before: 'Brandvold & Sons', after: 'Brandvold & Daughters'}],
    ])
    const [, , first] = changed
    expect(first).to.include({ticket: 'CS-1', reason: 'asked by phone', version: 2, origin: 'message'})
    expect(first?.who).to.include('with this tool')
    expect(results.at(-1)).to.include({type: 'CustomerCreated', what: 'signed up'})
    expect(results.map(({time}) => time)).to.deep.equal(
      results
        .map(({time}) => time)
        .sort()
        .reverse(),
    )
  })

  it('names fields by their labels, and acts without a message by what they did', async () => {
    const demo = ['key=hazel-brandvold', '--project-key', 'demo']
    await desk.run(['server', 'seed', 'demo', '--project-key', 'demo'])
    await desk.run(['customers', 'update', ...demo, '--add-store', 'berlin'])
    const {stdout, stderr} = await desk.run(['customers', 'history', ...demo, '--output', 'table'])
    expect(stdout, stderr).to.include('store added').and.not.include('add store')
    expect(labelOf('isEmailVerified')).to.equal('email verified')
    expect(labelOf('customerGroup.id')).to.equal('group')
    expect(labelOf('customerGroupAssignments.2.customerGroup.id')).to.equal('group 3')
    expect(labelOf('address xY-1.city')).to.equal('address xY-1 city')
    expect(labelOf('custom.fields.vipSince')).to.equal('custom.fields.vipSince')
  })

  it('tells of tokens, whose messages are about resources of their own', async () => {
    const {results} = await history('key=storied', '--type', 'CustomerEmailTokenCreated')
    expect(results).to.have.length(1)
    expect(results[0]).to.include({what: 'email token created'}).and.to.have.property('expiresAt')
    expect(JSON.stringify(results)).to.not.include('"value"')
    const byCommand = await history('key=storied', '--type', 'customers verify-email')
    expect(byCommand.results).to.deep.equal(results)
  })

  it('is found by every form of reference', async () => {
    const whole = (await history(id)).total
    expect(whole).to.be.greaterThan(4)
    for (const ref of ['storied', 'renamed@example.com', 'number=H-1', 'H-1', 'key=storied']) {
      expect((await history(ref)).total, ref).to.equal(whole)
    }
  })

  it('is narrowed by time, and refuses types and times that cannot be', async () => {
    expect((await history(id, '--since', '1h')).total).to.equal((await history(id)).total)
    expect((await history(id, '--since', '2999-01-01')).total).to.equal(0)
    for (const [flag, value] of [
      ['--type', 'CustomerEmailChangd'],
      ['--since', 'yesterdayish'],
      ['--since', '2026-13-45'],
    ] as const) {
      expect((await desk.run(['customers', 'history', id, flag, value])).code, value).to.equal(2)
    }
    expect((await desk.run(['customers', 'history', 'key=nobody-here'])).code).to.equal(3)
    expect(
      (await desk.run(['customers', 'history', id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))])).code,
    ).to.equal(3)
  })

  it('shows lines for people and says what it cuts', async () => {
    const {stdout, stderr} = await desk.run(['customers', 'history', 'storied', '-n', '2'])
    expect(stdout).to.include('email token created, until ')
    expect(stderr).to.match(/2 of \d+ shown/)
    const all = await desk.run(['customers', 'history', 'storied'])
    expect(all.stdout).to.include('company name set: Brandvold & Sons → Brandvold & Daughters')
    const redacted = await desk.run(['customers', 'history', 'storied', '--redact'])
    expect(redacted.stdout).to.not.include('Brandvold').and.not.include('renamed@')
  })

  it('tells how each link ended, shows none that nobody has, and failed sign-ins with the lockout', async () => {
    await make('linked')
    const withPassword = ['customers', 'update', 'key=linked', '--auth-mode', 'Password', '--password-stdin']
    expect((await desk.run(withPassword, {stdin: 'a-password-1'})).code).to.equal(0)
    const told = async (type: string) =>
      (await history('key=linked', '--type', type)).results.map(({what, ended, expiresAt}) => ({
        what,
        ended,
        expiresAt,
      }))
    const tokens = () => told('CustomerPasswordTokenCreated')
    const reset = (...argv: string[]) => desk.run(['customers', 'reset-password', 'key=linked', ...argv])
    await reset('--show-secret', '--ttl', '2h')
    expect((await tokens()).map(({ended}) => ended)).to.deep.equal([undefined])
    const ends = ['customers', 'password-token', 'create', 'key=linked', '--invalidate-older', '--ttl', '1m']
    await desk.run([...ends, '--show-secret'])
    const [ending, link] = await tokens()
    expect(ending).to.deep.equal({what: 'password links ended', ended: undefined, expiresAt: undefined})
    expect(link?.ended).to.equal('ended')
    const set = await reset('--set', '--generate-password', '--show-secret', '--json')
    expect(set.code, set.stderr).to.equal(0)
    expect((await tokens())[0]?.ended).to.equal('used')
    for (let wrong = 0; wrong < 2; wrong += 1)
      await desk.run(['customers', 'sign-in', 'linked@example.com', '--password-stdin'], {stdin: 'not-the-password'})
    const failed = await told('SignInFailed')
    expect(failed).to.have.length(2)
    const {stdout} = await desk.run(['customers', 'history', 'key=linked'])
    expect(stdout).to.match(/password token created, ended/)
  })

  it('says only of a link that it was used where no other was open', () => {
    const at = (minute: number) => `2026-11-20T10:${minute}:00.000Z`
    const token = (id: string, minute: number) => ({
      ...{id, type: 'CustomerPasswordTokenCreated', createdAt: at(minute), expiresAt: '2026-11-21T10:00:00.000Z'},
    })
    const use = {id: 'u', type: 'CustomerPasswordUpdated', createdAt: at(30), reset: true}
    const ends = (...messages: Parameters<typeof messageEvents>[0]) =>
      messageEvents(messages, 'c', {now: Date.parse(at(50))}).flatMap(({type, ended}) =>
        type === 'CustomerPasswordTokenCreated' ? [ended] : [],
      )
    expect(ends(token('a', 10), use)).to.deep.equal(['used'])
    expect(ends(token('a', 10), token('b', 20), use)).to.deep.equal(['ended', 'ended'])
    expect(ends(token('a', 10), {...token('b', 20), invalidateOlderTokens: true}, use)).to.deep.equal(['ended', 'used'])
    expect(ends(token('a', 10), use, token('b', 40))).to.deep.equal(['used', undefined])
    expect(ends({...token('a', 10), expiresAt: at(20)}, use)).to.deep.equal(['expired'])
  })

  it('names groups that somebody came into and left, again and again, and what failed', async () => {
    const group = await desk.run([
      'api',
      'POST',
      'customer-groups',
      '--body',
      '{"groupName":"Friends","key":"friends"}',
    ])
    expect(group.code, group.stderr).to.equal(0)
    await make('member')
    const update = (...argv: string[]) => desk.run(['customers', 'update', 'key=member', ...argv])
    for (const flag of ['--add-group', '--remove-group', '--add-group']) await update(flag, 'friends')
    expect((await update('--set', 'email=renamed@example.com')).code).to.equal(5)
    const {stdout} = await desk.run(['customers', 'history', 'key=member'])
    const told = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  '))
    expect(told.filter((line) => line.includes('group')).map((line) => line.split('  ')[1])).to.deep.equal([
      'group assignment added: group Friends',
      'group assignment removed: group Friends → nothing',
      'group assignment added: group Friends',
    ])
    expect(told.join()).to.include('change email (failed: DuplicateField)')
    const {results} = await history('key=member')
    expect(JSON.stringify(results)).to.not.include('Friends')
  })

  it('of one who is gone is found by the id', async () => {
    const {id: gone} = await make('goner')
    await desk.run(['customers', 'delete', gone, '--yes'])
    const {results} = await history(gone)
    expect(results.map(({type}) => type)).to.include.members(['CustomerCreated', 'CustomerDeleted'])
  })

  it('is what audit list and messages list find by any reference', async () => {
    for (const ref of ['renamed@example.com', 'storied', id, `id=${id}`]) {
      const acts = (await desk.run(['audit', 'list', '--target', ref, '--json'])).json as Page
      expect(acts.count, ref).to.be.greaterThan(2)
      const messages = (await desk.run(['messages', 'list', '--resource', ref, '--json'])).json as Page
      expect(
        messages.results.map(({type}) => type),
        ref,
      ).to.include('CustomerEmailTokenCreated')
    }
    expect((await desk.run(['audit', 'list', '--target', 'nobody@example.com'])).code).to.equal(3)
    expect((await desk.run(['messages', 'list', '--resource', '00000000-0000-4000-8000-000000000000'])).code).to.equal(
      3,
    )
    const {stdout} = await desk.run(['audit', 'list', '--target', id, '--fields', 'actions,reason', '-o', 'csv'])
    expect(stdout).to.include('setCompanyName,asked by phone')
  })
})

describe('cli · events of messages', () => {
  const message = (at: number, type: string, payload: object) => ({
    id: `m${at}`,
    type,
    createdAt: `2026-01-01T00:00:0${at}.000Z`,
    sequenceNumber: at,
    resource: {typeId: 'customer', id: 'c'},
    ...payload,
  })
  const changes = (...messages: ReturnType<typeof message>[]) =>
    messageEvents(messages, 'c', {now: 0}).map((event) => event.changes)

  it('know the value before from the message before', () => {
    expect(
      changes(
        message(1, 'CustomerFirstNameSet', {firstName: 'Ada'}),
        message(2, 'CustomerFirstNameSet', {firstName: 'Eve'}),
        message(3, 'CustomerFirstNameSet', {}),
      ),
    ).to.deep.equal([
      [{path: 'firstName', after: 'Ada'}],
      [{path: 'firstName', before: 'Ada', after: 'Eve'}],
      [{path: 'firstName', before: 'Eve'}],
    ])
  })

  it('compare an address with what it was', () => {
    const kiel = {id: 'a', city: 'Kiel', country: 'DE'}
    expect(
      changes(
        message(1, 'CustomerCreated', {customer: {id: 'c', addresses: [kiel]}}),
        message(2, 'CustomerAddressChanged', {address: {...kiel, city: 'Bonn'}}),
        message(3, 'CustomerAddressRemoved', {address: {...kiel, city: 'Bonn'}}),
      ),
    ).to.deep.equal([
      undefined,
      [{path: 'address a.city', before: 'Kiel', after: 'Bonn'}],
      [
        {path: 'address a.id', before: 'a'},
        {path: 'address a.city', before: 'Bonn'},
        {path: 'address a.country', before: 'DE'},
      ],
    ])
  })
})
