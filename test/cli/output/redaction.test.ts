import {expect} from 'chai'
import {Redaction} from '../../../src/cli/output/redaction.js'
import {noRedaction} from '../../../src/cli/run/redaction.js'
import {addressFields} from '../../../src/domain/address-fields.js'
import {fieldRows} from '../../../src/domain/customers/fields.js'
import {addressPrivacy, customerPrivacy} from '../../../src/domain/customers/privacy.js'
import {isPersonal} from '../../../src/domain/field.js'
import {anonymizer} from '../../../src/transfer/output/anonymize.js'

const id = '0f0f0f0f-1111-4222-8333-444444444444'

const fields = {note: 'rings twice', points: 48151, vip: true}
const textOf = (name: string): string => (name === 'email' ? 'hazel@brandvold.test' : `Secret-${name}-x9`)
const texts = (rows: readonly {readonly name: string}[]) =>
  Object.fromEntries(rows.map(({name}) => [name, name === 'dateOfBirth' ? '1969-07-16' : textOf(name)]))

const custom = {type: {typeId: 'type', id}, fields}
const customer = {
  id,
  version: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...texts(fieldRows),
  locale: 'de',
  addresses: [{id: 'aB3-_x9Z', ...texts(addressFields), country: 'DE', custom}],
  defaultShippingAddressId: 'aB3-_x9Z',
  shippingAddressIds: ['aB3-_x9Z'],
  billingAddressIds: [],
  stores: [{typeId: 'store', key: 'berlin'}],
  createdBy: {clientId: 'cli', isPlatformClient: false, externalUserId: 'hazel@agency.test'},
  custom,
}

const on = (...revealed: string[]) => new Redaction(revealed)
const shown = (value: unknown, ...revealed: string[]) => JSON.stringify(on(...revealed).document(value))

