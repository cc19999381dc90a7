import {expect} from 'chai'
import {cardOf, cardText} from '../../../src/cli/customers/card.js'
import {emailWarningOf} from '../../../src/cli/customers/recent-messages.js'
import {tracesOf, verdictOf} from '../../../src/cli/records/traces.js'
import type {Client} from '../../../src/client/client.js'
import type {Customer} from '../../../src/domain/customers/customer.js'
import {ApiError} from '../../../src/domain/errors.js'

const customer = {id: 'c-1', version: 1, email: 'a@example.com', addresses: [], stores: []} as unknown as Customer

/** A server that gives one answer to every look-up beside the customer. */
const answering = (status: number, body: unknown): Client =>
  ({
    projectKey: 'shop',
    raw: async () => ({status, body, headers: {}}),
    call: async () => {
      if (status !== 200) throw ApiError.fromBody(status, body, {})
      return body
    },
  }) as unknown as Client

const run = {commandLine: (words: readonly string[]) => words.join(' ')}

describe('cli · look-ups beside a customer', () => {
  for (const body of [undefined, null, 'text', 7, [], {}, {results: null}, {results: {}}, {results: [null, 1]}]) {
    it(`an odd answer never breaks the card: ${JSON.stringify(body)}`, async () => {
      const card = await cardOf(run, answering(200, body), customer)
      expect(cardText(card, 0)).to.include('a@example.com')
    })
  }

  it('what is not known stands on the card, and why', async () => {
    const hidden = await cardOf(run, answering(403, {}), customer)
    expect(cardText(hidden, 0)).to.include('not readable  messages, quotes, business units')
    for (const [status, says] of [
      [404, 'not served'],
      [501, 'not served'],
      [500, 'failed just now'],
      [503, 'failed just now'],
      [429, 'failed just now'],
      [400, 'failed just now'],
      [401, 'not readable'],
    ] as const) {
      const other = cardText(await cardOf(run, answering(status, {}), customer), 0)
      expect(other, String(status)).to.include(`${says}  messages, quotes, business units`)
    }
    const failing = cardText(await cardOf(run, answering(503, {}), customer), 0)
    expect(failing).to.include('business units, sessions')
    const odd = cardText(await cardOf(run, answering(200, '<html>'), customer), 0)
    expect(odd).to.include('failed just now  messages')
    const seen = await cardOf(run, answering(200, {results: [], total: 0}), customer)
    expect(cardText(seen, 0)).to.not.match(/not readable|not served|failed/)
    expect(emailWarningOf(hidden, 0)).to.include('cannot read')
    expect(emailWarningOf(seen, 0)).to.equal(undefined)
  })
})

describe('cli · traces of a customer', () => {
  it('counts messages without an id one by one', async () => {
    const odd = {results: [{type: 'A'}, {type: 'B'}, null], total: 3}
    const {messages} = await tracesOf(answering(200, odd), 'c-1')
    expect(messages).to.equal(2)
  })

  const none = {kept: {}, isRecorded: true}
  /** A server without the customer, with one answer to the look-ups beside it. */
  const without = (status: number): Client => ({...answering(status, {}), call: answering(404, {}).call}) as Client

  it('are erased only where the client may read whether', async () => {
    const hidden = await tracesOf(without(403), 'c-1')
    expect(verdictOf('c-1', hidden, none)).to.include({isKnown: true, erased: false})
    expect(verdictOf('c-1', {customer: 0}, none)).to.include({isKnown: true, erased: true})
    expect(verdictOf('c-1', {customer: 0}, {...none, isRecorded: false})).to.include({isKnown: false})
  })

  for (const status of [404, 405, 501]) {
    it(`name what the target does not serve, as not looked at: ${status}`, async () => {
      const {notLookedAt, notReadable, documents} = await tracesOf(without(status), 'c-1')
      expect(notLookedAt).to.include.members(['orders', 'payments', 'reviews', 'shoppingLists', 'quotes'])
      expect([notReadable, documents]).to.deep.equal([['messages'], {}])
    })
  }
})
