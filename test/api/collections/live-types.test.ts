import {expect} from 'chai'
import {acted, type Body, type Desk, errorOf, openDesk, signedUp} from '../harness.js'
import {changed, created, signUp} from './drafts.js'

const field = (name: string, type: object = {name: 'String'}, members: object = {}) => ({
  name,
  type,
  label: {en: name},
  required: false,
  ...members,
})

/** One field of every kind, and a value that it takes and one that it refuses. */
const kinds: Record<string, [type: object, good: unknown, bad: unknown, stored?: unknown]> = {
  isIn: [{name: 'Boolean'}, true, 'true'],
  count: [{name: 'Number'}, 1.5, '1'],
  note: [{name: 'String'}, 'text', 5],
  greeting: [{name: 'LocalizedString'}, {de: 'Hallo'}, 'Hallo'],
  tier: [{name: 'Enum', values: [{key: 'a', label: 'A'}]}, 'a', 'b'],
  size: [{name: 'LocalizedEnum', values: [{key: 'xl', label: {en: 'XL'}}]}, 'xl', 'XL'],
  price: [
    {name: 'Money'},
    {currencyCode: 'EUR', centAmount: 100},
    {currencyCode: 'XXA', centAmount: 1},
    {type: 'centPrecision', currencyCode: 'EUR', centAmount: 100, fractionDigits: 2},
  ],
  day: [{name: 'Date'}, '2026-02-28', '2026-02-29'],
  callAt: [{name: 'Time'}, '10:30:00', '25:00:00', '10:30:00.000'],
  since: [{name: 'DateTime'}, '2026-02-28T10:00:00+01:00', 'yesterday', '2026-02-28T09:00:00.000Z'],
  friend: [
    {name: 'Reference', referenceTypeId: 'channel'},
    {typeId: 'channel', id: 'c'},
    {typeId: 'cart', id: 'c'},
  ],
  tags: [{name: 'Set', elementType: {name: 'String'}}, ['a', 'b'], ['a', 'a']],
}

