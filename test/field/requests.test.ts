import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {type Place, rows} from './rows.js'

const id = (text: string) => ({path: '/customers', headers: {'x-correlation-id': text}})
const refused = {
  status: 400,
  body: {statusCode: 400, message: /^Invalid X-Correlation-ID header/, errors: [{code: 'InvalidInput'}]},
  headers: {'x-correlation-id': /^frontdesk-/},
}

rows('requests and their ids', [
  {
    source: 'commercetools/commercetools-dotnet-core-sdk-v2#262',
    says: 'a correlation id of three letters is refused',
    request: id('abc'),
    answer: refused,
  },
  {
    source: 'commercetools/commercetools-dotnet-core-sdk-v2#262',
    says: 'a correlation id with a blank is refused',
    request: id('order 66 of today'),
    answer: refused,
  },
  {
    source: 'commercetools/merchant-center-application-kit#1057',
    says: 'a correlation id with a percent sign is refused',
    request: id('mc/shop%20one/1'),
    answer: refused,
  },
  {
    source: 'commercetools/nodejs#551',
    says: 'an id of the caller is taken over, up to 256 characters',
    request: id('a'.repeat(256)),
    answer: {status: 200, headers: {'x-correlation-id': 'a'.repeat(256)}},
  },
  {
    source: 'commercetools/nodejs#551',
    says: 'one more character is too many',
    request: id('a'.repeat(257)),
    answer: refused,
  },
  {
    source: 'commercetools/commercetools-jvm-sdk#1491',
    says: 'an id of the project’s key, a slash and a UUID is taken, as the clients for Java send it',
    request: id('shop/5a1a3cb4-97a2-4b0c-9f0e-7c8a7a7a1f10'),
    answer: {status: 200, headers: {'x-correlation-id': 'shop/5a1a3cb4-97a2-4b0c-9f0e-7c8a7a7a1f10'}},
  },
  {
    source: 'commercetools/sphere-node-sdk#59',
    says: 'an answer has an id also where the caller sends none',
    request: {path: '/customers'},
    answer: {status: 200, headers: {'x-correlation-id': /^[\w/-]{8,256}$/}},
  },
  {
    source: 'commercetools/sphere-node-sdk#58',
    says: 'a refusal has an id',
    request: {path: '/customers/key=nobody'},
    answer: {status: 404, headers: {'x-correlation-id': /^[\w/-]{8,256}$/}},
  },
])

let server: Server
const trust = (url: string, token: string) => async (place: Place) => {
  const {version} = (await place.send({path: ''})).body
  const externalOAuth = {url, authorizationHeader: 'Basic abc'}
  await place.send({path: '', body: {version, actions: [{action: 'setExternalOAuth', externalOAuth}]}})
  return {path: '/customers', as: token}
}

describe('field · external authorization', () => {
  before(async () => {
    server = createServer((_, response) => void setTimeout(() => response.destroy(), 5_000).unref())
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  rows('external authorization that fails', [
    {
      source: 'commercetools/commercetools-jvm-sdk#2074',
      says: 'an introspection that nobody answers is a bad gateway',
      request: trust('http://127.0.0.1:9/introspect', 'foreign.token.1'),
      answer: {status: 502, body: {statusCode: 502, errors: [{code: 'ExternalOAuthFailed'}]}},
    },
    {
      source: 'commercetools/commercetools-api-reference#187',
      says: 'an introspection that takes too long is a gateway out of time',
      request: (place) =>
        trust(`http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`, 'foreign.token.2')(place),
      answer: {
        status: 504,
        body: {
          statusCode: 504,
          errors: [{code: 'ExternalOAuthFailed', message: 'External OAuth did not respond in time.'}],
        },
      },
    },
  ])
})
