import {expect} from 'chai'
import {type Answer, type Body, type Desk, draft, openDesk, signedUp} from '../harness.js'
import {asking} from './asking.js'

const signUp = `mutation ($draft: CustomerSignUpDraft!, $key: KeyReferenceInput) {
  customerSignUp(draft: $draft, storeKey: $key) { customer { id storesRef { key } } } }`
const update = `mutation ($id: String!, $version: Long!, $actions: [CustomerUpdateAction!]!, $key: KeyReferenceInput) {
  updateCustomer(id: $id, version: $version, actions: $actions, storeKey: $key) { version } }`

const customersOf = async (desk: Desk): Promise<number> => (await desk.ask('GET', '/customers?limit=0')).body.total

describe('api · graphql · arguments', () => {
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk({seed: true})
  })
  afterEach(() => desk.runtime.state.close())
  const {ask, data} = asking(() => desk)

  it('refuses a store that is no key, as a value and in the document, and changes nothing', async () => {
    const customer = await signedUp(desk)
    const before = await customersOf(desk)
    for (const key of [['london'], {key: 'london'}, 5, true]) {
      for (const asked of [
        ask(signUp, {variables: {draft: draft(), key}}),
        ask(update, {variables: {id: customer.id, version: 1, actions: [{setTitle: {title: 'Dr'}}], key}}),
        ask('query ($key: KeyReferenceInput!) { inStore(key: $key) { customers { total } } }', {variables: {key}}),
      ]) {
        const {status, body} = await asked
        expect([status, body.errors[0].code], JSON.stringify(key)).to.deep.equal([400, 'InvalidInput'])
        expect(body.message).to.include('KeyReferenceInput is the text of a key')
      }
    }
    for (const key of ['["london"]', '{key: "london"}', '5', '{a: 1}', 'london', 'true']) {
      const {status, body} = await ask(`{ inStore(key: ${key}) { customers { total } } }`)
      expect([status, body.message], key).to.deep.equal([400, 'KeyReferenceInput is the text of a key.'])
    }
    expect(await customersOf(desk)).to.equal(before)
    expect((await desk.ask('GET', `/customers/${customer.id}`)).body.version).to.equal(1)
    const {customerSignUp} = await data(signUp, {variables: {draft: draft(), key: null}})
    expect(customerSignUp.customer.storesRef).to.deep.equal([])
  })

  it('refuses values that are not of their scalar', async () => {
    const {id} = await signedUp(desk)
    const sent = (version: unknown, action: object) =>
      ask(update, {variables: {id, version, actions: [action]}}).then(({status, body}: Answer) => [
        status,
        body.message,
      ])
    const address = (country: unknown) => ({addAddress: {address: {country}}})
    for (const [version, action, scalar] of [
      ['1', {setTitle: {title: 'Dr'}}, 'Long'],
      [1.5, {setTitle: {title: 'Dr'}}, 'Long'],
      [1, {setLocale: {locale: 5}}, 'Locale'],
      [1, {setLocale: {locale: 'no locale'}}, 'Locale'],
      [1, address('Germany'), 'Country'],
      [1, address(['DE']), 'Country'],
      [1, {setDateOfBirth: {dateOfBirth: 1984}}, 'Date'],
    ] as const) {
      const [status, message] = await sent(version, action)
      expect([status, message], scalar).to.deep.equal([400, (message as string).slice(0, 2_000)])
      expect(message).to.include(`${scalar} is `)
    }
    expect(
      (await data(update, {variables: {id, version: 1, actions: [address('DE')]}})).updateCustomer.version,
    ).to.equal(2)
  })

  it('reads the JSON of custom fields as strictly as that of bodies', async () => {
    const type = {
      key: 'note',
      name: {en: 'Note'},
      resourceTypeIds: ['customer'],
      fieldDefinitions: [{name: 'points', label: {en: 'Points'}, required: false, type: {name: 'Number'}}],
    }
    expect((await desk.ask('POST', '/types', {body: type})).status).to.equal(201)
    const before = await customersOf(desk)
    const custom = (name: string, value: string) => ({type: {typeId: 'type', key: 'note'}, fields: [{name, value}]})
    for (const [name, value, rule] of [
      ['points', '['.repeat(30_000), 'deeper than 32'],
      ['points', '9007199254740993', 'do not carry exactly'],
      ['points', '{"__proto__": 1}', "must not be named '__proto__'"],
      ['points', '{', 'JSON'],
      ['__proto__', '1', 'no field has this name'],
    ] as const) {
      const {status, body} = await ask(signUp, {variables: {draft: draft({custom: custom(name, value)})}})
      const [error] = body.errors
      expect([status, error.extensions.code], value.slice(0, 40)).to.deep.equal([200, 'InvalidInput'])
      expect(error.message).to.include(rule)
    }
    expect(await customersOf(desk)).to.equal(before)
    const {customerSignUp} = await data(signUp, {variables: {draft: draft({custom: custom('points', '7')})}})
    const {body} = await desk.ask('GET', `/customers/${customerSignUp.customer.id}`)
    expect(body.custom.fields).to.deep.equal({points: 7})
  })

  it('answers a fault of one field by one error with its id, beside what the others did', async () => {
    const {state} = desk.runtime
    const commit = state.commit.bind(state)
    state.commit = (project, changes, complete) => {
      if (JSON.stringify(changes).includes('faulty@example.com')) throw new TypeError('a secret of the server')
      return commit(project, changes, complete)
    }
    const query = `mutation ($a: CustomerSignUpDraft!, $b: CustomerSignUpDraft!, $c: CustomerSignUpDraft!) {
      a: customerSignUp(draft: $a) { customer { email } } b: customerSignUp(draft: $b) { customer { email } }
      c: customerSignUp(draft: $c) { customer { email } } }`
    const drafts = ['one@example.com', 'faulty@example.com', 'two@example.com'].map((email) => draft({email}))
    const faults: [unknown, string][] = []
    const {status, body} = await desk.ask('POST', '/graphql', {
      body: {query, variables: {a: drafts[0], b: drafts[1], c: drafts[2]}},
      headers: {'x-correlation-id': 'trace-001'},
      onFault: (...fault) => faults.push(fault),
    })
    const emails = Object.values(body.data).map((one: Body) => one?.customer.email)
    expect([status, emails]).to.deep.equal([200, ['one@example.com', undefined, 'two@example.com']])
    expect(body.errors).to.have.lengthOf(1)
    expect([body.errors[0].path, body.errors[0].extensions.code]).to.deep.equal([['b'], 'General'])
    expect(body.errors[0].message).to.include('trace-001').and.not.include('secret')
    expect(faults.map(([error, id]) => [(error as Error).message, id])).to.deep.equal([
      ['a secret of the server', 'trace-001'],
    ])
  })
})
