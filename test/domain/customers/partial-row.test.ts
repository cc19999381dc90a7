import {expect} from 'chai'
import fc from 'fast-check'
import type {Customer} from '../../../src/domain/customers/customer.js'
import type {DesiredCustomer} from '../../../src/domain/customers/desired-customer.js'
import {difference} from '../../../src/domain/customers/diff.js'
import {merged, writtenOf} from '../../../src/domain/customers/merge.js'
import {applied, customerFrom} from './diff-harness.js'

const type = {typeId: 'type', id: 'id-of-extras'}
const fieldNames = ['points', 'note', 'optIn', 'season']
const addressNames = ['city', 'streetName', 'postalCode', 'phone', 'company', 'country']

const word = fc.constantFrom('Ada', 'Kiel', 'Bonn')
const fields = fc.record(
  {points: fc.nat(3), note: word, optIn: fc.boolean(), season: fc.constantFrom('spring', 'autumn')},
  {requiredKeys: []},
)
const custom = fields.map((one) => ({type, fields: one}))
const address = fc.record(
  {
    ...Object.fromEntries(addressNames.map((name) => [name, word])),
    country: fc.constantFrom('DE', 'FR'),
    custom,
  },
  {requiredKeys: ['country']},
)
const state = fc.record({addresses: fc.array(address, {minLength: 1, maxLength: 3}), custom}, {requiredKeys: []})
/** The members that a file has: some of an address, its country among them, and some custom fields. */
const columns = fc.record({
  address: fc.subarray([...addressNames, 'custom']).map((names) => [...new Set(['country', ...names])]),
  addressField: fc.subarray(fieldNames),
  field: fc.subarray(fieldNames),
})

type Columns = typeof columns extends fc.Arbitrary<infer T> ? T : never
type Members = Record<string, unknown>

const coversOf = ({address: own, addressField, field}: Columns) => {
  const paths = new Set([
    ...own.map((name) => `addresses.*.${name}`),
    ...(own.includes('custom') ? addressField.map((name) => `addresses.*.custom.fields.${name}`) : []),
    ...field.map((name) => `custom.fields.${name}`),
  ])
  return (path: string) => paths.has(path)
}

const only = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)))

/** The row of a file with some columns. */
function rowOf({addresses, custom: own}: Members, has: Columns): DesiredCustomer {
  const cut = (value: unknown, names: readonly string[]) => {
    const one = value as {type: unknown; fields: Members} | undefined
    return one && {...one, fields: only(one.fields, names)}
  }
  const places = (addresses as Members[] | undefined)?.map(({custom: extra, ...members}) => ({
    ...only(members, has.address),
    ...(has.address.includes('custom') && extra ? {custom: cut(extra, has.addressField)} : {}),
  }))
  return {...(places ? {addresses: places} : {}), ...(own ? {custom: cut(own, has.field)} : {})} as DesiredCustomer
}

const fieldsOf = (value: unknown): Members => (value as Customer['custom'])?.fields ?? {}

/** What a file without the columns says nothing about. */
const unsaid = (customer: Customer, has: Columns) => ({
  fields: Object.entries(fieldsOf(customer.custom)).filter(([name]) => !has.field.includes(name)),
  addresses: customer.addresses.map(({custom: extra, ...members}) => {
    const names = has.address.includes('custom')
      ? fieldNames.filter((name) => !has.addressField.includes(name))
      : fieldNames
    const rest = Object.entries(members).filter(([name]) => !has.address.includes(name))
    return [...rest, ...Object.entries(only(fieldsOf(extra), names))].sort()
  }),
})

describe('customers · a row of a file that lacks columns', () => {
  const start = (members: Members) =>
    customerFrom({email: 'Ada@x.de', authenticationMode: 'ExternalAuth', isEmailVerified: true, ...members})
  const updated = (current: Customer, row: DesiredCustomer, options: Partial<Parameters<typeof merged>[3]>) => {
    const {desired} = merged(current, row, undefined, {keepsNewer: true, ...options})
    return applied(current, difference(current, desired).actions)
  }

  it('changes nothing that the file does not name', () => {
    fc.assert(
      fc.property(state, state, columns, (held, wanted, has) => {
        const current = start(held)
        const result = updated(current, rowOf(wanted, has), {covers: coversOf(has)})
        const [before, now] = [unsaid(current, has), unsaid(result, has)]
        expect(now.fields).to.deep.equal(before.fields)
        expect(now.addresses.slice(0, before.addresses.length)).to.deep.equal(before.addresses)
      }),
    )
  })

  it('is brought in once: a second run has nothing to do', () => {
    fc.assert(
      fc.property(state, state, columns, (held, wanted, has) => {
        const [row, covers] = [rowOf(wanted, has), coversOf(has)]
        const result = updated(start(held), row, {covers})
        expect(
          difference(result, merged(result, row, undefined, {keepsNewer: true, covers}).desired).actions,
        ).to.deep.equal([])
      }),
    )
  })

  it('keeps what it lacks also where an earlier run brought it', () => {
    const home = {country: 'DE', city: 'Kiel', phone: '1', company: 'Ada & Co'}
    const current = start({addresses: [home, {country: 'FR', city: 'Lyon'}]})
    const written = writtenOf({addresses: [home, {country: 'FR', city: 'Lyon'}]} as DesiredCustomer, current.id)
    const covers = (path: string) => ['addresses.*.country', 'addresses.*.city'].includes(path)
    const row = {
      addresses: [
        {country: 'DE', city: 'Bonn'},
        {country: 'FR', city: 'Lyon'},
      ],
    }
    const {desired, kept} = merged(current, row, written, {keepsNewer: true, covers})
    const {addresses} = applied(current, difference(current, desired).actions)
    expect(kept).to.deep.equal([])
    expect(addresses.map(({id: _, ...members}) => members)).to.deep.equal([
      {...home, city: 'Bonn'},
      {country: 'FR', city: 'Lyon'},
    ])
  })

  it('adds the addresses of a second file, and takes one away only where it replaces all', () => {
    const current = start({addresses: [{country: 'DE', city: 'Kiel'}]})
    const row = {addresses: [{country: 'DE', city: 'Bonn'}]}
    const cities = (options: object) =>
      updated(current, row, {covers: () => true, ...options}).addresses.map(({city}) => city)
    expect(cities({addresses: 'add'})).to.deep.equal(['Kiel', 'Bonn'])
    expect(cities({})).to.deep.equal(['Bonn'])
    const two = start({
      addresses: [
        {country: 'DE', city: 'Kiel'},
        {country: 'FR', city: 'Lyon'},
      ],
    })
    const left = (options: object) =>
      updated(two, row, {covers: () => true, ...options}).addresses.map(({city}) => city)
    expect(left({})).to.deep.equal(['Bonn', 'Lyon'])
    expect(left({addresses: 'replace'})).to.deep.equal(['Bonn'])
  })

  it('changes no email that differs in case alone', () => {
    const current = start({})
    expect(updated(current, {email: 'ADA@X.DE'}, {})).to.equal(current)
    expect(updated(current, {email: 'ada@y.de'}, {})).to.include({email: 'ada@y.de', isEmailVerified: false})
  })
})
