import {type Answer, type Asked, type Place, rows} from './rows.js'

const password = 'right horse'
const signedIn = {status: 200, body: {customer: {id: /^[0-9a-f-]{36}$/}}}
const bad = (code: string, members: object = {}) => ({
  status: 400,
  body: {statusCode: 400, errors: [{code, ...members}]},
})

/** Sends all requests but the last, which is the row's; each may use the answers before it. */
const after =
  (...steps: readonly ((place: Place, ...answers: Answer[]) => Asked | Promise<Asked>)[]) =>
  async (place: Place): Promise<Asked> => {
    const answers: Answer[] = []
    for (const step of steps.slice(0, -1)) answers.push(await place.send(await step(place, ...answers)))
    const last = steps.at(-1)
    if (last === undefined) throw new Error('A row has a request.')
    return last(place, ...answers)
  }

/** An update of a new customer with these members. */
const update = (actions: readonly object[], members?: object) => async (place: Place) => {
  const {id, version} = await place.customer(members)
  return {path: `/customers/${id}`, body: {version, actions}}
}

const home = {key: 'home', country: 'DE', city: 'Berlin'}
const withHome = {addresses: [home]}

rows('accounts and their addresses', [
  {
    source: 'commercetools/nodejs#1352',
    says: 'the id that an added address brings along is ignored',
    request: update([{action: 'addAddress', address: {id: '00000001', country: 'DE', firstName: 'Barry'}}]),
    answer: {status: 200, body: {addresses: [{id: /^(?!00000001)[\w-]{8}$/, firstName: 'Barry'}]}},
  },
  {
    source: 'commercetools/commercetools-php-sdk#556',
    says: 'an address is changed by its key',
    request: update([{action: 'changeAddress', addressKey: 'home', address: {...home, city: 'Bonn'}}], withHome),
    answer: {status: 200, body: {addresses: [{key: 'home', city: 'Bonn'}]}},
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#2089',
    says: 'an address becomes one to ship to by its key, and ceases to be one to bill by its key',
    request: update(
      [
        {action: 'addShippingAddressId', addressKey: 'home'},
        {action: 'removeBillingAddressId', addressKey: 'home'},
      ],
      {...withHome, billingAddresses: [0]},
    ),
    answer: {status: 200, body: {version: 3, shippingAddressIds: [/\w/], billingAddressIds: []}},
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#1254',
    says: 'an address keeps the id that another system gave it',
    request: update([{action: 'addAddress', address: {country: 'DE', externalId: 'erp-7'}}]),
    answer: {status: 200, body: {addresses: [{externalId: 'erp-7'}]}},
  },
  {
    source: 'commercetools/commercetools-php-sdk#324',
    says: 'a customer has a salutation',
    request: update([{action: 'setSalutation', salutation: 'Dr.'}]),
    answer: {status: 200, body: {salutation: 'Dr.'}},
  },
  {
    source: 'labd/commercetools-node-mock#190',
    says: 'a customer’s id of another system is set by an action',
    request: update([{action: 'setExternalId', externalId: 'crm-1'}]),
    answer: {status: 200, body: {externalId: 'crm-1'}},
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#1037',
    says: 'a second sign-up with an email tells the field and the value',
    request: async ({customer}) => ({path: '/customers', body: {email: (await customer()).email, password}}),
    answer: bad('DuplicateField', {field: 'email', duplicateValue: /@example\.com$/}),
  },
  {
    source: 'commercetools/commercetools-php-sdk#714',
    says: 'a customer of an external sign-in has no password',
    request: {path: '/customers', body: {email: 'social@example.com', authenticationMode: 'ExternalAuth'}},
    answer: {status: 201, body: {customer: {authenticationMode: 'ExternalAuth', password: undefined}}},
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#1895',
    says: 'a customer of an external sign-in does not sign in with a password',
    request: after(
      () => ({path: '/customers', body: {email: 'social-2@example.com', authenticationMode: 'ExternalAuth'}}),
      () => ({path: '/login', body: {email: 'social-2@example.com', password}}),
    ),
    answer: bad('InvalidCredentials'),
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#199',
    says: 'a customer is deleted with the version that was read',
    request: async ({customer}) => {
      const {id, version} = await customer()
      return {method: 'DELETE', path: `/customers/${id}?version=${version}`}
    },
    answer: {status: 200, body: {version: 1}},
  },
  {
    source: 'commercetools/commercetools-php-sdk#411',
    says: 'a deletion may erase what belongs to the person',
    request: after(
      async ({customer}) => {
        const {id, version} = await customer()
        return {method: 'DELETE', path: `/customers/${id}?version=${version}&dataErasure=true`}
      },
      (_, deleted) => ({path: `/customers/${deleted?.body.id}`}),
    ),
    answer: {status: 404, body: {errors: [{code: 'ResourceNotFound'}]}},
  },
  {
    source: 'labd/commercetools-node-mock#13',
    says: 'an update of a version that is not the current one is a 409',
    request: async ({customer}) => ({path: `/customers/${(await customer()).id}`, body: {version: 7, actions: []}}),
    answer: {status: 409, body: {errors: [{code: 'ConcurrentModification', currentVersion: 1}]}},
  },
])

