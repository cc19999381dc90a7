import {expect} from 'chai'
import {customerActions} from '../../../src/domain/customers/actions/index.js'
import {redactedText} from '../../../src/domain/redact.js'
import {type Answer, type Body, type Desk, openDesk, signedUp} from '../harness.js'

const fields = 'id version email firstName lastName custom { customFieldsRaw { name value } }'

/** The mutations of accounts, as storefronts send them. */
describe('api · graphql · accounts', () => {
  let desk: Desk
  let shop: string
  beforeEach(async () => {
    desk = await openDesk({seed: true})
    shop = await desk.token('manage_customers view_customers manage_my_profile')
  })
  afterEach(() => desk.runtime.state.close())

  const ask = (query: string, variables: object = {}, token = shop): Promise<Answer> =>
    desk.ask('POST', '/graphql', {body: {query, variables}, token})
  const data = async (...given: Parameters<typeof ask>): Promise<Body> => {
    const {status, body} = await ask(...given)
    expect([status, body.errors], JSON.stringify(body)).to.deep.equal([200, undefined])
    return Object.values(body.data)[0]
  }
  const code = async (...given: Parameters<typeof ask>): Promise<string> => {
    const {status, body} = await ask(...given)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.errors[0].extensions.code
  }
  const bound = (customerId: string) => desk.token('manage_my_profile', {customerId})

  it('signs up and in, by drafts', async () => {
    const draft = {
      email: 'ada@example.com',
      password: 'secret-1',
      firstName: 'Ada',
      addresses: [{country: 'DE', city: 'Kiel'}],
    }
    const up = `mutation ($draft: CustomerSignUpDraft!) { customerSignUp(draft: $draft) { customer { ${fields} addresses { city } } cart { id } } }`
    const {customer, cart} = await data(up, {draft})
    expect(customer).to.include({email: 'ada@example.com', firstName: 'Ada', version: 1})
    expect([customer.addresses[0].city, cart]).to.deep.equal(['Kiel', null])
    expect(await code(up, {draft})).to.equal('DuplicateField')
    const into = `mutation ($draft: CustomerSignInDraft!) { customerSignIn(draft: $draft) { customer { id __typename } __typename } __typename }`
    expect((await data(into, {draft: {email: draft.email, password: draft.password}})).customer.id).to.equal(
      customer.id,
    )
    expect(await code(into, {draft: {email: draft.email, password: 'wrong'}})).to.equal('InvalidCredentials')
    expect(await code(up, {draft}, await desk.token('view_customers'))).to.equal('insufficient_scope')
  })

  it('signs an anonymous session up and in', async () => {
    const visitor = await desk.token('manage_my_profile', {anonymousId: 'visitor-1'})
    const draft = {email: 'me@example.com', password: 'secret-1'}
    const up = `mutation customerSignMeUp($draft: CustomerSignMeUpDraft!) { customerSignMeUp(draft: $draft) { customer { ${fields} } } }`
    const {customer} = await data(up, {draft}, visitor)
    const full = {
      email: 'full@example.com',
      password: 'secret-1',
      key: 'own-key',
      addresses: [{country: 'DE'}, {country: 'AT'}],
      shippingAddresses: [1],
      billingAddresses: [0, 1],
    }
    const told = '{ customer { key shippingAddresses { country } billingAddresses { country } } }'
    const registered = (await data(up.replace(/\{ customer \{.*/, `${told} }`), {draft: full}, visitor)).customer
    expect(registered).to.deep.equal({
      key: 'own-key',
      shippingAddresses: [{country: 'AT'}],
      billingAddresses: [{country: 'DE'}, {country: 'AT'}],
    })
    const into = `mutation ($draft: CustomerSignMeInDraft!) { customerSignMeIn(draft: $draft) { customer { id } } }`
    expect((await data(into, {draft}, visitor)).customer.id).to.equal(customer.id)
    const me = `query { me { customer { id } } }`
    expect((await data(me, {}, await bound(customer.id))).customer).to.deep.equal({id: customer.id})
    expect((await data(me, {}, visitor)).customer).to.equal(null)
    expect((await data(me, {}, shop)).customer).to.equal(null)
  })

  it('updates by actions, by id and key, with the versions and permissions of the paths', async () => {
    const customer = await signedUp(desk, {key: 'ada'})
    const update = `mutation ($version: Long!, $actions: [CustomerUpdateAction!]!, $id: String, $key: String) {
      updateCustomer(version: $version, actions: $actions, id: $id, key: $key) { ${fields} key dateOfBirth } }`
    const actions = [{setFirstName: {firstName: 'Ada'}}, {setDateOfBirth: {dateOfBirth: '1984-02-29'}}]
    const changed = await data(update, {id: customer.id, version: 1, actions})
    expect(changed).to.include({firstName: 'Ada', dateOfBirth: '1984-02-29', version: 3})
    const cleared = await data(update, {key: 'ada', version: 3, actions: [{setFirstName: {}}]})
    expect(cleared.firstName).to.equal(null)
    expect(await code(update, {key: 'ada', version: 3, actions})).to.equal('ConcurrentModification')
    expect(await code(update, {version: 4, actions})).to.equal('InvalidInput')
    expect(await code(update, {key: 'ada', version: 4, actions: [{...actions[0], ...actions[1]}]})).to.equal(
      'InvalidInput',
    )
    const own = `mutation updateMyCustomer($actions: [MyCustomerUpdateAction!]!, $version: Long!) {
      updateMyCustomer(version: $version, actions: $actions) { ${fields} } }`
    const token = await bound(customer.id)
    expect((await data(own, {version: 4, actions: [{setLastName: {lastName: 'Byron'}}]}, token)).lastName).to.equal(
      'Byron',
    )
    const stranger = await signedUp(desk, {key: 'eve'})
    expect(await code(update, {id: stranger.id, version: 1, actions}, token)).to.equal('insufficient_scope')
    const refused = await ask(own, {version: 5, actions: [{setKey: {key: 'mine'}}]}, token)
    expect(refused.status).to.equal(400)
  })

  it('takes the values of custom fields as the text of their JSON', async () => {
    const type = {
      key: 'note',
      name: {en: 'Note'},
      resourceTypeIds: ['customer'],
      fieldDefinitions: [
        {name: 'note', label: {en: 'Note'}, required: false, type: {name: 'String'}},
        {name: 'points', label: {en: 'Points'}, required: false, type: {name: 'Number'}},
      ],
    }
    expect((await desk.ask('POST', '/types', {body: type})).status).to.equal(201)
    const customer = await signedUp(desk)
    const update = `mutation ($id: String, $actions: [CustomerUpdateAction!]!) { updateCustomer(id: $id, version: 1, actions: $actions) { ${fields} } }`
    const fieldsOf = [{name: 'note', value: '"loud"'}]
    const actions = [
      {setCustomType: {type: {typeId: 'type', key: 'note'}, fields: fieldsOf}},
      {setCustomField: {name: 'points', value: '5'}},
    ]
    expect(await code(update, {id: customer.id, actions: [{setCustomField: {name: 'points', value: '{'}}]})).to.equal(
      'InvalidInput',
    )
    const {custom} = await data(update, {id: customer.id, actions})
    const some = `{ customer(id: "${customer.id}") { custom { customFieldsRaw(includeNames: ["note", "points"], excludeNames: ["note"]) { name } } } }`
    expect((await data(some)).custom.customFieldsRaw).to.deep.equal([{name: 'points'}])
    const types = `{ typeDefinition(key: "note") { name(locale: "en") nameAllLocales { locale value } fieldDefinitions(includeNames: ["points"]) {
      name required label(acceptLanguage: ["de", "en"]) type { name } } } }`
    expect(await data(types, {}, await desk.token('view_types'))).to.deep.equal({
      name: 'Note',
      nameAllLocales: [{locale: 'en', value: 'Note'}],
      fieldDefinitions: [{name: 'points', required: false, label: 'Points', type: {name: 'Number'}}],
    })
    expect(custom.customFieldsRaw).to.have.deep.members([
      {name: 'note', value: 'loud'},
      {name: 'points', value: 5},
    ])
  })

  it('changes and resets passwords, and confirms emails', async () => {
    const customer = await signedUp(desk, {email: 'pw@example.com', password: 'first-1'})
    const change = `mutation ($id: String!, $version: Long!, $old: String!, $new: String!) {
      customerChangePassword(id: $id, version: $version, currentPassword: $old, newPassword: $new) { version } }`
    expect((await data(change, {id: customer.id, version: 1, old: 'first-1', new: 'second-2'})).version).to.equal(2)
    expect(await code(change, {id: customer.id, version: 2, old: 'first-1', new: 'x-3'})).to.equal(
      'InvalidCurrentPassword',
    )
    const create = `mutation ($email: String!) { customerCreatePasswordResetToken(email: $email) { value customerId expiresAt version } }`
    const token = await data(create, {email: 'pw@example.com'})
    expect(token.customerId).to.equal(customer.id)
    const named = 'query ($token: String) { customer(passwordToken: $token) { id } }'
    expect((await data(named, {token: token.value})).id).to.equal(customer.id)
    expect(await code(named.replace('passwordToken', 'emailToken'), {token: token.value})).to.equal('ResourceNotFound')
    expect(await code(named.replace('(passwordToken', '(key: "x", passwordToken'), {token: token.value})).to.equal(
      'InvalidInput',
    )
    expect(await code(named, {token: token.value}, await desk.token('view_stores'))).to.equal('insufficient_scope')
    const reset = `mutation ($token: String!, $new: String!) { customerResetPassword(tokenValue: $token, newPassword: $new) { id } }`
    expect((await data(reset, {token: token.value, new: 'third-3'})).id).to.equal(customer.id)
    expect(await code(reset, {token: token.value, new: 'third-3'})).to.equal('ResourceNotFound')
    const own = `mutation ($version: Long!) { customerChangeMyPassword(version: $version, currentPassword: "third-3", newPassword: "fourth-4") { version } }`
    expect((await data(own, {version: 3}, await bound(customer.id))).version).to.equal(4)
    const email = `mutation ($id: String!) { customerCreateEmailVerificationToken(id: $id, ttlMinutes: 60) { value } }`
    const confirm = `mutation ($token: String!) { customerConfirmMyEmail(tokenValue: $token) { isEmailVerified } }`
    const {value} = await data(email, {id: customer.id})
    expect((await data(confirm, {token: value}, await bound(customer.id))).isEmailVerified).to.equal(true)
    const again = await data(create, {email: 'pw@example.com'})
    const mine = `mutation ($token: String!) { customerResetMyPassword(tokenValue: $token, newPassword: "fifth-5") { id } }`
    expect((await data(mine, {token: again.value}, await bound(customer.id))).id).to.equal(customer.id)
  })

  it('deletes', async () => {
    const [one, two] = [await signedUp(desk), await signedUp(desk)]
    const remove = `mutation ($id: String) { deleteCustomer(id: $id, version: 1, personalDataErasure: true) { id } }`
    expect((await data(remove, {id: one.id})).id).to.equal(one.id)
    expect(await code(remove, {id: one.id})).to.equal('ResourceNotFound')
    expect((await data(`mutation { deleteMyCustomer(version: 1) { id } }`, {}, await bound(two.id))).id).to.equal(
      two.id,
    )
    expect((await desk.ask('GET', `/customers/${two.id}`)).status).to.equal(404)
  })

  it('works in a store', async () => {
    const draft = {email: 'store@example.com', password: 'secret-1'}
    const up = `mutation ($draft: CustomerSignUpDraft!, $key: KeyReferenceInput) { customerSignUp(draft: $draft, storeKey: $key) { customer { storesRef { key } } } }`
    const {customer} = await data(up, {draft, key: 'berlin'})
    expect(customer.storesRef).to.deep.equal([{key: 'berlin'}])
    expect(await code(up, {draft, key: 'nowhere'})).to.equal('ResourceNotFound')
  })

  it('has an input for every action', async () => {
    const customer = await signedUp(desk)
    for (const name of customerActions.keys()) {
      const query = `mutation { updateCustomer(id: "${customer.id}", version: 9, actions: [{${name}: null}]) { id } }`
      const {status, body} = await ask(query)
      expect(status, `${name} ${JSON.stringify(body)}`).to.equal(200)
    }
  })

  it('leaves nothing of a password in what is kept of a request', () => {
    const query =
      'mutation { customerSignIn(draft: {email: "a@b.c", password : "quite \\"secret\\"", x: """y"""}) { customer { id } } }'
    const kept = redactedText(JSON.stringify({query, variables: {draft: {password: 'secret'}}}))
    expect(kept).to.not.include('secret')
    expect(kept).to.include('a@b.c')
  })
})
