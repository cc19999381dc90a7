import {type Answer, type Asked, type Place, rows} from './rows.js'

const ask = (place: Place, path: string, form: Readonly<Record<string, string>>): Promise<Answer> =>
  place.send({path, as: place.client, form})
const password = 'right horse'
const session = (place: Place, form: Readonly<Record<string, string>> = {}) =>
  ask(place, '/oauth/shop/anonymous/token', {grant_type: 'client_credentials', ...form})
const basket = {path: '/me/carts', body: {currency: 'EUR'}}

rows('sessions', [
  {
    source: 'commercetools/commercetools-sdk-typescript#384',
    says: 'the flow of client credentials gives no refresh token',
    request: ({client}) => ({path: '/oauth/token', as: client, form: {grant_type: 'client_credentials'}}),
    answer: {status: 200, body: {access_token: /^\S+$/, refresh_token: undefined}},
  },
  {
    source: 'commercetools/nodejs#1528',
    says: 'a refresh token that is unknown is told from one that is malformed by nobody',
    request: ({client}) => ({
      path: '/oauth/token',
      as: client,
      form: {grant_type: 'refresh_token', refresh_token: 'invalid%20refresh%20token'},
    }),
    answer: {
      status: 400,
      body: {error: 'invalid_grant', message: 'The refresh token was not found. It may have expired.'},
    },
  },
  {
    source: 'commercetools/nodejs#1196',
    says: 'a visitor’s session goes on with its refresh token',
    request: async (place) => {
      const {body} = await session(place)
      await place.send({...basket, as: body.access_token})
      const form = {grant_type: 'refresh_token', refresh_token: body.refresh_token}
      const again = await ask(place, '/oauth/token', form)
      return {path: '/me/active-cart', as: again.body.access_token}
    },
    answer: {status: 200, body: {cartState: 'Active', anonymousId: /\S/}},
  },
  {
    source: 'commercetools/commercetools-sdk-java-v2#90',
    says: 'a visitor’s token reads the visitor’s active cart',
    request: async (place) => {
      const {body} = await session(place)
      await place.send({...basket, as: body.access_token})
      return {path: '/me/active-cart', as: body.access_token}
    },
    answer: {status: 200, body: {cartState: 'Active', customerId: undefined}},
  },
  {
    source: 'commercetools/commercetools-sdk-typescript#353',
    says: 'an id of a visitor that is in use begins no second session',
    request: async (place) => {
      await session(place, {anonymous_id: 'visitor-1'})
      const form = {grant_type: 'client_credentials', anonymous_id: 'visitor-1'}
      return {path: '/oauth/shop/anonymous/token', as: place.client, form}
    },
    answer: {
      status: 400,
      body: {error: 'AnonymousIdAlreadyInUse', message: 'The given anonymous ID is already in use.'},
    },
  },
  {
    source: 'commercetools/commercetools-dotnet-core-sdk-v2#107',
    says: 'once a visitor has signed in, the token of the visit is invalid',
    request: async (place) => {
      const {email} = await place.customer()
      const {body} = await session(place)
      await place.send({path: '/me/login', as: body.access_token, body: {email, password}})
      return {path: '/me/active-cart', as: body.access_token}
    },
    answer: {status: 401, body: {errors: [{code: 'invalid_token'}]}},
  },
  {
    source: 'labd/terraform-provider-commercetools#466',
    says: 'a token request without Basic credentials says how to send them',
    request: {
      path: '/oauth/token',
      form: {grant_type: 'client_credentials'},
      headers: {authorization: ''},
    },
    answer: {
      status: 401,
      body: {
        error: 'invalid_client',
        message: 'Please provide valid client credentials using HTTP Basic Authentication.',
      },
    },
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#2207',
    says: 'a client’s tokens live as long as the client says',
    request: async (place): Promise<Asked> => {
      const draft = {name: 'short', scope: 'view_customers:shop', accessTokenValiditySeconds: 3600}
      const {body} = await place.send({path: '/api-clients', body: draft})
      return {path: '/oauth/token', as: [body.id, body.secret], form: {grant_type: 'client_credentials'}}
    },
    answer: {status: 200, body: {expires_in: /^3[56]\d\d$/}},
  },
  {
    source: 'commercetools/commercetools-sdk-java-v2#28',
    says: 'a token is introspected',
    request: async (place): Promise<Asked> => {
      const {body} = await session(place)
      return {path: '/oauth/introspect', as: place.client, form: {token: body.access_token}}
    },
    answer: {status: 200, body: {active: true, scope: /anonymous_id:/, client_id: /\S/}},
  },
  {
    source: 'commercetools/commercetools-ios-sdk#106',
    says: 'a customer’s own token says which addresses to ship and bill to',
    request: async (place) => {
      const {email} = await place.customer({addresses: [{country: 'DE', key: 'home'}]})
      const {body} = await ask(place, '/oauth/shop/customers/token', {
        grant_type: 'password',
        username: email,
        password,
      })
      const actions = [
        {action: 'addShippingAddressId', addressKey: 'home'},
        {action: 'addBillingAddressId', addressKey: 'home'},
      ]
      return {path: '/me', as: body.access_token, body: {version: 1, actions}}
    },
    answer: {status: 200, body: {shippingAddressIds: [/\S/], billingAddressIds: [/\S/]}},
  },
  {
    source: 'commercetools/commercetools-ios-sdk#175',
    says: 'who asks may name a user of another system, who is noted as the author',
    request: {
      path: '/customers',
      headers: {'x-external-user-id': 'agent-7'},
      body: {email: 'external-user@example.com', password},
    },
    answer: {status: 201, body: {customer: {createdBy: {externalUserId: 'agent-7'}}}},
  },
])