const token = async ({customer}: Place): Promise<Asked> => ({
  path: '/customers/password-token',
  body: {email: (await customer()).email, ttlMinutes: 60},
})

rows('passwords and emails', [
  {
    source: 'commercetools/commercetools-api-reference#67',
    says: 'a token for a new password lives as many minutes as are asked for',
    request: token,
    answer: {status: 200, body: {value: /^\S+$/, expiresAt: /Z$/}},
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#1081',
    says: 'a password is reset with the token alone, and signs in',
    request: after(
      token,
      (_, {body}: Answer) => ({
        path: '/customers/password/reset',
        body: {tokenValue: body.value, newPassword: 'a new one'},
      }),
      (_place, _token, {body}: Answer) => ({path: '/login', body: {email: body.email, password: 'a new one'}}),
    ),
    answer: signedIn,
  },
  {
    source: 'commercetools/commercetools-sunrise-java#655',
    says: 'whether a token for a new password is valid can be asked before the form is shown',
    request: after(token, (_, {body}: Answer) => ({path: `/customers/password-token=${body.value}`})),
    answer: {status: 200, body: {email: /@example\.com$/}},
  },
  {
    source: 'commercetools/commercetools-sunrise-java#655',
    says: 'one that is not says so',
    request: {path: '/customers/password-token=nothing-of-ours'},
    answer: {status: 404, body: {errors: [{code: 'ResourceNotFound'}]}},
  },
  {
    source: 'commercetools/commercetools-php-sdk#11',
    says: 'an email is verified in two steps',
    request: after(
      async ({customer}) => ({path: '/customers/email-token', body: {id: (await customer()).id, ttlMinutes: 60}}),
      (_, {body}: Answer) => ({path: '/customers/email/confirm', body: {tokenValue: body.value}}),
    ),
    answer: {status: 200, body: {isEmailVerified: true}},
  },
  {
    source: 'labd/commercetools-node-mock#29',
    says: 'a token is not used twice',
    request: after(
      token,
      (_, {body}: Answer) => ({path: '/customers/password/reset', body: {tokenValue: body.value, newPassword: 'one'}}),
      (_, {body}: Answer) => ({path: '/customers/password/reset', body: {tokenValue: body.value, newPassword: 'two'}}),
    ),
    answer: {status: 404, body: {errors: [{code: 'ResourceNotFound'}]}},
  },
  {
    source: 'labd/commercetools-node-mock#28',
    says: 'an email that changes is no longer verified',
    request: update([{action: 'changeEmail', email: 'moved@example.com'}], {isEmailVerified: true}),
    answer: {status: 200, body: {email: 'moved@example.com', isEmailVerified: false}},
  },
])

const cart = (): Asked => ({path: '/carts', body: {currency: 'EUR', anonymousId: undefined}})

rows('carts of visitors who sign in', [
  {
    source: 'commercetools/commercetools-api-reference#217',
    says: 'a sign-in names the cart of the visitor by a reference, and answers it as the customer’s',
    request: after(cart, async ({customer}, {body}: Answer) => ({
      path: '/login',
      body: {email: (await customer()).email, password, anonymousCart: {typeId: 'cart', id: body.id}},
    })),
    answer: {status: 200, body: {customer: {email: /@/}, cart: {customerId: /^[0-9a-f-]{36}$/}}},
  },
  {
    source: 'commercetools/commercetools-php-sdk#212',
    says: 'a sign-in may make the visitor’s cart the customer’s active one',
    request: after(cart, async ({customer}, {body}: Answer) => ({
      path: '/login',
      body: {
        ...{email: (await customer()).email, password, anonymousCart: {typeId: 'cart', id: body.id}},
        anonymousCartSignInMode: 'UseAsNewActiveCustomerCart',
      },
    })),
    answer: {status: 200, body: {cart: {cartState: 'Active', customerId: /^[0-9a-f-]{36}$/}}},
  },
])
