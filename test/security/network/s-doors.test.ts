import {duplexPair} from 'node:stream'
import {expect} from 'chai'
import {operations} from '../../../src/api/index.js'
import {authenticateClient} from '../../../src/api/pipeline/client-authentication.js'
import type {ApiError} from '../../../src/domain/errors.js'
import {httpFront} from '../../../src/server/http/listeners.js'
import {adminOperations} from '../../../src/server/local/admin.js'
import {invalidRequest} from '../shop/expectations.js'
import {openShop, type Shop} from '../shop/shop.js'
import {answerOf, basic, formType, requestBytes, send} from '../shop/wire.js'

describe('security · S doors', () => {
  let shop: Shop
  before(async () => {
    shop = await openShop()
  })
  after(() => shop.close())
  afterEach(() => expect(shop.faults).to.deep.equal([]))

  /** What the server answers to a connection that comes from an address. */
  async function askFrom(remoteAddress: string, path: string): Promise<number> {
    const {runtime, adminToken} = shop
    const admin = Object.values(adminOperations)
    const front = httpFront({runtime, operations: [...operations, ...admin], allowedHosts: ['desk.example']})
    const [far, near] = duplexPair()
    front.emit('connection', Object.assign(near, {remoteAddress, localAddress: '192.0.2.1', localPort: 443}))
    const headers = {host: 'desk.example', authorization: `Bearer ${adminToken}`}
    far.write(requestBytes(shop.origin, {path, headers}))
    const chunks: Buffer[] = []
    for await (const chunk of far) chunks.push(chunk as Buffer)
    return answerOf(Buffer.concat(chunks).toString('utf8')).status
  }

  it('S-02 hides the administration from other machines, whatever token they have', async () => {
    expect(await askFrom('127.0.0.1', '/_admin/status')).to.equal(200)
    expect(await askFrom('::1', '/_admin/status')).to.equal(200)
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::7']) {
      expect(await askFrom(address, '/_admin/status'), address).to.equal(404)
      expect(await askFrom(address, '/health'), address).to.equal(200)
    }
  })

  it('S-38 climbs by no segment, before anybody is asked who they are', async () => {
    for (const segment of ['..', '.', '%2e%2e', '%2E.', '.%2e', '%2e']) {
      for (const path of [`/shop/customers/${segment}`, `/shop/${segment}/customers`, `/oauth/${segment}/token`]) {
        expect((await send(shop.origin, {path})).status, path).to.equal(404)
      }
    }
  })

  it('A05 refuses two content types, though the first would do', async () => {
    const {id, secret} = shop.clients.ADM
    const headers = [
      ['authorization', basic(id, secret)],
      ['content-type', formType],
      ['content-type', 'application/json'],
    ] as const
    invalidRequest(
      await send(shop.origin, {method: 'POST', path: '/oauth/token', headers, body: 'grant_type=client_credentials'}),
    )
  })

  it('A16 stops a body that says nothing of its size', async () => {
    const {id, secret} = shop.clients.ADM
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const headers = {
      authorization: basic(id, secret),
      'content-type': formType,
      'transfer-encoding': 'chunked',
    }
    const body = `${chunk}2\r\nxx\r\n0\r\n\r\n`
    expect((await send(shop.origin, {method: 'POST', path: '/oauth/token', headers, body})).status).to.equal(413)
  })

  it('B23 serves the same client at another address than the one that guesses', async () => {
    const {id, secret} = shop.clients.RO
    const from = (address: string, given: string) =>
      authenticateClient(shop.runtime, basic(id, given), address, shop.clock.now).then(
        () => 'in',
        (error: ApiError) => error.code,
      )
    for (let guess = 0; guess < 20; guess += 1) expect(await from('192.0.2.7', 'wrong')).to.equal('invalid_client')
    expect(await from('192.0.2.7', secret)).to.equal('TooManyRequests')
    expect(await from('192.0.2.8', secret)).to.equal('in')
  })
})
