import {type Asked, type Place, rows} from './rows.js'

type Pair = readonly [id: string, secret: string]

/** An API client that holds these scopes. */
async function client({send}: Place, scope: string): Promise<Pair> {
  const {body} = await send({path: '/api-clients', body: {name: 'field', scope}})
  return [body.id, body.secret]
}

/** A token request of an API client with these scopes. */
const token =
  (held: string, form: Readonly<Record<string, string>>, path = '/oauth/token') =>
  async (place: Place): Promise<Asked> => ({path, as: await client(place, held), form})

const service = (scope?: string) => ({grant_type: 'client_credentials', ...(scope === undefined ? {} : {scope})})
const ofProject = {grant_type: 'client_credentials', scope: 'manage_project:shop'}

/** A request with a token that an API client with these scopes got. */
const with_ =
  (held: string, asked: Asked) =>
  async (place: Place): Promise<Asked> => {
    const {body} = await place.send({path: '/oauth/token', as: await client(place, held), form: service()})
    return {...asked, as: body.access_token}
  }

const signIn = (email: string) => ({grant_type: 'password', username: email, password: 'right horse'})
const exceeded = (held: string) => ({
  status: 400,
  body: {
    error: 'invalid_scope',
    message: `Permissions exceeded. Only the following permissions can be requested: ${held}`,
  },
})
const denied = {
  status: 403,
  body: {error: 'insufficient_scope', message: /^Insufficient scope\. One of the following scopes is missing: /},
}

rows(
  'tokens and scopes',
  [
    {
      source: 'Adyen/adyen-commercetools#76',
      says: 'a client of manage_project may not ask for a scope that it lacks by name',
      request: token('manage_project:shop', service('view_customers:shop')),
      answer: exceeded('manage_project:shop'),
    },
    {
      source: 'labd/commercetools-python-sdk#140',
      says: 'a client of manage_customers may not ask for view_customers',
      request: token('manage_customers:shop', service('view_customers:shop')),
      answer: exceeded('manage_customers:shop'),
    },
    {
      source: 'vuestorefront/vue-storefront#6737',
      says: 'a scope of the project is none of a store',
      request: token('manage_customers:shop', service('manage_customers:shop:berlin')),
      answer: exceeded('manage_customers:shop'),
    },
    {
      source: 'commercetools/nodejs#1217',
      says: 'a scope that the client holds by name is granted alone',
      request: token('manage_project:shop view_customers:shop', service('view_customers:shop')),
      answer: {status: 200, body: {token_type: 'Bearer', scope: 'view_customers:shop'}},
    },
    {
      source: 'commercetools/commercetools-dotnet-core-sdk#67',
      says: 'a text that is no scope is told from one that is too much',
      request: token('manage_project:shop', service('everything')),
      answer: {status: 400, body: {error: 'invalid_scope', message: 'Malformed parameter: scope: Invalid scope.'}},
    },
    {
      source: 'commercetools/commercetools-sdk-java-v2#1',
      says: 'manage_project does not read API clients',
      request: with_('manage_project:shop', {path: '/api-clients'}),
      answer: denied,
    },
    {
      source: 'commercetools/commercetools-sdk-java-v2#1',
      says: 'and makes none',
      request: with_('manage_project:shop', {path: '/api-clients', body: {name: 'x', scope: 'manage_project:shop'}}),
      answer: denied,
    },
    {
      source: 'RFC 6749 §3.3',
      says: 'a blank that does not break divides no scopes of an API client',
      request: {path: '/api-clients', body: {name: 'x', scope: 'view_customers:shop\u00a0manage_customers:shop'}},
      answer: {status: 400},
    },
    {
      source: 'lelylan/simple-oauth2 5.1.0',
      says: 'a revocation answers an object as JSON',
      request: async (place) => {
        const {body} = await place.send({path: '/oauth/token', as: place.client, form: ofProject})
        return {path: '/oauth/token/revoke', as: place.client, form: {token: body.access_token}}
      },
      answer: {status: 200, headers: {'content-type': /^application\/json/}},
    },
    {
      source: 'commercetools/commercetools-jvm-sdk#938',
      says: 'a client gets a token for the scope of its project',
      request: (place) => ({path: '/oauth/token', as: place.client, form: ofProject}),
      answer: {status: 200, body: {token_type: 'Bearer', scope: 'manage_project:shop'}},
    },
    {
      source: 'commercetools/commercetools-sdk-java-v2#34',
      says: 'a token request with a wrong secret is a 401 with a text',
      request: ({client: [id]}) => ({path: '/oauth/token', as: [id, 'wrong'], form: ofProject}),
      answer: {status: 401, body: {error: 'invalid_client', message: /\S/, errors: [{code: 'invalid_client'}]}},
    },
    {
      source: 'commercetools/commercetools-sdk-java-v2#18',
      says: 'a customer without a store gets a token by password, and a refresh token with it',
      request: async (place) => {
        const {email} = await place.customer()
        return {path: '/oauth/shop/customers/token', as: place.client, form: signIn(email)}
      },
      answer: {status: 200, body: {scope: / customer_id:/, refresh_token: /^\S+$/, expires_in: 172800}},
    },
    {
      source: 'commercetools/commercetools-sdk-typescript#251',
      says: 'a customer of a store gets none without naming the store',
      request: async (place) => {
        const {email} = await place.customer({stores: [{typeId: 'store', key: 'berlin'}]})
        return {path: '/oauth/shop/customers/token', as: place.client, form: signIn(email)}
      },
      answer: {
        status: 400,
        body: {
          error: 'invalid_customer_account_credentials',
          error_description: 'Customer account with the given credentials not found.',
          errors: [{code: 'invalid_customer_account_credentials'}],
        },
      },
    },
    {
      source: 'commercetools/nodejs#1848',
      says: 'a customer of a store gets a token at the path of the store',
      request: async (place) => {
        const {email} = await place.customer({stores: [{typeId: 'store', key: 'berlin'}]})
        return {path: '/oauth/shop/in-store/key=berlin/customers/token', as: place.client, form: signIn(email)}
      },
      answer: {status: 200, body: {scope: / customer_id:/}},
    },
    {
      source: 'commercetools/commercetools-sdk-java-v2#11',
      says: 'a visitor gets a session, whose token reads no customers',
      request: async (place) => {
        const form = {grant_type: 'client_credentials', scope: 'manage_my_profile:shop'}
        const {body} = await place.send({path: '/oauth/shop/anonymous/token', as: place.client, form})
        return {path: '/customers', as: body.access_token}
      },
      answer: denied,
    },
  ],
  ({send}) => send({path: '/stores', body: {key: 'berlin', name: {en: 'Berlin'}}}),
)
