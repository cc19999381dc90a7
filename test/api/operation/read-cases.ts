import {customerToken} from '../../../src/server/local/customer-token.js'
import {seedQuote} from '../../../src/server/local/seed-quote.js'
import {keyed, pack} from '../../fixtures/pack.js'
import {type Answer, type Body, type Desk, draft, signedUp} from '../harness.js'

/** Requests that make each operation read as much for its decision as it can, in the demo. */

/** What is made ready, and then the request. */
export type Case = (desk: Desk) => Promise<() => Promise<Answer | object>>

const hazel = keyed(pack.customers, 'hazel-brandvold')
const custom = (resource: string, fields?: object) => ({
  type: {typeId: 'type', id: pack.types.find((one) => one.resourceTypeIds.includes(resource as never))?.id},
  ...(fields ? {fields} : {}),
})
const group = {typeId: 'customer-group', key: 'wholesale'}
const berlin = {typeId: 'store', key: 'berlin'}
const password = 'demo-only-hazel'
const breakfast = {typeId: 'cart', id: keyed(pack.carts, 'anonymous-breakfast').id}
const shipped = {typeId: 'cart', id: keyed(pack.carts, 'anonymous-inactive-shipping').id}
const rich = {customerGroup: group, stores: [berlin], custom: custom('customer'), anonymousCart: breakfast}

const asked =
  (method: string, path: string, body?: object): Case =>
  async (desk) =>
  () =>
    desk.ask(method, path, {...(body ? {body} : {})})

/** With a token of a customer or a visit. */
const own =
  (method: string, path: string, body: object | undefined, binding: object, scopes: string): Case =>
  async (desk) => {
    const token = await desk.token(scopes, binding)
    return () => desk.ask(method, path, {...(body ? {body} : {}), token})
  }
const ofHazel = (method: string, path: string, body?: object) =>
  own(method, path, body, {customerId: hazel.id}, 'manage_my_profile manage_my_quotes manage_my_orders')
const ofVisit = (method: string, path: string, body?: object, anonymousId = 'demo-anon-breakfast') =>
  own(method, path, body, {anonymousId}, 'manage_my_profile manage_my_orders')

/** With a one-time token. */
const redeeming =
  (path: string, purpose: 'email' | 'password', more: object, isOwn = false): Case =>
  async (desk) => {
    const wish = purpose === 'email' ? {id: hazel.id, ttlMinutes: 5} : {email: hazel.email}
    const {value} = (await desk.ask('POST', `/customers/${purpose}-token`, {body: wish})).body
    const token = isOwn ? {token: await desk.token('manage_my_profile', {customerId: hazel.id})} : {}
    return () => desk.ask('POST', path, {body: {tokenValue: value, ...more}, ...token})
  }

/** At the authorization service, with the demo's client of a shop. */
const form =
  (path: string, parameters: (desk: Desk) => Promise<Record<string, string>>): Case =>
  async (desk) => {
    const client = keyed(
      pack.apiClients.map((one) => ({...one, key: one.id})),
      'demo-shopfront-000000001',
    )
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
    const raw = new URLSearchParams(await parameters(desk)).toString()
    const headers = {authorization: `Basic ${basic}`}
    const contentType = 'application/x-www-form-urlencoded'
    return () => desk.ask('POST', path, {token: null, raw, contentType, headers})
  }
const signIn = {grant_type: 'password', username: hazel.email, password}
const refreshed = async (desk: Desk): Promise<Body> =>
  ((await (await form('//oauth/demo/customers/token', async () => signIn)(desk))()) as Answer).body

const firstOf = (of: readonly {readonly id: string; readonly version: number}[]) =>
  of[0] as {id: string; version: number}

/** A resource that nothing refers to, and what is then asked of it. */
const fresh =
  (path: string, body: object, method: string, actions?: readonly object[]): Case =>
  async (desk) => {
    const {id, version} = (await desk.ask('POST', path, {body})).body
    if (actions) return () => desk.ask(method, `${path}/${id}`, {body: {version, actions}})
    return () => desk.ask(method, `${path}/${id}${version === undefined ? '' : `?version=${version}`}`)
  }

