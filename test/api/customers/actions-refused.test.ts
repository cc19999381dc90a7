import {expect} from 'chai'
import {limits} from '../../../src/work/limits.js'
import {acted, type Desk, draft, errorOf, openDesk, signedUp} from '../harness.js'
import {address, group} from './action-cases.js'

describe('api · update actions', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const refusals: [string, object, string][] = [
    ['changeEmail to something else', {action: 'changeEmail', email: ' a@b'}, 'InvalidField'],
    [
      'changeEmail to the email of another',
      {action: 'changeEmail', email: 'HAZEL.brandvold@example.com'},
      'DuplicateField',
    ],
    ['setKey outside the pattern', {action: 'setKey', key: 'a b'}, 'InvalidField'],
    ['setLocale of another project', {action: 'setLocale', locale: 'xx'}, 'InvalidInput'],
    [
      'setDateOfBirth on a day that does not exist',
      {action: 'setDateOfBirth', dateOfBirth: '2023-02-30'},
      'InvalidField',
    ],
    ['setDateOfBirth as a number', {action: 'setDateOfBirth', dateOfBirth: 42}, 'InvalidJsonInput'],
    ['setFirstName as a number', {action: 'setFirstName', firstName: 1}, 'InvalidJsonInput'],
    ['addAddress without a country', {action: 'addAddress', address: {city: 'x'}}, 'InvalidJsonInput'],
    ['addAddress in a country that is no code', {action: 'addAddress', address: {country: 'Xx'}}, 'InvalidField'],
    ['changeAddress naming none', {action: 'changeAddress', address}, 'InvalidJsonInput'],
    ['removeAddress naming two ways', {action: 'removeAddress', addressId: 'a', addressKey: 'b'}, 'InvalidJsonInput'],
    ['removeAddress of nobody', {action: 'removeAddress', addressId: 'nobody'}, 'InvalidOperation'],
    [
      'setCustomerGroup to an unknown one',
      {action: 'setCustomerGroup', customerGroup: {key: 'nope'}},
      'ReferencedResourceNotFound',
    ],
    [
      'setCustomerGroup by id and key',
      {action: 'setCustomerGroup', customerGroup: {id: 'a', key: 'b'}},
      'InvalidJsonInput',
    ],
    ['addStore with another type id', {action: 'addStore', store: {typeId: 'cart', key: 'berlin'}}, 'InvalidJsonInput'],
    [
      'setAuthenticationMode in lower case',
      {action: 'setAuthenticationMode', authMode: 'password'},
      'InvalidJsonInput',
    ],
    ['an unknown action', {action: '__proto__'}, 'InvalidJsonInput'],
    ['an action that is no text', {action: 4}, 'InvalidJsonInput'],
  ]
  for (const [what, action, code] of refusals) {
    it(`refuses ${what} with ${code} and changes nothing`, async () => {
      const before = await signedUp(desk)
      const answer = await acted(desk, before, action)
      expect(answer.status).to.equal(400)
      expect(errorOf(answer).code).to.equal(code)
      expect((await desk.ask('GET', `/customers/${before.id}`)).body).to.deep.equal(before)
    })
  }

  it('gives a customer number once', async () => {
    const before = await signedUp(desk, {customerNumber: 'once-1'})
    const answer = await acted(desk, before, {action: 'setCustomerNumber', customerNumber: 'once-2'})
    expect(errorOf(answer).code).to.equal('InvalidOperation')
  })

  it('needs a password to return to signing in with one, and then signs in with it', async () => {
    const {
      email,
      password: _,
      ...rest
    } = {email: 'external@example.com', password: '', authenticationMode: 'ExternalAuth'}
    const before = await signedUp(desk, {email, password: undefined, ...rest})
    const without = await acted(desk, before, {action: 'setAuthenticationMode', authMode: 'Password'})
    expect(errorOf(without).code).to.equal('InvalidJsonInput')
    const done = await acted(desk, before, {action: 'setAuthenticationMode', authMode: 'Password', password: 'fresh'})
    expect(done.body.password).to.match(/^\*{4}.{4}$/)
    expect((await desk.ask('POST', '/login', {body: {email, password: 'fresh'}})).status).to.equal(200)
  })

  it('limits groups, checks versions and the number of actions', async () => {
    const small = await openDesk({seed: true, settings: {maxGroupsPerCustomer: 1}})
    const before = await signedUp(small)
    const two = [0, 1].map((at) => ({customerGroup: {id: group(at)}}))
    const many = await acted(small, before, {action: 'setCustomerGroupAssignments', customerGroupAssignments: two})
    expect(errorOf(many).code).to.equal('MaxResourceLimitExceeded')
    const stale = await acted(small, {...before, version: 7})
    expect(stale.status).to.equal(409)
    expect(errorOf(stale)).to.deep.include({code: 'ConcurrentModification', currentVersion: 1})
    const none = await acted(small, before)
    expect(none.body).to.deep.equal(before)
    const tooMany = await acted(small, before, ...Array.from({length: 501}, () => ({action: 'setTitle'})))
    expect(errorOf(tooMany).code).to.equal('InvalidJsonInput')
  })

  it('lets no customer grow beyond a megabyte by one update after the other', async () => {
    const before = await signedUp(desk)
    const {state} = desk.runtime
    const doc = {...before, version: 2, companyName: 'x'.repeat(limits.customerBytes)}
    await state.commit(desk.projectKey, [{kind: 'customer', expect: 1, doc}])
    const answer = await acted(desk, {...before, version: 2}, {action: 'setTitle', title: 'Dr.'})
    expect(answer.status).to.equal(400)
    expect(errorOf(answer)).to.deep.equal({
      code: 'ResourceSizeLimitExceeded',
      message: 'The resource size exceeds the maximal allowed size of 1 MB.',
    })
    const smaller = await acted(desk, {...before, version: 2}, {action: 'setCompanyName'})
    expect(smaller.body).to.include({version: 3}).and.not.have.property('companyName')
  })

  it('takes no text of an address beyond its limit, and repeats only the beginning of it', async () => {
    const address = {country: 'DE', city: 'x'.repeat(limits.addressCharacters)}
    expect((await desk.ask('POST', '/customers', {body: draft({addresses: [address]})})).status).to.equal(201)
    const long = {...address, city: 'x'.repeat(60_000)}
    const answer = await desk.ask('POST', '/customers', {body: draft({addresses: [long]})})
    expect(errorOf(answer)).to.include({code: 'InvalidField', field: 'addresses[0].city'})
    expect(JSON.stringify(answer.body).length).to.be.below(3_000)
  })
})
