import {expect} from 'chai'
import {customerActions} from '../../src/domain/customers/actions/index.js'
import {pack} from '../fixtures/pack.js'
import {acted, type Body, type Desk, errorOf, openDesk, signedUp} from './harness.js'

/** One effective use of every action: what it needs before, what it does, and the messages it leaves. */
interface Case {
  readonly draft?: object
  /** Actions that come before, without being looked at. */
  readonly given?: (customer: Body) => object[]
  readonly when: (customer: Body) => object
  readonly shows: (customer: Body, before: Body) => void
  readonly messages: readonly string[]
}

const address = {country: 'DE', city: 'Berlin', key: 'home'}
const withAddress = {addresses: [address]}

const plain = (field: string, value: string, message?: string): Case => ({
  when: () => ({[field]: value}),
  shows: (customer) => expect(customer[field]).to.equal(value),
  messages: message ? [message] : [],
})

const group = (at: number): string => pack.groups[at]?.id ?? ''

const cases: Record<string, Case> = {
  changeEmail: {
    draft: {isEmailVerified: true},
    when: () => ({email: 'Another@Example.com'}),
    shows: (customer) => {
      expect(customer.email).to.equal('Another@Example.com')
      expect(customer.isEmailVerified).to.equal(false)
    },
    messages: ['CustomerEmailChanged'],
  },
  setFirstName: plain('firstName', 'Ada', 'CustomerFirstNameSet'),
  setLastName: plain('lastName', 'Lovelace', 'CustomerLastNameSet'),
  setMiddleName: plain('middleName', 'King'),
  setTitle: plain('title', '', 'CustomerTitleSet'),
  setSalutation: plain('salutation', 'Dear'),
  setExternalId: plain('externalId', 'crm-1', 'CustomerExternalIdSet'),
  setCompanyName: plain('companyName', 'Engines Ltd', 'CustomerCompanyNameSet'),
  setDateOfBirth: plain('dateOfBirth', '1815-12-10', 'CustomerDateOfBirthSet'),
  setVatId: plain('vatId', 'DE123'),
  setLocale: plain('locale', 'de'),
  setKey: plain('key', '__proto__'),
  setCustomerNumber: plain('customerNumber', 'N-1'),
  addAddress: {
    when: () => ({address}),
    shows: (customer) => {
      expect(customer.addresses).to.have.length(1)
      expect(customer.addresses[0]).to.include(address)
      expect(customer.addresses[0].id).to.match(/^[A-Za-z0-9_-]{8}$/)
    },
    messages: ['CustomerAddressAdded'],
  },
  changeAddress: {
    draft: withAddress,
    when: () => ({addressKey: 'home', address: {country: 'AT'}}),
    shows: (customer, before) => {
      expect(customer.addresses).to.deep.equal([{id: before.addresses[0].id, country: 'AT'}])
    },
    messages: ['CustomerAddressChanged'],
  },
  removeAddress: {
    draft: {...withAddress, defaultShippingAddress: 0, defaultBillingAddress: 0},
    when: (customer) => ({addressId: customer.addresses[0].id}),
    shows: (customer) => {
      expect(customer).to.deep.include({addresses: [], shippingAddressIds: [], billingAddressIds: []})
      expect(customer).to.not.have.any.keys('defaultShippingAddressId', 'defaultBillingAddressId')
    },
    messages: ['CustomerAddressRemoved'],
  },
  ...Object.fromEntries(
    (['Shipping', 'Billing'] as const).flatMap((role): [string, Case][] => {
      const lower = role.toLowerCase()
      const ids = `${lower}AddressIds`
      const byDefault = `default${role}AddressId`
      const used = (customer: Body) => [customer.addresses[0].id]
      return [
        [
          `setDefault${role}Address`,
          {
            draft: withAddress,
            when: () => ({addressKey: 'home'}),
            shows: (customer) => {
              expect(customer[byDefault]).to.equal(customer.addresses[0].id)
              expect(customer[ids]).to.deep.equal(used(customer))
            },
            messages: [`CustomerDefault${role}AddressSet`],
          },
        ],
        [
          `add${role}AddressId`,
          {
            draft: withAddress,
            when: (customer) => ({addressId: customer.addresses[0].id}),
            shows: (customer) => {
              expect(customer[ids]).to.deep.equal(used(customer))
              expect(customer).to.not.have.property(byDefault)
            },
            messages: [`Customer${role}AddressAdded`],
          },
        ],
        [
          `remove${role}AddressId`,
          {
            draft: {...withAddress, [`default${role}Address`]: 0},
            when: (customer) => ({addressId: customer.addresses[0].id}),
            shows: (customer) => {
              expect(customer[ids]).to.deep.equal([])
              expect(customer).to.not.have.property(byDefault)
            },
            messages: [`Customer${role}AddressRemoved`],
          },
        ],
      ]
    }),
  ),
  setCustomerGroup: {
    when: () => ({customerGroup: {typeId: 'customer-group', id: group(0)}}),
    shows: (customer) => expect(customer.customerGroup).to.deep.equal({typeId: 'customer-group', id: group(0)}),
    messages: ['CustomerGroupSet'],
  },
  addCustomerGroupAssignment: {
    when: () => ({customerGroupAssignment: {customerGroup: {id: group(1)}}}),
    shows: (customer) =>
      expect(customer.customerGroupAssignments).to.deep.equal([
        {customerGroup: {typeId: 'customer-group', id: group(1)}},
      ]),
    messages: ['CustomerGroupAssignmentAdded'],
  },
  removeCustomerGroupAssignment: {
    draft: {customerGroupAssignments: [{customerGroup: {id: group(1)}}]},
    when: () => ({customerGroup: {id: group(1)}}),
    shows: (customer) => expect(customer.customerGroupAssignments).to.deep.equal([]),
    messages: ['CustomerGroupAssignmentRemoved'],
  },
  setCustomerGroupAssignments: {
    when: () => ({customerGroupAssignments: [0, 1, 0].map((at) => ({customerGroup: {id: group(at)}}))}),
    shows: (customer) => expect(customer.customerGroupAssignments).to.have.length(2),
    messages: ['CustomerGroupAssignmentsSet'],
  },
  setStores: {
    when: () => ({stores: [{key: 'berlin'}, {key: 'london'}, {key: 'berlin'}]}),
    shows: (customer) =>
      expect(customer.stores).to.deep.equal([
        {typeId: 'store', key: 'berlin'},
        {typeId: 'store', key: 'london'},
      ]),
    messages: ['CustomerStoresSet'],
  },
  addStore: {
    when: () => ({store: {typeId: 'store', key: 'berlin'}}),
    shows: (customer) => expect(customer.stores).to.deep.equal([{typeId: 'store', key: 'berlin'}]),
    messages: [],
  },
  removeStore: {
    draft: {stores: [{key: 'berlin'}]},
    when: () => ({store: {key: 'berlin'}}),
    shows: (customer) => expect(customer.stores).to.deep.equal([]),
    messages: [],
  },
  setAuthenticationMode: {
    when: () => ({authMode: 'ExternalAuth'}),
    shows: (customer) => {
      expect(customer.authenticationMode).to.equal('ExternalAuth')
      expect(customer).to.not.have.property('password')
    },
    messages: [],
  },
  changeName: {
    draft: {middleName: 'gone'},
    when: () => ({firstName: 'Grace', lastName: 'Hopper'}),
    shows: (customer) => {
      expect(customer).to.include({firstName: 'Grace', lastName: 'Hopper'})
      expect(customer).to.not.have.property('middleName')
    },
    messages: ['CustomerFirstNameSet', 'CustomerLastNameSet'],
  },
}