describe('cli · redaction', () => {
  it('masks every personal member of a customer and of its addresses', () => {
    const text = shown(customer)
    expect(text).to.not.match(/Secret-|brandvold|agency|1969|rings|48151|true,"vip"|"vip":true/)
    expect(text).to.include(id).and.include('aB3-_x9Z').and.include('"key":"berlin"').and.include('"country":"DE"')
  })

  it('masks a name of one ideograph in a sentence, and no single letter', () => {
    const redaction = on()
    redaction.learn({firstName: '遥', lastName: 'B'})
    expect(redaction.text('First name: [遥]')).to.equal('First name: [***]')
    expect(redaction.text('Last name: [B]')).to.equal('Last name: [B]')
  })

  it('hides a name of two characters whole, as half of it would be shown', () => {
    const redaction = on()
    expect(redaction.document({firstName: 'Bo', lastName: '王伟', title: 'Rob'})).to.deep.equal({
      firstName: '***',
      lastName: '***',
      title: 'R***',
    })
    expect(redaction.text('王伟 is there')).to.equal('*** is there')
  })

  it('gives the same answer as anonymising, from the same declaration', () => {
    const masked = on().document(customer) as Record<string, unknown>
    const disguised = anonymizer('7')(customer as never) as unknown as Record<string, unknown>
    for (const [name, privacy] of Object.entries(customerPrivacy)) {
      if (!(name in customer) || privacy === 'parts') continue
      const before = (customer as Record<string, unknown>)[name]
      if (!isPersonal(privacy)) continue
      expect(masked[name], name).to.not.equal(before)
      expect(disguised[name], name).to.not.equal(before)
    }
    const [address = {}] = disguised['addresses'] as Record<string, unknown>[]
    for (const name of Object.keys(addressPrivacy)) {
      if (name === 'country' || name === 'custom') continue
      expect(address[name], name).to.not.equal((customer.addresses[0] as Record<string, unknown>)[name])
    }
    expect(JSON.stringify(disguised)).to.not.match(/Secret-|brandvold|agency|1969-07-16|rings|48151/)
  })

  it('leaves nothing in an anonymised customer that leads back to the real one', () => {
    const disguised = anonymizer('7')(customer as never) as unknown as typeof customer
    const text = JSON.stringify(disguised)
    expect(text.includes('aB3-_x9Z'), 'address id').to.equal(false)
    expect(disguised.id)
      .to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      .and.not.equal(id)
    expect(disguised).to.not.have.any.keys('version', 'createdAt', 'createdBy', 'lastModifiedAt')
    expect(disguised.shippingAddressIds).to.deep.equal([disguised.addresses[0]?.id])
    expect(disguised.defaultShippingAddressId).to.equal(disguised.addresses[0]?.id)
    expect(anonymizer('7')(customer as never)).to.deep.equal(disguised)
  })

  it('fails closed: what nobody declared is masked, and dropped from anonymised customers', () => {
    const undeclared = {...customer, undeclared: 'Countess', score: 17.5}
    expect(shown(undeclared)).to.not.match(/Countess|17\.5/)
    expect(JSON.stringify(anonymizer('7')(undeclared as never))).to.not.match(/Countess|17\.5/)
  })

  it('masks differences by the member that they are about', () => {
    const rows = [
      {path: 'lastName', before: 'Brandvold', after: 'Okafor'},
      {path: 'custom.fields.points', before: 1, after: 2},
      {path: 'addresses.0.region', after: 'Holstein'},
      {path: 'version', before: 4, after: 5},
    ]
    const text = shown(rows)
    expect(text).to.not.match(/Brandvold|Okafor|Holstein|"before":1|"after":2/)
    expect(text).to.include('"before":4')
    expect(shown([{path: 'version', after: 5}])).to.include('"after":5')
    expect(shown([{path: 'version', before: 4}])).to.include('"before":4')
    expect(shown(rows, 'lastName')).to.include('Okafor').and.not.include('Holstein')
  })

  it('shows what is revealed, by name or path', () => {
    expect(shown(customer, 'email')).to.include('hazel@brandvold.test')
    expect(shown(customer, 'custom.fields.note')).to.include('rings twice').and.not.include('48151')
    expect(shown(customer, 'addresses.city')).to.include('Secret-city').and.not.include('Secret-firstName')
  })

  it('takes people out of sentences by what the run has seen', () => {
    const redaction = on()
    redaction.learnArguments([
      'customers',
      'update',
      'key=hazel-b',
      '--set',
      'lastName=Okafor',
      '--first-name',
      'Ottilie',
    ])
    redaction.learn({customer: {companyName: 'Brandvold & Söhne'}})
    const text = redaction.text('updated hazel-b: Okafor (Brandvold) → "Ottilie", mail@x.test, version 3 → 4.')
    expect(text).to.not.match(/hazel-b|Okafor|Brandvold|Ottilie|mail@x/)
    expect(text).to.include('updated').and.include('version 3 → 4.')
    expect(on('email').text('to mail@x.test')).to.include('mail@x.test')
  })

  it('masks what errors repeat, and keeps the names of members', () => {
    const report = on().error({
      message: "There is already a customer with the value 'Hazel-B' in the field 'customerNumber'.",
      hints: ['Find Hazel-B.'],
      details: [
        {code: 'DuplicateField', field: 'customerNumber', duplicateValue: 'Hazel-B', message: "'Hazel-B' is taken."},
      ],
    })
    expect(JSON.stringify(report)).to.not.include('Hazel-B')
    expect(report.message).to.include("'customerNumber'")
    expect(JSON.stringify(report.details)).to.include('is taken').and.include('DuplicateField')
  })

  it('keeps the words of the language, and masks what notes quote', () => {
    const redaction = on()
    redaction.learn({custom: {fields: {note: 'The mill by the river, Lindenhof'}}})
    expect(redaction.text('The row by the customer at Lindenhof')).to.equal('The row by the customer at L***')
    expect(redaction.note("the first is 'bad at brand' in 'email'")).to.equal("the first is 'b***' in 'email'")
  })

  it('changes nothing when it is off', () => {
    expect(noRedaction.document(customer)).to.equal(customer)
    expect(noRedaction.text('a@b.test')).to.equal('a@b.test')
  })
})
