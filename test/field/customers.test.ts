import {type Place, rows} from './rows.js'

/** An update of a new customer with these members. */
const update =
  (
    actions: readonly object[] | ((customer: {addresses: readonly {id: string}[]}) => readonly object[]),
    members?: object,
  ) =>
  async (place: Place) => {
    const customer = await place.customer(members)
    const list = typeof actions === 'function' ? actions(customer) : actions
    return {path: `/customers/${customer.id}`, body: {version: customer.version, actions: list}}
  }
const store = (key: string) => ({typeId: 'store', key})
const custom = (fields: object) => ({type: {typeId: 'type', key: 'profile'}, fields})
const field = (name: string, type: string) => ({
  ...{name, label: {en: name}, required: name === 'must', inputHint: 'SingleLine'},
  type: {name: type},
})
const bad = (code: string, members: object = {}) => ({
  status: 400,
  body: {statusCode: 400, errors: [{code, ...members}]},
})

rows(
  'customers',
  [
    {
      source: 'commercetools/commercetools-sync-java#601',
      says: 'a refused update names the action and its place',
      request: update([
        {action: 'setFirstName', firstName: 'A'},
        {action: 'removeAddress', addressId: 'none'},
      ]),
      answer: {
        status: 400,
        body: {errors: [{action: {action: 'removeAddress', addressId: 'none'}, actionIndex: 1}]},
      },
    },
    {
      source: 'commercetools/nodejs#1561',
      says: 'an action that has nothing to change a value of is named by the error',
      request: update([{action: 'setCustomField', name: 'num', value: 5}]),
      answer: bad('InvalidOperation', {action: {action: 'setCustomField', name: 'num', value: 5}, actionIndex: 0}),
    },
    {
      source: 'commercetools/commercetools-sync-java#601',
      says: 'a reference to nothing, in an action, names the action',
      request: update([
        {action: 'setLastName', lastName: 'B'},
        {action: 'setCustomerGroup', customerGroup: {typeId: 'customer-group', key: 'nobody'}},
      ]),
      answer: bad('ReferencedResourceNotFound', {typeId: 'customer-group', key: 'nobody', actionIndex: 1}),
    },
    {
      source: 'commercetools/commercetools-sync-java#601',
      says: 'a value that the action does not take names the action',
      request: update([
        {action: 'setLastName', lastName: 'B'},
        {action: 'setDateOfBirth', dateOfBirth: '2001-02-30'},
      ]),
      answer: bad('InvalidField', {action: {action: 'setDateOfBirth', dateOfBirth: '2001-02-30'}, actionIndex: 1}),
    },
    {
      source: 'labd/terraform-provider-commercetools#303',
      says: 'a custom field that gets another type is named by its bare name',
      request: {
        path: '/customers',
        body: {email: 'w12@example.com', password: 'p', custom: custom({num: '5', must: 'x'})},
      },
      answer: bad('InvalidField', {field: 'num', invalidValue: '5'}),
    },
    {
      source: 'labd/terraform-provider-commercetools#303',
      says: 'a custom field of an address as well',
      request: update(
        ({addresses: [home]}) => [{action: 'setAddressCustomField', addressId: home?.id, name: 'num', value: '5'}],
        {addresses: [{country: 'DE', custom: custom({must: 'x'})}]},
      ),
      answer: bad('InvalidField', {field: 'num', invalidValue: '5'}),
    },
    {
      source: 'labd/terraform-provider-commercetools#303',
      says: 'a required custom field that is missing is named by its bare name',
      request: {path: '/customers', body: {email: 'w12b@example.com', password: 'p', custom: custom({num: 5})}},
      answer: bad('RequiredField', {field: 'must'}),
    },
    {
      source: 'commercetools/merchant-center-application-kit#168',
      says: 'a sign-up with an empty password is an invalid operation',
      request: {path: '/customers', body: {email: 'w13@example.com', password: ''}},
      answer: bad('InvalidOperation', {message: "'password' should not be empty."}),
    },
    {
      source: 'commercetools/commercetools-php-sdk#112',
      says: 'a company’s name that was set is read again',
      request: async (place) => {
        const asked = await update([{action: 'setCompanyName', companyName: 'New Company'}])(place)
        await place.send(asked)
        return {path: asked.path}
      },
      answer: {status: 200, body: {companyName: 'New Company'}},
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#1993',
      says: 'stores of a customer are set, added and removed by actions',
      request: update([
        {action: 'setStores', stores: [store('berlin')]},
        {action: 'addStore', store: store('paris')},
        {action: 'removeStore', store: store('berlin')},
      ]),
      answer: {status: 200, body: {stores: [store('paris')]}},
    },
    {
      source: 'commercetools/commercetools-sdk-java-v2#280',
      says: 'an update of an older version is a conflict that tells the current one',
      request: async (place) => {
        const asked = await update([{action: 'setFirstName', firstName: 'Again'}])(place)
        await place.send(asked)
        return asked
      },
      answer: {
        status: 409,
        body: {errors: [{code: 'ConcurrentModification', currentVersion: 2, message: /Expected: 1 - Actual: 2\.$/}]},
      },
    },
    {
      source: 'commercetools/commercetools-sync-java#21',
      says: 'an update has at most 500 actions',
      request: update(Array.from({length: 501}, () => ({action: 'setTitle', title: 'Dr'}))),
      answer: {status: 400},
    },
    {
      source: 'commercetools/commercetools-php-sdk#129',
      says: 'an update of 500 actions is taken',
      request: update(Array.from({length: 500}, () => ({action: 'setTitle', title: 'Dr'}))),
      answer: {status: 200, body: {title: 'Dr'}},
    },
    {
      source: 'commercetools/commercetools-sync-java#13',
      says: 'actions apply in the order in which they are sent',
      request: update([
        {action: 'setFirstName', firstName: 'First'},
        {action: 'setFirstName', firstName: 'Last'},
      ]),
      answer: {status: 200, body: {version: 3, firstName: 'Last'}},
    },
    {
      source: 'labd/commercetools-node-mock#434',
      says: 'an email may be used once for each store',
      request: async (place) => {
        await place.customer({email: 'shared@example.com', stores: [store('berlin')]})
        return {path: '/customers', body: {email: 'shared@example.com', password: 'p', stores: [store('paris')]}}
      },
      answer: {status: 201, body: {customer: {stores: [store('paris')]}}},
    },
    {
      source: 'labd/commercetools-node-mock#434',
      says: 'and not again in that store',
      request: {path: '/customers', body: {email: 'shared@example.com', password: 'p', stores: [store('berlin')]}},
      answer: bad('DuplicateField', {field: 'email', duplicateValue: 'shared@example.com'}),
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#1418',
      says: 'a change of the password with a wrong one has a code of its own',
      request: async (place) => {
        const {id, version} = await place.customer()
        return {path: '/customers/password', body: {id, version, currentPassword: 'wrong', newPassword: 'new one'}}
      },
      answer: bad('InvalidCurrentPassword'),
    },
    {
      source: 'commercetools/commercetools-dotnet-core-sdk-v2#275',
      says: 'a sign-in in a store with a wrong password is a 400',
      request: async (place) => {
        const {email} = await place.customer({stores: [store('berlin')]})
        return {path: '/in-store/key=berlin/login', body: {email, password: 'wrong'}}
      },
      answer: bad('InvalidCredentials', {message: 'Customer account with the given credentials not found.'}),
    },
    {
      source: 'commercetools/commercetools-ios-sdk#177',
      says: 'a customer signs up, and in, in a store',
      request: async (place) => {
        const body = {email: 'in-store@example.com', password: 'right horse'}
        await place.send({path: '/in-store/key=berlin/customers', body})
        return {path: '/in-store/key=berlin/login', body}
      },
      answer: {status: 200, body: {customer: {email: 'in-store@example.com', stores: [store('berlin')]}}},
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#1752',
      says: 'a customer’s group is named by its key',
      request: (place) =>
        update([{action: 'setCustomerGroup', customerGroup: {typeId: 'customer-group', key: 'vip'}}])(place),
      answer: {status: 200, body: {customerGroup: {typeId: 'customer-group', id: /^[0-9a-f-]{36}$/}}},
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#1473',
      says: 'a cart of nobody has a group',
      request: {path: '/carts', body: {currency: 'EUR', customerGroup: {typeId: 'customer-group', key: 'vip'}}},
      answer: {status: 201, body: {customerGroup: {typeId: 'customer-group'}}},
    },
    {
      source: 'commercetools/nodejs#269',
      says: 'the cart of a customer is found by the id of the customer',
      request: async (place) => {
        const {id} = await place.customer()
        await place.send({path: '/carts', body: {currency: 'EUR', customerId: id}})
        return {path: `/carts/customer-id=${id}`}
      },
      answer: {status: 200, body: {cartState: 'Active', customerEmail: /@example\.com$/}},
    },
    {
      source: 'commercetools/test-data#307',
      says: 'a cart takes no group beside a customer',
      request: async (place) => {
        const {id: customerId} = await place.customer()
        const customerGroup = {typeId: 'customer-group', key: 'vip'}
        return {path: '/carts', body: {currency: 'EUR', customerId, customerGroup}}
      },
      answer: bad('InvalidOperation', {message: /customerGroup/}),
    },
  ],
  async ({send}) => {
    for (const key of ['berlin', 'paris']) await send({path: '/stores', body: {key, name: {en: key}}})
    await send({path: '/customer-groups', body: {key: 'vip', groupName: 'VIP'}})
    const fieldDefinitions = [field('num', 'Number'), field('must', 'String')]
    const type = {key: 'profile', name: {en: 'Profile'}, resourceTypeIds: ['customer', 'address'], fieldDefinitions}
    await send({path: '/types', body: type})
  },
)
