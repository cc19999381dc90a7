import {cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Customer} from '../../src/domain/customers/customer.js'
import {withCustomersOf} from '../../src/transfer/copy.js'
import {type ExportOptions, exportCustomers, exportToFile} from '../../src/transfer/export.js'
import {InputError} from '../../src/transfer/files/input-error.js'
import {importCustomers} from '../../src/transfer/import.js'
import type {RowFormat} from '../../src/transfer/input/row-format.js'
import {openSources} from '../../src/transfer/input/source.js'
import {anonymizer} from '../../src/transfer/output/anonymize.js'
import {pseudonyms} from '../../src/transfer/output/pseudonyms.js'
import {quickRuntime, shop} from './desk.js'
import {failureOf, scratch} from './scratch.js'

const files = scratch()
const [fullPack, emptyPack] = [files.path('full-pack'), files.path('empty-pack')]
for (const pack of [fullPack, emptyPack]) cpSync('fixtures/demo', pack, {recursive: true})
rmSync(join(emptyPack, 'customers.json'))
// A custom field that refers to another customer by id cannot mean anybody where customers have other ids.
const customers = JSON.parse(readFileSync(join(fullPack, 'customers.json'), 'utf8')) as {custom?: {fields: object}}[]
for (const {custom} of customers) {
  if (!custom) continue
  custom.fields = Object.fromEntries(Object.entries(custom.fields).filter(([, value]) => value?.typeId !== 'customer'))
}
writeFileSync(join(fullPack, 'customers.json'), JSON.stringify(customers))

const volatile =
  /^(id|version|versionModifiedAt|lastMessageSequenceNumber|password|createdAt|lastModifiedAt|createdBy|lastModifiedBy)$/

/** A customer without what an import cannot bring: ids, versions, times and who did it; address ids become indices. */
function essence(customer: object): object {
  const {addresses, ...members} = customer as Customer
  const at = (id: string): number => addresses.findIndex((address) => address.id === id)
  const entries = Object.entries(members)
    .filter(([name]) => !volatile.test(name))
    .map(([name, value]) => {
      if (/AddressId$/.test(name)) return [name, at(value as string)]
      return [name, /AddressIds$/.test(name) ? (value as string[]).map(at).toSorted() : value]
    })
  return {...Object.fromEntries(entries), addresses: addresses.map(({id: _, ...address}) => address)}
}

const placeOf = ({email, stores}: Customer): string => `${email} ${stores.map(({key}) => key).join(' ')}`

const inOrder = (customers: readonly Customer[]): object[] =>
  customers.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)).map(essence)

