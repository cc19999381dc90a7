import {expect} from 'chai'
import type {SeenMessage} from '../../../src/cli/messages/follow.js'
import {payloadOf, posting, receiverOf} from '../../../src/cli/messages/receiver.js'
import {Ledger} from './ledger.js'

const message = {
  id: 'f7fbd2fd-5c3c-4ee8-8f4b-6f2c0f3c8f0e',
  version: 1,
  sequenceNumber: 7,
  resource: {typeId: 'customer', id: '0f1a'},
  resourceVersion: 8,
  type: 'CustomerFirstNameSet',
  createdAt: '2026-11-28T09:00:00.000Z',
  lastModifiedAt: '2026-11-28T09:00:00.000Z',
  firstName: 'Ada',
} satisfies SeenMessage & Record<string, unknown>

describe('cli · receiver of messages', () => {
  it('gets what subscriptions deliver', () => {
    expect(payloadOf(message, 'shop', 'platform')).to.deep.equal({
      notificationType: 'Message',
      projectKey: 'shop',
      ...message,
    })
  })

  it('gets CloudEvents 1.0 with the extensions of the platform', () => {
    const {data, ...event} = payloadOf(message, 'shop', 'cloudevents') as Record<string, unknown>
    expect(event).to.deep.equal({
      specversion: '1.0',
      id: message.id,
      type: 'com.commercetools.customer.message.CustomerFirstNameSet',
      source: '/shop/customers',
      subject: '0f1a',
      time: message.createdAt,
      sequence: '7',
      sequencetype: 'Integer',
      dataref: `/shop/messages/${message.id}`,
    })
    expect(data).to.deep.equal(payloadOf(message, 'shop', 'platform'))
  })

  for (const [typeId, source] of [
    ['quote', '/shop/quotes'],
    ['business-unit', '/shop/business-units'],
    ['category', '/shop/categories'],
    ['inventory-entry', '/shop/inventory'],
    ['customer-password-token', '/shop/customers/password-token'],
  ] as const) {
    it(`names the source of a ${typeId}`, () => {
      const event = payloadOf({...message, resource: {typeId, id: '1'}}, 'shop', 'cloudevents')
      expect(event).to.have.property('source', source)
    })
  }

  it('is an address of this machine, or one of https with a header', () => {
    const env = {HOOK: 'Authorization: Bearer abc', EMPTY: '', BARE: 'Bearer abc', TWO: 'A: b\r\nC: d'}
    const of = (url: string, from?: string) => receiverOf(url, '--to', 'platform', from, env)
    for (const url of ['http://localhost:3000/hooks', 'http://127.0.0.1:3000/', 'https://[::1]:3000/hooks']) {
      expect(of(url).headers).to.deep.equal({})
    }
    expect(of('http://localhost:3000/hooks/').url).to.equal('http://localhost:3000/hooks/')
    expect(of('http://localhost:3000?a=b').url).to.equal('http://localhost:3000/?a=b')
    expect(of('https://shop.example/hooks', 'env:HOOK').headers).to.deep.equal({authorization: 'Bearer abc'})
    for (const [url, from] of [
      ['https://shop.example/hooks'],
      ['http://shop.example/hooks', 'env:HOOK'],
      ['http://169.254.169.254/latest', 'env:HOOK'],
      ['http://localhost.shop.example/hooks'],
      ['http://ada:secret@localhost:3000/hooks'],
      ['http://shop.example?@localhost:3000/'],
      ['http://localhost:3000/hooks?a=b#part'],
      ['file:///etc/passwd'],
      ['http://localhost:3000/hooks', 'env:EMPTY'],
      ['http://localhost:3000/hooks', 'env:BARE'],
      ['http://localhost:3000/hooks', 'env:TWO'],
      ['http://localhost:3000/hooks', 'Authorization: Bearer abc'],
    ] as const) {
      expect(() => of(url, from), `${url} ${from}`)
        .to.throw()
        .with.property('ending', 'usage')
    }
  })

  it('is told each answer, is not followed elsewhere, and need not be there', async () => {
    const ledger = await new Ledger().up()
    const {post, close} = await posting(receiverOf(ledger.url, '--to', 'cloudevents', undefined, {}), {})
    try {
      for (const status of [200, 202, 400, 404, 500]) {
        ledger.answer = () => status
        expect(await post({id: 'x'})).to.include({status})
      }
      ledger.answer = (_, response) => {
        response.writeHead(302, {location: ledger.url}).end()
        return 302
      }
      const before = ledger.bodies.length
      expect(await post({id: 'x'})).to.include({status: 302})
      expect(ledger.bodies).to.have.length(before + 1)
      expect(ledger.headers.at(-1)?.['content-type']).to.equal('application/cloudevents+json; charset=utf-8')
      ledger.answer = () => 'hang up'
      expect(await post({id: 'x'})).to.not.have.any.keys('status', 'isUnreachable')
      await ledger.down()
      expect(await post({id: 'x'})).to.include({isUnreachable: true})
    } finally {
      await close()
    }
  })
})