const at = `/customers/${hazel.id}`
const {version} = hazel
const line = {slug: 'parcel', name: {en: 'Parcel'}, money: {currencyCode: 'EUR', centAmount: 100}, quantity: 1}
const shipping = {shippingAddress: {country: 'DE'}, shippingMethod: {typeId: 'shipping-method', key: 'parcel'}}
const cart = {currency: 'EUR', country: 'DE', ...shipping, lineItems: [{sku: 'MUG-BLUE'}], customLineItems: [line]}
const field = {name: 'note', label: {en: 'Note'}, required: false, type: {name: 'String'}}
const newType = {key: 'fresh', name: {en: 'Fresh'}, resourceTypeIds: ['customer', 'order'], fieldDefinitions: [field]}

export const cases: Readonly<Record<string, readonly Case[]>> = {
  createCustomer: [
    asked('POST', '/customers', draft(rich)),
    asked('POST', '/customers', draft({anonymousId: 'demo-anon-two'})),
  ],
  updateCustomer: [
    asked('POST', at, {
      version,
      actions: [
        {action: 'changeEmail', email: 'hazel@new.example'},
        {action: 'setCustomerGroup', customerGroup: group},
        {action: 'setStores', stores: [berlin]},
        {action: 'setCustomType', ...custom('customer')},
        {action: 'setLocale', locale: 'en'},
      ],
    }),
    asked('POST', at, {version, actions: [{action: 'setAuthenticationMode', authMode: 'ExternalAuth'}]}),
  ],
  deleteCustomer: [
    asked('DELETE', `${at}?version=${version}`),
    asked('DELETE', `${at}?version=${version}&dataErasure=true`),
  ],
  signInCustomer: [
    asked('POST', '/login', {email: hazel.email, password, anonymousCart: breakfast}),
    asked('POST', '/login', {
      email: hazel.email,
      password,
      anonymousCart: shipped,
      anonymousId: 'demo-anon-inactive-shipping',
    }),
  ],
  changeCustomerPassword: [
    asked('POST', '/customers/password', {
      id: hazel.id,
      version,
      currentPassword: password,
      newPassword: 'another one',
    }),
  ],
  createPasswordToken: [
    asked('POST', '/customers/password-token', {email: hazel.email, invalidateOlderTokens: true}),
    asked('POST', '/customers/password-token', {email: keyed(pack.customers, 'two-shops').email}),
  ],
  resetCustomerPassword: [redeeming('/customers/password/reset', 'password', {newPassword: 'another one'})],
  createEmailToken: [
    asked('POST', '/customers/email-token', {id: hazel.id, ttlMinutes: 5, invalidateOlderTokens: true}),
  ],
  confirmEmail: [redeeming('/customers/email/confirm', 'email', {})],
  updateMe: [ofHazel('POST', '/me', {version, actions: [{action: 'setCustomType', ...custom('customer')}]})],
  deleteMe: [ofHazel('DELETE', `/me?version=${version}`)],
  changeMyPassword: [ofHazel('POST', '/me/password', {version, currentPassword: password, newPassword: 'another one'})],
  resetMyPassword: [redeeming('/me/password/reset', 'password', {newPassword: 'another one'}, true)],
  confirmMyEmail: [redeeming('/me/email/confirm', 'email', {}, true)],
  signUpMe: [ofVisit('POST', '/me/signup', {...draft(), custom: custom('customer')})],
  signInMe: [
    ofVisit('POST', '/me/login', {email: hazel.email, password}),
    ofVisit('POST', '/me/login', {email: hazel.email, password}, 'demo-anon-inactive-shipping'),
  ],
  setMark: [
    asked('POST', '/_frontdesk/custom-objects', {
      container: 'frontdesk-marks',
      key: 'a'.repeat(64),
      version: 0,
      value: {},
    }),
  ],
  endCustomerSessions: [asked('DELETE', `/_frontdesk${at}/sessions`)],
  updateMyQuote: [
    async (desk) => {
      const quote = keyed(pack.quotes, 'ingrid-through-parent')
      const token = await desk.token('manage_my_quotes', {customerId: quote.customer?.id ?? ''})
      const actions = [{action: 'changeMyQuoteState', quoteState: 'Accepted'}]
      return () => desk.ask('POST', `/me/quotes/${quote.id}`, {body: {version: quote.version, actions}, token})
    },
    async (desk) => {
      const quote = keyed(pack.quotes, 'hazel-open')
      const token = await desk.token('manage_my_quotes', {customerId: quote.customer?.id ?? ''})
      const actions = [{action: 'setCustomType', ...custom('quote', {reason: 'Fair'})}]
      return () => desk.ask('POST', `/me/quotes/${quote.id}`, {body: {version: quote.version, actions}, token})
    },
  ],
  createStore: [asked('POST', '/stores', {key: 'new', languages: ['en']})],
  updateStore: [fresh('/stores', {key: 'new'}, 'POST', [{action: 'setLanguages', languages: ['en']}])],
  deleteStore: [fresh('/stores', {key: 'new'}, 'DELETE')],
  createCustomerGroup: [
    asked('POST', '/customer-groups', {groupName: 'New', custom: custom('customer-group', {perk: 'Tea'})}),
  ],
  updateCustomerGroup: [fresh('/customer-groups', {groupName: 'N'}, 'POST', [{action: 'changeName', name: 'Newer'}])],
  deleteCustomerGroup: [fresh('/customer-groups', {groupName: 'N'}, 'DELETE')],
  createType: [asked('POST', '/types', newType)],
  updateType: [
    async (desk) => {
      const {id, version: first} = (await desk.ask('POST', '/types', {body: newType})).body
      await signedUp(desk, {custom: {type: {typeId: 'type', id}, fields: {note: 'here'}}})
      const actions = [{action: 'removeFieldDefinition', fieldName: 'note'}]
      return () => desk.ask('POST', `/types/${id}`, {body: {version: first, actions}})
    },
  ],
  deleteType: [fresh('/types', newType, 'DELETE')],
  createCart: [
    asked('POST', '/carts', {...cart, customerId: hazel.id, store: berlin, custom: custom('order')}),
    asked('POST', '/carts', {...cart, customerGroup: group}),
  ],
  deleteCart: [
    async (desk) =>
      asked(
        'DELETE',
        `/carts/${breakfast.id}?version=${(await desk.ask('GET', `/carts/${breakfast.id}`)).body.version}&dataErasure=true`,
      )(desk),
  ],
  createMyCart: [ofHazel('POST', '/me/carts', {...cart, custom: custom('order')}), ofVisit('POST', '/me/carts', cart)],
  deleteMyCart: [
    ofVisit('DELETE', `/me/carts/${breakfast.id}?version=${keyed(pack.carts, 'anonymous-breakfast').version}`),
  ],
  updateProject: [
    async (desk) => {
      const {version: now} = (await desk.ask('GET', '')).body
      return () =>
        desk.ask('POST', '', {body: {version: now, actions: [{action: 'changeLanguages', languages: ['en', 'de']}]}})
    },
  ],
  createApiClient: [asked('POST', '/api-clients', {name: 'New', scope: 'view_customers:demo'})],
  deleteApiClient: [fresh('/api-clients', {name: 'New', scope: 'view_customers:demo'}, 'DELETE')],
  requestToken: [
    form('//oauth/token', async () => ({grant_type: 'client_credentials'})),
    form('//oauth/token', async (desk) => {
      return {grant_type: 'refresh_token', refresh_token: (await refreshed(desk)).refresh_token}
    }),
  ],
  requestCustomerToken: [form('//oauth/demo/customers/token', async () => signIn)],
  requestAnonymousToken: [
    form('//oauth/demo/anonymous/token', async () => ({grant_type: 'client_credentials', anonymous_id: 'visit'})),
  ],
  revokeToken: [form('//oauth/token/revoke', async (desk) => ({token: (await refreshed(desk)).refresh_token}))],
}

const {id: firstClient} = firstOf(pack.apiClients as never)

/** Of the administration, whose operations call these. */
export const administrative: Readonly<Record<string, readonly Case[]>> = {
  addQuote: [
    async (desk) => () =>
      seedQuote(desk.runtime, {
        projectKey: 'demo',
        customer: {by: 'email', value: keyed(pack.customers, 'zofia-lecka').email},
        cart: 'zofia-to-quote',
      }),
  ],
  issueCustomerToken: [
    async (desk) => () =>
      customerToken(desk.runtime, {clientId: firstClient} as never, {
        projectKey: 'demo',
        customer: {by: 'id', value: hazel.id},
      }),
  ],
}
