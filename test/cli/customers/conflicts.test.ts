import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type ConflictMode, conflictModes, type Meanwhile} from '../../../src/cli/customers/update.js'
import {changesFrom} from '../../../src/cli/customers/update-flags.js'
import type {Io} from '../../../src/cli/process/io.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {Desk} from '../run.js'
import {maker} from './harness.js'

describe('cli · version conflicts', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const make = maker(desk)

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

  it('refuses flags that would have no effect, and does nothing', async () => {
    await make('idle-a')
    await make('idle-b')
    const secret = join(desk.folder, 'secret')
    writeFileSync(secret, 'a-password', {mode: 0o600})
    const create = ['customers', 'create', '--email', 'idle-c@example.com']
    for (const [says, ...argv] of [
      ['--max is 1', 'customers', 'delete', 'key=idle-a', 'key=idle-b', '--max', '1', '--yes'],
      ['have no effect', ...create, '--external-auth', '--password-file', secret],
      ['have no effect', ...create, '--external-auth', '--password-stdin'],
      [
        'no effect without --auth-mode',
        'customers',
        'update',
        'key=idle-a',
        '--set',
        'title=P',
        '--password-file',
        secret,
      ],
      ['--output yaml has no effect', 'messages', 'tail', '--for', '1s', '-o', 'yaml'],
      ['--output csv has no effect', 'server', 'requests', '--follow', '-o', 'csv'],
      ['--fields has no effect', 'messages', 'tail', '--for', '1s', '--fields', 'id'],
      ['--out takes a whole result', 'messages', 'tail', '--for', '1s', '--out', join(desk.folder, 'tail.jsonl')],
      ['--output table has no effect', 'server', 'start', '--port', '0', '-o', 'table'],
      ['--output ids has no effect', 'introspection', 'serve', '--port', '0', '-o', 'ids'],
      ['--encoding has no effect', 'customers', 'template', '--encoding', 'utf-8'],
      ['--header-row has no effect', 'customers', 'template', '--preset', 'shopify', '--header-row', '2'],
      ['--rate has no effect', 'undo', 'key=idle-a', '--rate', '1/s'],
      ['--concurrency has no effect', 'undo', 'key=idle-a', '--concurrency', '2'],
    ] as [string, ...string[]][]) {
      const {code, stderr} = await desk.run(argv, {stdin: 'a-password'})
      expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(2)
      expect(stderr.replaceAll('\n', ' ')).to.include(says)
    }
    const {json} = await desk.run(['customers', 'get', 'key=idle-a', '--json'])
    expect(json).to.include({version: 1})
    expect((await desk.run(['customers', 'exists', 'key=idle-b'])).code).to.equal(0)
    expect((await desk.run(['customers', 'exists', 'idle-c@example.com'])).code).to.equal(3)
    const both = ['customers', 'delete', 'key=idle-a', 'key=idle-b', '--max', '2', '--yes']
    expect((await desk.run(both)).code).to.equal(0)
  })
})
