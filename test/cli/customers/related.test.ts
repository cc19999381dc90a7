import {expect} from 'chai'
import {cardOf, cardText} from '../../../src/cli/customers/card.js'
import {emailWarningOf} from '../../../src/cli/customers/recent-messages.js'
import {follow, type SeenMessage} from '../../../src/cli/messages/follow.js'
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

describe('cli · look-ups beside a customer', () => {
  for (const body of [undefined, null, 'text', 7, [], {}, {results: null}, {results: {}}, {results: [null, 1]}]) {
    it(`an odd answer never breaks the card: ${JSON.stringify(body)}`, async () => {
      const card = await cardOf(answering(200, body), customer, (words) => words.join(' '))
      expect(cardText(card, 0)).to.include('a@example.com')
    })
  }

  it('what is not known stands on the card, and why', async () => {
    const hidden = await cardOf(answering(403, {}), customer, (words) => words.join(' '))
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
      const other = cardText(await cardOf(answering(status, {}), customer, (words) => words.join(' ')), 0)
      expect(other, String(status)).to.include(`${says}  messages, quotes, business units`)
    }
    const failing = cardText(await cardOf(answering(503, {}), customer, (words) => words.join(' ')), 0)
    expect(failing).to.include('business units, sessions')
    const odd = cardText(await cardOf(answering(200, '<html>'), customer, (words) => words.join(' ')), 0)
    expect(odd).to.include('failed just now  messages')
    const seen = await cardOf(answering(200, {results: [], total: 0}), customer, (words) => words.join(' '))
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

describe('cli · following messages', () => {
  it('loses none of a thousand that came late into the moment of the last', async () => {
    const createdAt = '2026-11-20T09:00:00.000Z'
    const message = (id: string): SeenMessage => ({id, type: 'T', createdAt})
    const idOf = (n: number): string => `id-${String(n).padStart(5, '0')}`
    const stored = [message('id-99999')]
    const ended = new AbortController()
    const client = {
      call: async (_: unknown, __: unknown, {query}: {query: Record<string, unknown>}) => {
        const {limit, 'var.id': id, 'var.after': after = ''} = query as {limit: number; [name: string]: unknown}
        const where = (query['where'] as string[]).at(-1) ?? ''
        const fits = ({id: one}: SeenMessage): boolean => {
          if (where.startsWith('createdAt >= ')) return true
          if (where.includes('id < :id')) return one < String(id) && one > String(after)
          return one > String(id)
        }
        const results = stored
          .filter(fits)
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit)
        return {results}
      },
    } as unknown as Client
    const seen = new Set<string>()
    const options = {client, query: {}, since: createdAt, intervalMs: 1, signal: ended.signal}
    for await (const {id} of follow(options)) {
      if (seen.size === 0) for (let n = 0; n < 1_203; n += 1) stored.push(message(idOf(n)))
      expect(seen.has(id), id).to.equal(false)
      seen.add(id)
      if (seen.size === stored.length) ended.abort()
      expect(seen.size).to.be.at.most(stored.length)
    }
    expect(seen.size).to.equal(1_204)
  }).timeout(30_000)
})
