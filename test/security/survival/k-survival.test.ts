import {type AddressInfo, createServer, type Server, type Socket} from 'node:net'
import {expect} from 'chai'
import type {Resolve} from '../../../src/server/external/guarded-lookup.js'
import {openShop, type Shop} from '../shop/shop.js'
import type {Answer} from '../shop/wire.js'
import {lives, watch} from './survival.js'

async function trusts(shop: Shop, url: string): Promise<void> {
  const admin = await shop.token('ADM')
  const {version} = (await shop.api('GET', '/shop', admin)).body
  const externalOAuth = {url, authorizationHeader: 'Basic abc'}
  const {status} = await shop.api('POST', '/shop', admin, {
    version,
    actions: [{action: 'setExternalOAuth', externalOAuth}],
  })
  expect(status).to.equal(200)
}

function externalFailure({status, body}: Answer, why: string): void {
  expect(status, why).to.be.oneOf([502, 504])
  expect(body.errors[0].code, why).to.equal('ExternalOAuthFailed')
}

let tokens = 0
/** A token that nobody used before. */
const foreign = (): string => {
  tokens += 1
  return `foreign.${tokens}`
}

describe('security · S survival of name resolution', () => {
  watch()
  let resolve: Resolve
  let shop: Shop
  before(async () => {
    shop = await openShop({externalOAuth: {resolve: (...given) => resolve(...given)}})
    await trusts(shop, 'https://auth.example.invalid/introspect')
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  const error = (code: string) => Object.assign(new Error(code), {code})
  const resolvers: Readonly<Record<string, Resolve>> = {
    'a name that does not exist': (_, __, done) => setImmediate(done, error('ENOTFOUND')),
    'a resolver that is not there': (_, __, done) => done(error('EAI_AGAIN'), undefined),
    'no addresses at all': (_, __, done) => setImmediate(done, null),
    'an empty list': (_, __, done) => done(null, []),
    'a text instead of a list': (_, __, done) => done(null, '127.0.0.1'),
    'addresses of nothing': (_, __, done) => done(null, [null, undefined, 5, {}, {address: 7, family: 4}]),
    'an address that is none': (_, __, done) => done(null, [{address: 'elsewhere', family: 4}]),
    'an error and addresses': (_, __, done) => done(error('ESERVFAIL'), [{address: '127.0.0.1', family: 4}]),
    'two answers': (_, __, done) => {
      done(null, [])
      done(error('ENOTFOUND'))
    },
    'a throw': () => {
      throw error('ERR_INVALID_ARG_VALUE')
    },
  }

  for (const [what, resolver] of Object.entries(resolvers)) {
    it(`C1 takes ${what} for a failure of External OAuth`, async () => {
      resolve = resolver
      externalFailure(await shop.api('GET', '/shop/customers', foreign()), what)
      await lives(shop)
    })
  }

  it('K07 waits half a second for a resolver that never answers, and asks it for few names at once', async () => {
    let asked = 0
    resolve = () => {
      asked += 1
    }
    const answers = await Promise.all(Array.from({length: 8}, () => shop.api('GET', '/shop/customers', foreign())))
    for (const answer of answers) externalFailure(answer, 'no answer')
    expect(asked).to.equal(1)
    await lives(shop)
  })
})

describe('security · S survival of an authorization server', () => {
  watch()
  let peer: Server
  let behave: (socket: Socket, heard: string) => void = () => undefined
  let greet: (socket: Socket) => void = () => undefined
  let shop: Shop
  before(async () => {
    peer = createServer((socket) => {
      socket.on('error', () => undefined)
      greet(socket)
      socket.once('data', (bytes) => behave(socket, String(bytes)))
    })
    await new Promise<void>((done) => peer.listen(0, '127.0.0.1', done))
    shop = await openShop()
    await trusts(shop, `http://127.0.0.1:${(peer.address() as AddressInfo).port}/introspect`)
  })
  after(async () => {
    await shop.close()
    peer.close()
  })

  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 60\r\n\r\n'
  const stages: Readonly<Record<string, (socket: Socket) => void>> = {
    'when it has heard the request': (socket) => socket.resetAndDestroy(),
    'in the status line': (socket) => socket.write('HTTP/1.1 2', () => socket.resetAndDestroy()),
    'in the headers': (socket) => socket.write(head.slice(0, 30), () => socket.resetAndDestroy()),
    'before the body': (socket) => socket.write(head, () => socket.resetAndDestroy()),
    'in the body': (socket) => socket.write(`${head}{"active":`, () => socket.resetAndDestroy()),
    'by an end in the body': (socket) => socket.end(`${head}{"active":`),
    'by what is no HTTP': (socket) => socket.end('\0\0\0\0 nothing \r\n\r\n'),
    'by two answers': (socket) => socket.end(`${head}${'{}'.padEnd(60)}${head}${'{}'.padEnd(60)}`),
  }
  for (const [when, stage] of Object.entries(stages)) {
    it(`survives a peer that breaks off ${when}`, async () => {
      behave = stage
      const answer = await shop.api('GET', '/shop/customers', foreign())
      expect(answer.status).to.be.oneOf([502, 401])
      await lives(shop)
    })
  }

  it('survives a peer that resets as soon as it is connected to, and one that is gone', async () => {
    greet = (socket) => socket.resetAndDestroy()
    externalFailure(await shop.api('GET', '/shop/customers', foreign()), 'reset')
    greet = () => undefined
    peer.close()
    externalFailure(await shop.api('GET', '/shop/customers', foreign()), 'gone')
    await lives(shop)
    expect(shop.faults).to.deep.equal([])
  })
})