describe('api · custom fields and the type as it is now', () => {
  let desk: Desk
  let type: Body
  const custom = (fields: object) => ({type: {key: 'profile'}, fields})
  before(async () => {
    desk = await openDesk()
    const fieldDefinitions = Object.entries(kinds).map(([name, [of]]) => field(name, of))
    const body = {key: 'profile', name: {en: 'Profile'}, resourceTypeIds: ['customer', 'address'], fieldDefinitions}
    type = await created(desk, 'types', body)
  })

  const change = async (...actions: object[]): Promise<void> => {
    const {status, body} = await changed(desk, 'types', type, ...actions)
    expect(status, JSON.stringify(body)).to.equal(200)
    type = body
  }
  const customerNow = async ({id}: Body): Promise<Body> => (await desk.ask('GET', `/customers/${id}`)).body

  it('takes a value of every kind of field, and refuses another', async () => {
    for (const [name, [, good, bad, stored = good]] of Object.entries(kinds)) {
      const made = await signUp(desk, {custom: custom({[name]: good})})
      expect(made.body.customer?.custom.fields, `${name}: ${JSON.stringify(made.body)}`).to.deep.equal({[name]: stored})
      const refused = await signUp(desk, {custom: custom({[name]: bad})})
      expect(errorOf(refused), name).to.include({code: 'InvalidField', field: name})
    }
  })

  for (const [segment, draft] of [
    ['customer-groups', {key: 'old-form', groupName: 'Old form'}],
    ['stores', {key: 'old-form'}],
    ['customers', {email: 'old-form@example.com', password: 'secret'}],
  ] as const) {
    it(`marks a custom type that ${segment} name in the old form`, async () => {
      const {customer, ...made} = await created(desk, segment, draft)
      const type = {key: `old-${segment}`, name: {en: 'Old'}, resourceTypeIds: ['customer', 'customer-group', 'store']}
      await created(desk, 'types', type)
      const {status, headers, body} = await changed(desk, segment, customer ?? made, {
        action: 'setCustomType',
        typeKey: type.key,
      })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(headers['x-deprecation-notice']).to.contain('typeKey')
    })
  }

  it('knows a field and a value of an enum from the moment in which they are added', async () => {
    expect(errorOf(await signUp(desk, {custom: custom({late: 'x'})})).code).to.equal('InvalidField')
    expect(errorOf(await signUp(desk, {custom: custom({tier: 'gold'})})).code).to.equal('InvalidField')
    await change(
      {action: 'addFieldDefinition', fieldDefinition: field('late')},
      {action: 'addEnumValue', fieldName: 'tier', value: {key: 'gold', label: 'Gold'}},
    )
    expect((await signUp(desk, {custom: custom({late: 'x', tier: 'gold'})})).status).to.equal(201)
  })

  it('wants a required field from then on, and leaves customers without it as they are', async () => {
    const one = await signedUp(desk, {custom: custom({note: 'old'})})
    await change({action: 'addFieldDefinition', fieldDefinition: field('must', undefined, {required: true})})
    expect(errorOf(await signUp(desk, {custom: custom({})}))).to.include({code: 'RequiredField', field: 'must'})
    expect(await customerNow(one)).to.deep.equal(one)
    await change({action: 'removeFieldDefinition', fieldName: 'must'})
    expect((await signUp(desk, {custom: custom({})})).status).to.equal(201)
  })

  it('takes the values of a removed field from customers and addresses, and nothing else', async () => {
    const fields = {note: 'kept', greeting: {de: 'Hallo'}}
    const addresses = [{country: 'DE', custom: custom(fields)}, {country: 'AT'}]
    const one = await signedUp(desk, {key: 'with-values', custom: custom(fields), addresses})
    const other = await signedUp(desk, {custom: custom({note: 'kept'})})
    await change({action: 'removeFieldDefinition', fieldName: 'greeting'})
    const after = await customerNow(one)
    expect(after.custom.fields).to.deep.equal({note: 'kept'})
    expect(after.addresses[0].custom.fields).to.deep.equal({note: 'kept'})
    expect(after).to.include({version: one.version + 1, email: one.email})
    expect(await customerNow(other)).to.deep.equal(other)
    expect((await desk.ask('GET', '/customers/key=with-values')).body).to.deep.equal(after)
    const twin = await signUp(desk, {email: one.email})
    expect(errorOf(twin)).to.include({code: 'DuplicateField', field: 'email'})
    const late = await acted(desk, after, {action: 'setCustomField', name: 'greeting', value: {de: 'x'}})
    expect(errorOf(late).code).to.equal('InvalidField')
  })

  it('takes them from more customers than a page holds, while others change', async () => {
    const {state} = desk.runtime
    const {id: _, key: __, ...model} = await signedUp(desk)
    const ids = Array.from({length: 620}, (_, at) => `many-${String(at).padStart(4, '0')}`)
    const values = {type: {typeId: 'type', id: type.id}, fields: {count: 1, note: 'n'}}
    const puts = ids.map((id) => ({
      kind: 'customer',
      expect: 0,
      doc: {...model, id, version: 1, email: `${id}@example.com`, custom: values},
      uniqueKeys: [{key: `email:*:${id}@example.com`}],
    }))
    await state.commit(desk.projectKey, puts)
    const racing = {version: 1, actions: [{action: 'setCustomField', name: 'note', value: 'm'}]}
    const [, ...others] = await Promise.all([
      change({action: 'removeFieldDefinition', fieldName: 'count'}),
      ...ids.slice(-20).map((id) => desk.ask('POST', `/customers/${id}`, {body: racing})),
    ])
    for (const {status} of others) expect(status).to.be.oneOf([200, 409])
    const where = encodeURIComponent('custom(fields(count is defined))')
    expect((await desk.ask('GET', `/customers?where=${where}`)).body.total).to.equal(0)
    const holding = encodeURIComponent('custom(fields(note is defined)) and id > "many-"')
    expect((await desk.ask('GET', `/customers?limit=1&where=${holding}`)).body.total).to.equal(620)
  })

  it('drops a value that was left behind with the next change', async () => {
    const {state} = desk.runtime
    const one = await signedUp(desk, {custom: custom({note: 'a'})})
    const fields = {...one.custom.fields, ghost: 'left behind'}
    const doc = {...one, version: 2, custom: {...one.custom, fields}}
    await state.commit(desk.projectKey, [{kind: 'customer', expect: 1, doc}])
    const after = await acted(desk, doc, {action: 'setCustomField', name: 'note', value: 'b'})
    expect(after.body.custom.fields).to.deep.equal({note: 'b'})
  })
})
