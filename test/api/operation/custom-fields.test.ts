import {expect} from 'chai'
import {keyed, pack} from '../../fixtures/pack.js'
import {acted, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'

const other = keyed(pack.customers, 'two-shops').id
const money = (centAmount: number) => ({currencyCode: 'EUR', centAmount})

/** Of every field of the demo shop's `profile` a value that it takes, and values that it does not. */
const fields: Record<string, {readonly good: unknown; readonly shown?: unknown; readonly bad: readonly unknown[]}> = {
  subscribed: {good: false, bad: ['true', 1, {}]},
  shoeSize: {good: 4.5, bad: ['4', true, []]},
  note: {good: '', bad: [4, {}, ['a']]},
  greeting: {good: {en: 'a', 'de-AT': 'b'}, bad: ['a', {en: 4}, {'!!': 'a'}, []]},
  tier: {good: 'gold', bad: ['Gold', 'platinum', {key: 'gold'}]},
  season: {good: 'spring', bad: ['winter', {}]},
  budget: {
    good: money(100),
    shown: {type: 'centPrecision', ...money(100), fractionDigits: 2},
    bad: [5, {currencyCode: 'XXY', centAmount: 1}, {currencyCode: 'EUR'}, money(1.5)],
  },
  anniversary: {good: '2000-02-29', bad: ['2001-02-29', 'x', 5]},
  callAt: {good: '10:00:00', shown: '10:00:00.000', bad: ['25:00:00', '10:00', 5]},
  lastVisit: {
    good: '2026-01-01T01:00:00+01:00',
    shown: '2026-01-01T00:00:00.000Z',
    bad: ['2026-01-01', '2026-02-30T00:00:00.000Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', 5],
  },
  adviser: {good: {typeId: 'customer', id: other}, bad: ['x', {typeId: 'store', id: 'a'}, {id: other}]},
  tags: {good: ['a', 'b'], bad: ['a', ['a', 'a'], ['a', 1], [null]]},
  luckyNumbers: {good: [1, 2], bad: [[1, 1], ['1']]},
  consents: {good: ['post'], bad: [['fax'], ['post', 'post']]},
  mottos: {good: [{en: 'x'}], bad: [[{en: 'x'}, {en: 'x'}]]},
  credits: {
    good: [{currencyCode: 'JPY', centAmount: 5}],
    shown: [{type: 'centPrecision', currencyCode: 'JPY', centAmount: 5, fractionDigits: 0}],
    bad: [[money(1), money(1)]],
  },
  calls: {
    good: ['2026-01-01T00:00:00Z'],
    shown: ['2026-01-01T00:00:00.000Z'],
    bad: [['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00']],
  },
  favourites: {good: [], bad: [[{typeId: 'customer', id: other}]]},
}

describe('api · custom fields of a customer', () => {
  let desk: Desk
  let customer: Body
  before(async () => {
    desk = await openDesk({seed: true})
    customer = await signedUp(desk, {addresses: [{country: 'DE'}], custom: {type: {key: 'profile'}}})
  })

  const act = async (...actions: object[]): Promise<Body> => {
    const answer = await acted(desk, customer, ...actions)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
    customer = answer.body
    return customer
  }
  const lastMessage = async (): Promise<Body> => {
    const where = encodeURIComponent(`resource(id = "${customer.id}")`)
    return (await desk.ask('GET', `/messages?where=${where}&sort=sequenceNumber%20desc&limit=1`)).body.results[0]
  }

  for (const [name, {good, shown = good, bad}] of Object.entries(fields)) {
    it(`${name} takes a value of its type, once`, async () => {
      const {custom, version} = await act({action: 'setCustomField', name, value: good})
      expect(custom.fields[name]).to.deep.equal(shown)
      expect(await lastMessage()).to.deep.include({type: 'CustomerCustomFieldAdded', name, value: shown})
      expect((await act({action: 'setCustomField', name, value: good})).version).to.equal(version)
    })

    it(`${name} refuses values of other types`, async () => {
      for (const value of bad) {
        const answer = await acted(desk, customer, {action: 'setCustomField', name, value})
        expect(answer.status, JSON.stringify(value)).to.equal(400)
        expect(errorOf(answer)).to.deep.include({code: 'InvalidField', field: name})
      }
    })
  }

  it('says what a field held before, and removes it once', async () => {
    await act({action: 'setCustomField', name: 'note', value: 'new'})
    expect(await lastMessage()).to.include({type: 'CustomerCustomFieldChanged', value: 'new', previousValue: ''})
    await act({action: 'setCustomField', name: 'note', value: null})
    expect(await lastMessage()).to.include({type: 'CustomerCustomFieldRemoved', name: 'note'})
    expect(errorOf(await acted(desk, customer, {action: 'setCustomField', name: 'note'})).code).to.equal(
      'InvalidOperation',
    )
  })

  const refusals: [string, object, object][] = [
    [
      'an unknown reference',
      {name: 'adviser', value: {typeId: 'customer', id: 'no'}},
      {code: 'ReferencedResourceNotFound'},
    ],
    ['an unknown field', {name: 'nothing', value: 1}, {code: 'InvalidField'}],
    ['no name', {value: 1}, {code: 'InvalidJsonInput'}],
  ]
  for (const [what, members, error] of refusals) {
    it(`refuses ${what}`, async () => {
      expect(errorOf(await acted(desk, customer, {action: 'setCustomField', ...members}))).to.deep.include(error)
    })
  }

  it('changes and removes the type, which must be made for customers and have its required fields', async () => {
    const set = (members: object) => ({action: 'setCustomType', ...members})
    const previousTypeId = customer.custom.type.id
    const incomplete = await acted(desk, customer, set({type: {key: 'trade-account'}, fields: {registration: 'x'}}))
    expect(errorOf(incomplete)).to.include({code: 'RequiredField', field: 'since'})
    const foreign = await acted(desk, customer, set({type: {key: 'delivery-notes'}}))
    expect(errorOf(foreign).code).to.equal('InvalidOperation')
    for (const values of [[], 'x', 4]) {
      const shapeless = await acted(desk, customer, set({type: {key: 'profile'}, fields: values}))
      expect(errorOf(shapeless).code).to.equal('InvalidJsonInput')
    }
    const trade = {registration: 'x', since: '2000-01-01'}
    const {custom} = await act(set({type: {key: 'trade-account'}, fields: trade}))
    expect(custom.fields).to.deep.equal(trade)
    expect(await lastMessage()).to.deep.include({
      type: 'CustomerCustomTypeSet',
      customFields: custom,
      previousTypeId,
    })
    const required = await acted(desk, customer, {action: 'setCustomField', name: 'since'})
    expect(errorOf(required)).to.include({code: 'RequiredField', field: 'since'})
    expect(await act(set({}))).to.not.have.property('custom')
    expect(await lastMessage()).to.include({type: 'CustomerCustomTypeRemoved', previousTypeId: custom.type.id})
    const without = await acted(desk, customer, {action: 'setCustomField', name: 'note', value: 'x'})
    expect(errorOf(without).code).to.equal('InvalidOperation')
  })

  it('are taken at a sign-up by an address alone, by the key of their type', async () => {
    const custom = {type: {key: 'delivery-notes'}, fields: {doorbell: 'L'}}
    const {addresses} = await signedUp(desk, {addresses: [{country: 'AT'}, {country: 'DE', custom}]})
    expect(addresses[1].custom.fields).to.deep.equal({doorbell: 'L'})
    expect(addresses[1].custom.type).to.have.keys('typeId', 'id')
  })

  it('does the same on an address, whose id the messages repeat', async () => {
    const [{id: addressId}] = customer.addresses
    await act({action: 'setAddressCustomType', addressId, type: {key: 'delivery-notes'}, fields: {doorbell: 'L'}})
    expect(await lastMessage()).to.include({type: 'CustomerAddressCustomTypeSet', addressId})
    const {addresses} = await act({action: 'setAddressCustomField', addressId, name: 'floor', value: 2})
    expect(addresses[0].custom.fields).to.deep.equal({doorbell: 'L', floor: 2})
    expect(await lastMessage()).to.include({
      type: 'CustomerAddressCustomFieldAdded',
      addressId,
      name: 'floor',
      value: 2,
    })
    await act({action: 'setAddressCustomType', addressId})
    expect(await lastMessage()).to.include({type: 'CustomerAddressCustomTypeRemoved', addressId})
    const missing = await acted(desk, customer, {action: 'setAddressCustomField', addressId: 'no', name: 'floor'})
    expect(errorOf(missing).code).to.equal('InvalidOperation')
  })
})
