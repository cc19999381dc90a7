import {expect} from 'chai'
import {updateCustomerById} from '../../../src/api/customers/updates.js'
import type {UpdateAction} from '../../../src/domain/action.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {importCustomers} from '../../../src/transfer/import.js'
import {quickRuntime, shop} from '../desk.js'
import {scratch} from '../scratch.js'

interface Row {
  readonly key: string
  readonly email: string
  readonly firstName: string
  readonly phone?: string
  readonly addresses: readonly {readonly country: string; readonly city: string; readonly streetName: string}[]
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const street = (city: string, streetName: string) => ({country: 'DE', city, streetName})

/** What happens on a day in the former shop. */
const former: Readonly<Record<string, (rows: Record<string, Row>) => void>> = {
  Tue: (rows) => change(rows, 'ada', {firstName: 'Adele'}),
  Wed: (rows) => change(rows, 'bea', {addresses: [street('Bonn', 'Markt'), street('Jena', 'Ring')]}),
  Thu: (rows) => change(rows, 'cid', {firstName: 'Cyd'}),
  Fri: (rows) => change(rows, 'ada', {addresses: [street('Kiel', 'Hafen')]}),
  Sat: (rows) => change(rows, 'bea', {addresses: [street('Jena', 'Ring')]}),
  Sun: (rows) => change(rows, 'dan', {firstName: 'Daniel'}),
}

function change(rows: Record<string, Row>, key: string, to: Partial<Row>): void {
  const row = rows[key]
  if (row) rows[key] = {...row, ...to}
}

/** What customers and people at desks do in the new shop on a day. */
const inNewShop: Readonly<
  Record<string, (of: Record<string, Customer>) => readonly (readonly [string, UpdateAction])[]>
> = {
  Tue: () => [['bea', {action: 'setFirstName', firstName: 'Beate'}]],
  Wed: () => [['ada', {action: 'addAddress', address: street('Ulm', 'Donau')}]],
  Thu: () => [['cid', {action: 'setFirstName', firstName: 'Sidney'}]],
  Fri: ({dan}) => [['dan', {action: 'changeAddress', addressId: dan?.addresses[0]?.id, address: street('Rom', 'Via')}]],
  Sat: ({cid}) => [['cid', {action: 'removeAddress', addressId: cid?.addresses[0]?.id}]],
}

describe('transfer · a nightly run over a week', () => {
  const files = scratch()
  const desk = shop()

  it('brings what the former shop changes, and keeps and lists what the new one does', async () => {
    const rows: Record<string, Row> = Object.fromEntries(
      ['ada', 'bea', 'cid', 'dan'].map((key) => [
        key,
        {key, email: `${key}@x.de`, firstName: key, addresses: [street('Bonn', 'Markt')]},
      ]),
    )
    const all = async () => Object.fromEntries((await desk().customers()).map((one) => [one.key ?? '', one]))
    const table: string[] = []
    for (const [at, day] of days.entries()) {
      former[day]?.(rows)
      for (const [key, action] of inNewShop[day]?.(await all()) ?? []) {
        const {id = '', version} = (await all())[key] ?? {}
        await desk().client.call(updateCustomerById, {id}, {body: {version, actions: [action]}})
      }
      const lines = Object.values(rows).map((row) => JSON.stringify(row))
      const sources = await files.source('export.jsonl', lines.join('\n'))
      const options = {jobsDir: files.path('jobs'), target: 'shop', passwordMode: 'external-auth'} as const
      const night = await importCustomers(desk().client, sources, {...options, runtime: quickRuntime(at + 1)})
      expect(night.failed, day).to.equal(0)
      const kept = night.kept?.first.map(({line, members}) => `${Object.keys(rows)[line - 1]} ${members.join(' ')}`)
      table.push(`${day} ${night.created}+ ${night.updated}~ ${(kept ?? ['-']).join('; ')}`)
    }
    expect(table).to.deep.equal([
      'Mon 4+ 0~ -',
      'Tue 0+ 1~ bea firstName',
      'Wed 0+ 1~ bea firstName',
      'Thu 0+ 0~ bea firstName; cid firstName',
      'Fri 0+ 1~ bea firstName; cid firstName; dan addresses.0',
      'Sat 0+ 1~ bea firstName; cid firstName addresses.0; dan addresses.0',
      'Sun 0+ 1~ bea firstName; cid firstName addresses.0; dan addresses.0',
    ])
    const now = Object.values(await all()).map(
      ({key, firstName, addresses}) =>
        `${key} ${firstName} ${addresses
          .map(({city}) => city)
          .sort()
          .join(' ')}`,
    )
    expect(now).to.deep.equal(['ada Adele Kiel Ulm', 'bea Beate Jena', 'cid Sidney ', 'dan Daniel Rom'])
  })
})
