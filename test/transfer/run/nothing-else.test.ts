import {expect} from 'chai'
import fc from 'fast-check'
import {createCustomer} from '../../../src/api/accounts/sign-up.js'
import {createType} from '../../../src/api/collections/operations.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {planImport} from '../../../src/transfer/plan.js'
import {rounds} from '../../rounds.js'
import {quickRuntime} from '../desk.js'
import {importing} from '../importing.js'

const {files, desk, imported} = importing()

const plain = ['firstName', 'lastName', 'title', 'externalId', 'vatId', 'companyName'] as const
const ofAddress = ['city', 'streetName', 'postalCode', 'phone', 'company', 'country'] as const
const fields = ['fa', 'fb', 'fc'] as const
const countries = ['DE', 'AT', 'CH'] as const

const text = fc.constantFrom('A', 'Bo', '01067', '1067', 'Köln', '="02138"', "'0171", '1067.0', 'x, y')
const members = <Name extends string>(names: readonly Name[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>, {requiredKeys: []})
const address = fc
  .record({country: fc.constantFrom(...countries)})
  .chain(({country}) => members(ofAddress.slice(0, -1)).map((own) => ({...own, country})))
const customer = fc.record({
  own: members(plain),
  addresses: fc.array(address, {maxLength: 3}),
  custom: members(fields),
  isEmailVerified: fc.boolean(),
})
const columns = fc.record({
  plain: fc.subarray([...plain]),
  fields: fc.subarray([...fields]),
  address: fc.subarray(ofAddress.slice(0, -1)),
  hasEmail: fc.boolean(),
})

/** Only mapped members, by path; addresses by their ids. */
function untouched(one: Customer, named: ReadonlySet<string>) {
  const {version: _, lastModifiedAt: __, lastModifiedBy: ___, ...rest} = one as Customer & Record<string, unknown>
  const {versionModifiedAt: _1, lastMessageSequenceNumber: _2, addresses, custom, ...more} = rest
  const left = (members: object, prefix = '') =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !named.has(prefix + name)))
  return {
    ...left(more),
    fields: left(custom?.fields ?? {}, 'custom.fields.'),
    addresses: Object.fromEntries(addresses.map((own) => [own.id, left(own, 'addresses.0.')])),
  }
}

describe('transfer · what a file does not name', () => {
  before(async () => {
    const fieldDefinitions = fields.map((name) => ({name, label: {en: name}, type: {name: 'String'}, required: false}))
    const body = {key: 'pt', name: {en: 'P'}, resourceTypeIds: ['customer'], fieldDefinitions}
    await desk().client.call(createType, {}, {body: body as never})
  })

  it('stays as it is, whatever a customer has and a file brings; its plan is its run, and a second run changes nothing', async () => {
    let round = 0
    const values = fc.array(fc.option(text, {nil: ''}), {minLength: 14, maxLength: 14})
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(customer, values, fc.boolean()), {minLength: 1, maxLength: 3}),
        columns,
        async (rows, chosen) => {
          round += 1
          const keys = rows.map((_, at) => `pt-${round}-${at}`)
          for (const [at, [{own, custom, ...given}]] of rows.entries()) {
            const key = keys[at] as string
            const type = {typeId: 'type', key: 'pt'}
            const body = {...own, ...given, key, email: `${key}@x.de`, custom: {type, fields: custom}}
            await desk().client.call(createCustomer, {}, {body: {...body, authenticationMode: 'ExternalAuth'} as never})
          }
          const hasAddress = chosen.address.length > 0
          const names = [
            ...chosen.plain,
            ...chosen.fields.map((name) => `custom.fields.${name}`),
            ...chosen.address.map((name) => `addresses.0.${name}`),
            ...(hasAddress ? ['addresses.0.country'] : []),
            ...(chosen.hasEmail ? ['email'] : []),
          ]
          const cell = (name: string, value: string, at: number, isUpper: boolean): string => {
            if (name === 'email') return isUpper ? `${keys[at]}@x.de`.toUpperCase() : `${keys[at]}@x.de`
            return name.endsWith('.country') ? 'DE' : `"${value.replaceAll('"', '""')}"`
          }
          const lines = rows.map(([, cells, isUpper], at) =>
            [keys[at], ...names.map((name, column) => cell(name, cells[column] ?? '', at, isUpper))].join(','),
          )
          const table = `${['key', ...names].join(',')}\n${lines.join('\n')}\n`
          const constants = chosen.fields.length > 0 ? {'custom.type.key': 'pt'} : {}
          const options = {mode: 'update', passwordMode: 'external-auth', mapping: {constants}} as const
          const mine = async () => (await desk().customers()).filter(({key}) => keys.includes(key ?? ''))
          const before = await mine()
          const runtime = quickRuntime()
          const plan = await planImport(desk().client, await files.source('a.csv', table), {...options, runtime})
          const run = await imported(table, options)
          expect([run.updated, run.unchanged, run.failed]).to.deep.equal([plan.update, plan.unchanged, plan.conflict])
          const after = await mine()
          const named = new Set(names.filter((name) => name !== 'email'))
          for (const [at, one] of before.entries()) {
            const {addresses: wanted, ...rest} = untouched(one, named)
            const {addresses: found, ...others} = untouched(after[at] as Customer, named)
            expect(others).to.deep.equal(rest)
            expect(found).to.deep.include(wanted)
          }
          expect(await imported(table, options)).to.include({unchanged: rows.length, updated: 0})
        },
      ),
      {numRuns: rounds(10, 200)},
    )
  })
})