const customCases = ['setCustomType', 'setCustomField', 'setAddressCustomType', 'setAddressCustomField']

describe('api · update actions', () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk({seed: true})
  })

  const messagesOf = async (id: string): Promise<Body[]> => {
    const where = encodeURIComponent(`resource(id = "${id}")`)
    const {body} = await desk.ask('GET', `/messages?where=${where}&sort=sequenceNumber&limit=500`)
    return body.results
  }

  it('has a case for every action of the registry', () => {
    expect([...Object.keys(cases), ...customCases].sort()).to.deep.equal([...customerActions.keys()].sort())
  })

  for (const [action, one] of Object.entries(cases)) {
    it(`${action} changes the customer, raises the version by one and says so`, async () => {
      const before = await signedUp(desk, one.draft)
      const {status, body} = await acted(desk, before, {action, ...one.when(before)})
      expect(status, JSON.stringify(body)).to.equal(200)
      one.shows(body, before)
      expect(body.version).to.equal(before.version + 1)
      const said = await messagesOf(before.id)
      expect(said.map(({type}) => type)).to.deep.equal(['CustomerCreated', ...one.messages])
      expect(said.map(({sequenceNumber}) => sequenceNumber)).to.deep.equal(said.map((_, at) => at + 1))
      for (const message of said.slice(1)) expect(message.resourceVersion).to.equal(body.version)
    })

    it(`${action} once more changes nothing, or says why it cannot`, async () => {
      const fresh = await openDesk({seed: true})
      const before = await signedUp(fresh, one.draft)
      const change = {action, ...one.when(before)}
      const once = (await acted(fresh, before, change)).body
      const twice = await acted(fresh, once, change)
      if (action === 'addAddress') expect(errorOf(twice).code).to.equal('DuplicateField')
      else if (['changeAddress', 'removeAddress', 'removeCustomerGroupAssignment'].includes(action)) {
        expect(twice.status === 400 ? 'InvalidOperation' : twice.body.version).to.be.oneOf([
          'InvalidOperation',
          once.version,
        ])
      } else if (action === 'setAuthenticationMode') expect(errorOf(twice).code).to.equal('InvalidInput')
      else expect(twice.body).to.deep.equal(once)
    })
  }

  it('removes plain members when the value is left out or null', async () => {
    const before = await signedUp(desk, {firstName: 'Ada', lastName: 'L', key: 'gone-soon'})
    const actions = [{action: 'setFirstName'}, {action: 'setLastName', lastName: null}, {action: 'setKey'}]
    const {body} = await acted(desk, before, ...actions)
    expect(body).to.not.have.any.keys('firstName', 'lastName', 'key')
    expect(body.version).to.equal(before.version + 3)
  })

  it('lets later actions see earlier ones, and undoes all when one fails', async () => {
    const before = await signedUp(desk)
    const good = [
      {action: 'addAddress', address},
      {action: 'setDefaultShippingAddress', addressKey: 'home'},
    ]
    const bad = {action: 'removeAddress', addressKey: 'nowhere'}
    const refused = await acted(desk, before, ...good, bad)
    expect(errorOf(refused).code).to.equal('InvalidOperation')
    expect((await desk.ask('GET', `/customers/${before.id}`)).body).to.deep.equal(before)
    const done = await acted(desk, before, ...good)
    expect(done.body.defaultShippingAddressId).to.equal(done.body.addresses[0].id)
  })

  const refusals: [string, object, string][] = [
    ['changeEmail to something else', {action: 'changeEmail', email: 'a@b@c'}, 'InvalidField'],
    [
      'changeEmail to the email of another',
      {action: 'changeEmail', email: 'HAZEL.brandvold@example.com'},
      'DuplicateField',
    ],
    ['setKey outside the pattern', {action: 'setKey', key: 'a b'}, 'InvalidField'],
    ['setLocale of another project', {action: 'setLocale', locale: 'xx'}, 'InvalidField'],
    [
      'setDateOfBirth on a day that does not exist',
      {action: 'setDateOfBirth', dateOfBirth: '2023-02-30'},
      'InvalidField',
    ],
    ['setDateOfBirth as a number', {action: 'setDateOfBirth', dateOfBirth: 42}, 'InvalidJsonInput'],
    ['setFirstName as a number', {action: 'setFirstName', firstName: 1}, 'InvalidJsonInput'],
    ['addAddress without a country', {action: 'addAddress', address: {city: 'x'}}, 'InvalidJsonInput'],
    ['addAddress in an unknown country', {action: 'addAddress', address: {country: 'XX'}}, 'InvalidField'],
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

  it('lets no customer grow beyond 16 MB by one update after the other', async () => {
    const before = await signedUp(desk)
    const {state} = desk.platform
    const doc = {...before, version: 2, companyName: 'x'.repeat(16 * 1024 * 1024)}
    await state.commit(desk.projectKey, [{kind: 'customer', expect: 1, doc}])
    const answer = await acted(desk, {...before, version: 2}, {action: 'setTitle', title: 'Dr.'})
    expect(answer.status).to.equal(400)
    expect(errorOf(answer).code).to.equal('ResourceSizeLimitExceeded')
    const smaller = await acted(desk, {...before, version: 2}, {action: 'setCompanyName'})
    expect(smaller.body).to.include({version: 3}).and.not.have.property('companyName')
  })

  it('marks the deprecated changeName in the answer', async () => {
    const before = await signedUp(desk)
    const {headers} = await acted(desk, before, {action: 'changeName', firstName: 'A', lastName: 'B'})
    expect(headers['x-deprecation-notice'])
      .to.contain('changeName')
      .and.contain('setFirstName')
      .and.contain('2016-01-15')
  })
})
