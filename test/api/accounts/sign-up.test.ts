import {expect} from 'chai'
import {AddressDraft} from '../../../src/domain/address.js'
import {CustomerDraft} from '../../../src/domain/customers/draft.js'
import {type Answer, type Body, type Desk, draft, errorOf, openDesk, signedUp} from '../harness.js'

describe('api · sign-up', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const create = (members: object, path = '/customers'): Promise<Answer> =>
    desk.ask('POST', path, {body: draft(members)})

  it('answers 201 with everything a customer always has, and no password', async () => {
    const {status, body} = await create({firstName: 'Ada', isAdmin: true, id: 'mine', version: 9})
    expect(status).to.equal(201)
    expect(body).to.have.all.keys('customer')
    expect(body.customer).to.deep.include({
      version: 1,
      firstName: 'Ada',
      addresses: [],
      shippingAddressIds: [],
      billingAddressIds: [],
      isEmailVerified: false,
      customerGroupAssignments: [],
      stores: [],
      authenticationMode: 'Password',
    })
    expect(body.customer.id)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal('mine')
    expect(body.customer).to.not.have.property('isAdmin')
    expect(JSON.stringify(body)).to.not.contain('correct horse')
  })

  it('takes an email composed and decomposed for one account, for sign-up, sign-in and reset', async () => {
    const [composed, decomposed] = ['jos\u00e9@example.com', 'JOSE\u0301@example.com']
    const {body} = await create({email: decomposed, password: 'correct horse'})
    expect(errorOf(await create({email: composed})).code).to.equal('DuplicateField')
    const login = await desk.ask('POST', '/login', {body: {email: composed, password: 'correct horse'}})
    expect(login.body.customer.id).to.equal(body.customer.id)
    const token = await desk.ask('POST', '/customers/password-token', {body: {email: composed}})
    expect(token.body.customerId).to.equal(body.customer.id)
  })

  it('turns indices of addresses into ids, the default among the used ones', async () => {
    const addresses = ['DE', 'AT', 'US', 'GB'].map((country) => ({country, id: 'ignored'}))
    const {body} = await create({
      addresses,
      defaultBillingAddress: 0,
      billingAddresses: [3],
      shippingAddresses: [2, 1, 2],
    })
    const ids = body.customer.addresses.map(({id}: Body) => id)
    expect(ids).to.not.include('ignored')
    expect(body.customer.billingAddressIds).to.deep.equal([ids[0], ids[3]])
    expect(body.customer.defaultBillingAddressId).to.equal(ids[0])
    expect(body.customer.shippingAddressIds).to.deep.equal([ids[1], ids[2]])
  })

  const refusals: [string, object, string][] = [
    ['no email', {email: undefined}, 'InvalidJsonInput'],
    ['an email of null', {email: null}, 'InvalidJsonInput'],
    ['an email of 42', {email: 42}, 'InvalidJsonInput'],
    ...['', ' ', ' a@b', 'a@b ', 'a@b\r\n', 'a\0@b', 'a\ud800@b', 'a\u200b@b', 'x'.repeat(321)].map(
      (email): [string, object, string] => [`the email ${JSON.stringify(email).slice(0, 20)}`, {email}, 'InvalidField'],
    ),
    ['no password', {password: undefined}, 'InvalidJsonInput'],
    ['an empty password', {password: ''}, 'InvalidOperation'],
    ['a password of 1,025 bytes', {password: 'x'.repeat(1025)}, 'InvalidField'],
    ['a password with half a character', {password: '\ud800'}, 'InvalidField'],
    ['a password that is a list', {password: []}, 'InvalidJsonInput'],
    ...['a', 'x'.repeat(257), 'a b', 'a/b', 'ä', 'ab\n'].map((key): [string, object, string] => [
      `the key ${JSON.stringify(key).slice(0, 20)}`,
      {key},
      'InvalidField',
    ]),
    ['an unknown mode', {authenticationMode: 'OAuth'}, 'InvalidJsonInput'],
    ['an index beyond the addresses', {addresses: [{country: 'DE'}], defaultShippingAddress: 5}, 'InvalidOperation'],
    ['a negative index', {addresses: [{country: 'DE'}], billingAddresses: [-1]}, 'InvalidOperation'],
    ['half an index', {addresses: [{country: 'DE'}], defaultShippingAddress: 1.5}, 'InvalidJsonInput'],
    ['an index as text', {addresses: [{country: 'DE'}], defaultShippingAddress: '0'}, 'InvalidJsonInput'],
    ['a date of another form', {dateOfBirth: '1.1.2000'}, 'InvalidField'],
    ['a locale of another shape', {locale: 'xx-!!'}, 'InvalidInput'],
    ['a locale that is no language of the project', {locale: 'it'}, 'InvalidInput'],
    ...['de', 'D', 'DEU', 'D1', ''].map((country): [string, object, string] => [
      `the country ${JSON.stringify(country)}`,
      {addresses: [{country}]},
      'InvalidField',
    ]),
    ['an unknown store', {stores: [{key: 'nowhere'}]}, 'ReferencedResourceNotFound'],
    ['an unknown group', {customerGroup: {id: 'nobody'}}, 'ReferencedResourceNotFound'],
    [
      'two addresses of one key',
      {
        addresses: [
          {country: 'DE', key: 'aa'},
          {country: 'DE', key: 'aa'},
        ],
      },
      'DuplicateField',
    ],
    ['a taken email in other case', {email: 'Hazel.Brandvold@Example.COM'}, 'DuplicateField'],
    ['a taken key', {key: 'hazel-brandvold'}, 'DuplicateField'],
  ]
  for (const [what, members, code] of refusals) {
    it(`refuses ${what} with ${code}`, async () => {
      const answer = await create(members)
      expect(answer.status).to.equal(400)
      expect(errorOf(answer).code).to.equal(code)
    })
  }

  it('takes emails without an @ and countries that ISO 3166 does not have, as the platform does', async () => {
    for (const email of ['guest', 'a@b@c', 'a b@c', '"a@b"@example.com']) {
      const {status, body} = await create({email, addresses: ['UK', 'ZZ'].map((country) => ({country}))})
      expect(status, email).to.equal(201)
      expect(body.customer.email).to.equal(email)
      expect(body.customer.addresses.map(({country}: Body) => country)).to.deep.equal(['UK', 'ZZ'])
      expect(errorOf(await create({email: email.toUpperCase()})).code).to.equal('DuplicateField')
    }
  })

  it('takes null for every optional member', async () => {
    const optional = Object.keys(CustomerDraft.entries).filter((member) => !['email', 'password'].includes(member))
    expect(optional).to.include.members(['authenticationMode', 'defaultShippingAddress', 'stores', 'custom'])
    const {status} = await create(Object.fromEntries(optional.map((member) => [member, null])))
    expect(status).to.equal(201)
    const address = Object.fromEntries(Object.keys(AddressDraft.entries).map((member) => [member, null]))
    const references = {stores: [{typeId: null, id: null, key: 'berlin'}], addresses: [{...address, country: 'DE'}]}
    expect((await create(references)).status).to.equal(201)
  })

  it('names the member that holds an index outside the addresses', async () => {
    for (const member of ['defaultShippingAddress', 'defaultBillingAddress']) {
      const answer = await create({addresses: [{country: 'DE'}], [member]: 3})
      expect(errorOf(answer).message).to.include(`'${member}'`)
    }
    expect(errorOf(await create({shippingAddresses: [0]})).message).to.include("'shippingAddresses'")
  })

  it('stores a locale in the spelling of the project', async () => {
    const {body} = await create({locale: 'DE'})
    expect(body.customer.locale).to.equal('de')
  })

  it('misses the body of a request without one, before its type', async () => {
    const answer = await desk.ask('POST', '/customers')
    expect(answer.status).to.equal(400)
    expect(errorOf(answer).code).to.equal('InvalidJsonInput')
  })

  it('stores nothing when expand is ill-formed', async () => {
    const members = draft({key: 'never-stored'})
    const answer = await desk.ask('POST', '/customers?expand=a..b', {body: members})
    expect(answer.status).to.equal(400)
    expect(errorOf(answer).code).to.equal('InvalidInput')
    expect((await desk.ask('GET', '/customers/key=never-stored')).status).to.equal(404)
  })

  it('lists every broken rule at once', async () => {
    const {body} = await create({email: ' nope', key: '!', addresses: [{country: 'zz'}]})
    expect(body.errors.map(({field}: Body) => field)).to.have.members(['email', 'key', 'addresses[0].country'])
  })

  it('keeps emails as sent and keys like constructor and toString', async () => {
    for (const key of ['toString', 'hasOwnProperty', '__proto__']) {
      expect((await desk.ask('GET', `/customers/key=${key}`)).status).to.equal(404)
      const {body} = await create({key, email: `Mixed.${key}@Example.com`})
      expect(body.customer.email).to.equal(`Mixed.${key}@Example.com`)
      expect((await desk.ask('HEAD', `/customers/key=${key}`)).status).to.equal(200)
    }
  })

  it('counts every byte of a long password', async () => {
    const password = 'p'.repeat(80)
    const {email} = await signedUp(desk, {password})
    const signIn = async (tried: string): Promise<number> =>
      (await desk.ask('POST', '/login', {body: {email, password: tried}})).status
    expect(await signIn(`${password.slice(0, 72)}x${password.slice(73)}`)).to.equal(400)
    expect(await signIn(password.slice(0, 72))).to.equal(400)
    expect(await signIn(password)).to.equal(200)
  })

  it('signs in with the composed and the decomposed form of a letter', async () => {
    const {email} = await signedUp(desk, {password: 'caf\u00e9'})
    const {status} = await desk.ask('POST', '/login', {body: {email, password: 'cafe\u0301'}})
    expect(status).to.equal(200)
  })

  it('takes a ready hash from an administrator only', async () => {
    const {runtime} = desk
    const passwordHash = await runtime.passwords.hash('demo', 'secret', 'password')
    const email = 'hashed@example.com'
    const body = draft({email, password: undefined, passwordHash})
    const token = await desk.token('manage_customers')
    expect(errorOf(await desk.ask('POST', '/customers', {body, token})).code).to.equal('InvalidField')
    expect((await desk.ask('POST', '/customers', {body})).status).to.equal(201)
    expect((await desk.ask('POST', '/login', {body: {email, password: 'secret'}})).status).to.equal(200)
    expect((await create({passwordHash: '$2b$31$nonsense', password: undefined})).status).to.equal(400)
  })

  it('lets one of twenty simultaneous sign-ups with one email win, and no other wait', async () => {
    const email = 'race@example.com'
    const answers = await Promise.all(Array.from({length: 20}, () => create({email})))
    expect(answers.filter(({status}) => status === 201)).to.have.length(1)
    for (const answer of answers.filter(({status}) => status !== 201)) {
      expect(errorOf(answer).code).to.be.oneOf(['DuplicateField', 'LockedField'])
    }
    expect(answers.some((answer) => answer.status === 400 && errorOf(answer).code === 'LockedField')).to.equal(true)
  })

  it('releases the email when hashing does not come to an end', async () => {
    const failing = {...desk.runtime.passwords, hash: async () => Promise.reject(new Error('worker gone'))}
    const email = 'released@example.com'
    const broken = {...desk.runtime, passwords: failing}
    const {run} = await import('../../../src/api/pipeline/pipeline.js')
    const {createCustomer} = await import('../../../src/api/accounts/sign-up.js')
    const token = await desk.token('manage_customers')
    const headers: Record<string, string> = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
    const reply = await run(broken, {
      operation: createCustomer,
      params: {projectKey: 'demo'},
      query: new Map(),
      header: (name) => headers[name],
      body: async () => Buffer.from(JSON.stringify(draft({email}))),
    })
    expect(reply.status).to.equal(500)
    expect(JSON.stringify(reply.body)).to.not.contain('worker gone')
    expect((await create({email})).status).to.equal(201)
  })

  it('works below a store, and keeps customers of stores apart', async () => {
    const email = 'both@example.com'
    const berlin = await create({email}, '/in-store/key=berlin/customers')
    expect(berlin.body.customer.stores).to.deep.equal([{typeId: 'store', key: 'berlin'}])
    expect((await create({email}, '/in-store/key=london/customers')).status).to.equal(201)
    expect(errorOf(await create({email}, '/in-store/key=berlin/customers')).code).to.equal('DuplicateField')
    expect(errorOf(await create({email})).code).to.equal('DuplicateField')
    const globally = await signedUp(desk)
    expect(errorOf(await create({email: globally.email}, '/in-store/key=berlin/customers')).code).to.equal(
      'DuplicateField',
    )
    const elsewhere = await create({stores: [{key: 'london'}]}, '/in-store/key=berlin/customers')
    expect(errorOf(elsewhere).code).to.equal('InvalidOperation')
    expect((await desk.ask('GET', `/in-store/key=london/customers/${berlin.body.customer.id}`)).status).to.equal(404)
    expect((await desk.ask('GET', `/in-store/key=berlin/customers/${globally.id}`)).status).to.equal(200)
  })
})