describe('transfer · export', () => {
  const full = shop({projectKey: 'demo', seedDir: fullPack})
  const targets = new Map(
    (['csv', 'json', 'jsonl'] as const).map((format) => [format, shop({projectKey: 'demo', seedDir: emptyPack})]),
  )
  const options = (over: Partial<ExportOptions> = {}): ExportOptions => ({
    format: 'jsonl',
    runtime: quickRuntime(),
    ...over,
  })

  for (const format of ['csv', 'json', 'jsonl'] as const satisfies RowFormat[]) {
    it(`comes back whole through an empty project as ${format}`, async () => {
      const empty = targets.get(format)?.()
      if (!empty) throw new Error('no target')
      const path = files.path(`demo.${format}`)
      const exported = await exportToFile(full().client, path, options({format, query: {limit: 7}}))
      const originals = await full().customers()
      expect(exported).to.equal(originals.length)
      const {list} = await openSources([path])
      const result = await importCustomers(empty.client, list, {
        jobsDir: files.path(`jobs-${format}`),
        target: 'test',
        match: 'email',
        passwordMode: 'generate',
        passwordFile: files.path(`passwords-${format}.csv`),
        runtime: quickRuntime(),
      })
      expect(result).to.include({read: originals.length, created: originals.length})
      const copies = await empty.customers()
      expect(inOrder(copies)).to.deep.equal(inOrder(originals))

      const again = files.path(`again.${format}`)
      await exportToFile(empty.client, again, options({format}))
      const unchanged = await importCustomers(empty.client, (await openSources([again])).list, {
        jobsDir: files.path(`jobs-${format}`),
        target: 'test',
        match: 'email',
        runtime: quickRuntime(2),
      })
      expect(unchanged).to.include({read: originals.length, unchanged: originals.length})
    })
  }

  it('takes spreadsheets in without letting them run anything, and gets the same values back', async () => {
    const path = files.path('guarded.csv')
    await exportToFile(full().client, path, options({format: 'csv', excelSafe: true}))
    const text = files.read(path)
    expect(text).not.to.match(/(^|,|")[=+@-]/m)
    const result = await importCustomers(full().client, (await openSources([path])).list, {
      jobsDir: files.path('jobs-guarded'),
      target: 'test',
      match: 'email',
      runtime: quickRuntime(),
    })
    expect(result.unchanged).to.equal(result.read)
  })

  it('never exports a password, and writes a file that only its owner can read', async () => {
    const path = files.path('private.json')
    await exportToFile(full().client, path, options({format: 'json'}))
    expect(files.read(path)).not.to.include('"password"').and.not.include('****')
    expect(statSync(path).mode & 0o777).to.equal(0o600)
    expect(existsSync(`${path}.part`)).to.equal(false)
  })

  it('leaves nothing behind when it cannot be completed', async () => {
    const path = files.path('half.json')
    const view = (): object => {
      throw new Error('no')
    }
    await failureOf(exportToFile(full().client, path, options({view})))
    expect(existsSync(path) || existsSync(`${path}.part`)).to.equal(false)
    const link = files.path('link.json')
    symlinkSync(files.path('private.json'), link)
    for (const taken of [files.path('private.json'), link, files.dir, '/dev/full', '/nowhere/a.json']) {
      expect(await failureOf(exportToFile(full().client, taken, options())), taken).to.be.instanceOf(InputError)
    }
  })

  it('takes only what the predicates allow', async () => {
    let text = ''
    const sink = {
      write: async (more: string) => {
        text += more
      },
    }
    const query = {where: ['lastName = :name'], variables: {name: 'Brandvold'}}
    expect(await exportCustomers(full().client, sink, options({query}))).to.equal(1)
    expect(text).to.include('hazel.brandvold@example.com')
  })

  it('writes the columns of a table in an order of their own', async () => {
    const [header] = files.read(files.path('demo.csv')).split('\r\n')
    const columns = header?.split(',') ?? []
    expect(columns.slice(0, 4)).to.deep.equal(
      ['id', 'version', 'versionModifiedAt', 'lastMessageSequenceNumber']
        .filter((name) => columns.includes(name))
        .concat('createdAt')
        .slice(0, 4),
    )
    expect(columns.indexOf('addresses.0.city')).to.be.lessThan(columns.indexOf('addresses.1.city'))
    expect(columns.indexOf('email')).to.be.lessThan(columns.indexOf('addresses.0.id'))
  })
})

const personal = [
  'email',
  'firstName',
  'lastName',
  'middleName',
  'companyName',
  'vatId',
  'streetName',
  'city',
  'phone',
  'mobile',
  'fax',
  'company',
  'key',
  'externalId',
  'customerNumber',
]

function secretsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === 'stores' || name === 'customerGroup' || name === 'customerGroupAssignments') return []
    return personal.includes(name) && typeof member === 'string' && member.length > 2 ? [member] : secretsOf(member)
  })
}

describe('transfer · copy and pseudonyms', () => {
  const source = shop({projectKey: 'demo', seedDir: fullPack})
  const target = shop({projectKey: 'demo', seedDir: emptyPack})

  let runs = 0
  const copied = (anonymize?: string) =>
    withCustomersOf(source().client, {runtime: quickRuntime(), ...(anonymize ? {anonymize} : {})}, (sources) =>
      importCustomers(target().client, sources, {
        jobsDir: files.path('jobs-copy'),
        target: 'test',
        match: 'email',
        passwordMode: 'external-auth',
        runtime: quickRuntime(++runs),
      }),
    )

  it('copies under stable pseudonyms, of which nothing leads back', async () => {
    const first = await copied('7')
    const originals = await source().customers()
    expect(first).to.include({read: originals.length, created: originals.length})
    expect(await copied('7')).to.include({unchanged: originals.length})
    const copies = JSON.stringify(await target().customers())
    for (const secret of originals.flatMap(secretsOf)) {
      expect(copies.includes(JSON.stringify(secret).slice(1, -1)), secret).to.equal(false)
    }
    const customers = await target().customers()
    expect(customers.every(({email}) => /@example\.(com|net|org)$/.test(email))).to.equal(true)
    expect(new Set(customers.map(({stores}) => stores.length))).to.include(2)
  })

  it('gives the same seed the same names, and another seed others', async () => {
    const [ada] = await source().customers()
    if (!ada) throw new Error('nobody there')
    const [one, same, other] = [anonymizer('7')(ada), anonymizer('7')(ada), anonymizer('8')(ada)]
    expect(one).to.deep.equal(same)
    expect(one.email).not.to.equal(other.email)
    expect(one.isEmailVerified).to.equal(ada.isEmailVerified)
  })

  it('take phone numbers that are reserved for fiction, the same for the same one', () => {
    const {phone} = pseudonyms('seed')
    const numbers = Array.from({length: 200}, (_, at) => phone(`+49 30 ${at}`))
    for (const number of numbers) expect(number).to.match(/^\+447700900\d{3}$/)
    expect(numbers[0]).to.equal(pseudonyms('seed').phone('+49 30 0'))
    expect(new Set(numbers).size).to.be.greaterThan(100)
  })
})
