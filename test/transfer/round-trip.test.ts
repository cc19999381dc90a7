import {expect} from 'chai'
import {AddressDraft} from '../../src/domain/address.js'
import type {Customer} from '../../src/domain/customers/customer.js'
import {CustomerDraft} from '../../src/domain/customers/draft.js'
import {exportToFile} from '../../src/transfer/export.js'
import {importCustomers} from '../../src/transfer/import.js'
import type {RowFormat} from '../../src/transfer/input/row-format.js'
import {openSources} from '../../src/transfer/input/source.js'
import {quickRuntime, type Shop, shop} from './desk.js'
import {customerWith, shopWithoutCustomers} from './every-member.js'
import {scratch} from './scratch.js'

const files = scratch()
const pack = shopWithoutCustomers(files.path('pack'))

const nasty = [
  'plain',
  'a "quoted" word',
  '"',
  'two\nlines\r\nand\rmore',
  'comma, semicolon; tab\t bar|',
  '=1+1',
  '+49 30 1234',
  '-1',
  '@SUM(A1)',
  "'=1+1",
  "''+1",
  ' blanks around ',
  '',
  'null',
  'true',
  '007',
  '1e5',
  '[1]',
  '{"a":1}',
  '"json"',
  '👩‍👩‍👧 🇩🇪 e\u0301',
  'مرحبا \u202Eעברית',
  '\uFEFFmark',
  'sep=;',
  '****mask',
]
/** These must differ between customers. */
const isUnique = (place: string): boolean => place === 'customerNumber' || place === 'externalId'

/** An export without what differs between two projects: ids, times and who did it. Rows in an order of their own. */
function lasting(text: string, customers: readonly Customer[], {server}: Shop): string {
  // An id may begin with a sign that is guarded.
  const {clientId} = server.client
  let common = text.replaceAll(`'${clientId}`, 'CLIENT').replaceAll(clientId, 'CLIENT')
  for (const {id, key, addresses, createdAt, lastModifiedAt} of customers) {
    common = common.replaceAll(id, `customer ${key}`)
    for (const [at, address] of addresses.entries()) {
      const place = `address ${key} ${at}`
      common = common.replaceAll(`'${address.id}`, place).replaceAll(address.id, place)
    }
    for (const time of [createdAt, lastModifiedAt]) common = common.replaceAll(time, 'TIME')
  }
  return common
    .split(/,?\r?\n/)
    .toSorted()
    .join('\n')
}

describe('transfer · round trip of every member', () => {
  const first = shop({projectKey: 'demo', seedDir: pack})
  const others = new Map(
    (['csv', 'json', 'jsonl', 'guarded'] as const).map((name) => [name, shop({projectKey: 'demo', seedDir: pack})]),
  )
  const imported = async (desk: Shop, path: string, name: string) => {
    const {list} = await openSources([path])
    const jobsDir = files.path(`jobs-${name}`)
    return importCustomers(desk.client, list, {jobsDir, target: 'test', runtime: quickRuntime()})
  }

  before(async () => {
    const rows = nasty.map((text, at) =>
      // As a project gives it, a customer may have empty texts.
      JSON.stringify({
        id: `c-${at}`,
        version: 1,
        ...customerWith(pack, (place) => (isUnique(place) ? `${at} ${text}` : text), at),
      }),
    )
    const result = await imported(first(), files.write('rows.jsonl', rows.join('\n')), 'first')
    expect(result, files.read(result.report ?? files.write('none', ''))).to.include({created: nasty.length})
  })

  it('is tried with everything that a draft and an address can say', async () => {
    const creationOnly = ['password', 'passwordHash', 'anonymousCart', 'anonymousCartId', 'anonymousId']
    const row = customerWith(pack, () => 'x', 1)
    const members = [...Object.keys(row), ...creationOnly].toSorted()
    expect(members).to.deep.equal(Object.keys(CustomerDraft.entries).toSorted())
    const [address] = row['addresses'] as object[]
    expect(Object.keys(address ?? {}).toSorted()).to.deep.equal(Object.keys(AddressDraft.entries).toSorted())
    const [customer] = await first().customers()
    expect(customer).to.include.keys('shippingAddressIds', 'defaultShippingAddressId', 'defaultBillingAddressId')
  })

  for (const [name, other] of others) {
    it(`gives the same bytes as ${name}`, async () => {
      const format: RowFormat = name === 'guarded' ? 'csv' : name
      const options = {format, runtime: quickRuntime(), ...(name === 'guarded' ? {excelSafe: true} : {})}
      const [before, after] = [files.path(`${name}-before.${format}`), files.path(`${name}-after.${format}`)]
      expect(await exportToFile(first().client, before, options)).to.equal(nasty.length)
      const result = await imported(other(), before, name)
      expect(result, files.read(result.report ?? before).slice(0, 2000)).to.include({created: nasty.length, failed: 0})
      await exportToFile(other().client, after, options)
      const wanted = lasting(files.read(before), await first().customers(), first())
      expect(lasting(files.read(after), await other().customers(), other())).to.equal(wanted)
      expect(await imported(other(), after, `${name}-again`)).to.include({unchanged: nasty.length})
    })
  }
})
