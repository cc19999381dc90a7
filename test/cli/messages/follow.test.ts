import {expect} from 'chai'
import {follow} from '../../../src/cli/messages/follow.js'
import type {Client} from '../../../src/client/client.js'
import {connect} from '../../../src/client/connect.js'
import {operations} from '../../../src/index.js'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {rounds} from '../../rounds.js'

const {createCustomer} = operations

const changes = rounds(120, 5_000)
const writers = 24

async function withServer(work: (server: RunningServer, client: Client) => Promise<void>): Promise<void> {
  await using server = await startServer({projectKey: 'shop'})
  const {apiUrl, authUrl, projectKey, client} = server
  const target = {
    kind: 'remote',
    apiUrl,
    authUrl,
    projectKey,
    credentials: {kind: 'client', clientId: client.clientId, secret: () => Promise.resolve(client.clientSecret)},
  } as never
  const connected = await connect(target)
  try {
    await work(server, connected)
  } finally {
    await connected.close()
  }
}

/** Collects the ids of messages until they are as many, or none came in so many empty batches. */
async function collected(client: Client, most: number, options: {since?: string; onReady?: () => void} = {}) {
  const {onReady, ...rest} = options
  const ended = new AbortController()
  const ids: string[] = []
  let empty = 0
  for await (const batch of follow({client, query: {}, intervalMs: 1, signal: ended.signal, ...rest})) {
    onReady?.()
    ids.push(...batch.map(({id}) => id))
    empty = batch.length === 0 ? empty + 1 : 0
    if (ids.length >= most && empty > 2) ended.abort()
  }
  return ids
}

const create = (client: Client, name: string, password?: string) =>
  client.call(
    createCustomer,
    {},
    {
      body: {
        email: `${name}@example.com`,
        key: name,
        ...(password === undefined ? {authenticationMode: 'ExternalAuth'} : {password}),
      } as never,
    },
  )

describe('cli · following messages', () => {
  it('shows each of the messages of 24 writers once, from before and from the middle', () =>
    withServer(async (server, client) => {
      let early: Promise<string[]> | undefined
      await new Promise<void>((resolve, reject) => {
        early = collected(client, changes, {onReady: resolve})
        early.catch(reject)
      })
      let next = 0
      let middle: Promise<string[]> | undefined
      const write = async (): Promise<void> => {
        while (next < changes) {
          const at = next
          next += 1
          // One in eight hashes a password meanwhile.
          await create(client, `c-${at}`, at % 8 === 0 ? 'correct horse' : undefined)
          if (at === changes / 2) middle = collected(client, changes, {since: new Date(0).toISOString()})
        }
      }
      await Promise.all(Array.from({length: writers}, write))
      const all = (await server.messages()).map(({id}) => id).sort()
      expect(all).to.have.length(changes)
      expect((await early)?.toSorted()).to.deep.equal(all)
      expect((await middle)?.toSorted()).to.deep.equal(all)
    })).timeout(60_000)

  it('shows messages of a frozen clock, a past one and one of the future, and none that was there', () =>
    withServer(async (server, client) => {
      await create(client, 'before')
      const ended = new AbortController()
      const seen: string[] = []
      let turn = 0
      for await (const batch of follow({client, query: {}, intervalMs: 1, signal: ended.signal})) {
        seen.push(...batch.map((message) => (message as unknown as {customer: {key: string}}).customer.key))
        if (batch.length > 0 || turn === 0) {
          turn += 1
          if (turn === 1) server.clock.freeze()
          if (turn === 3) server.clock.advance(86_400_000)
          if (turn === 4) server.clock.real()
          if (turn === 6) ended.abort()
          else await create(client, `c-${turn}`)
        }
      }
      expect(seen).to.deep.equal(['c-1', 'c-2', 'c-3', 'c-4', 'c-5'])
    })).timeout(60_000)

  it('is dated when it is stored, also where a password takes long', () =>
    withServer(async (server, client) => {
      await Promise.all(
        Array.from({length: 10}, (_, at) =>
          Promise.all([create(client, `p-${at}`, 'correct horse'), create(client, `n-${at}`)]),
        ),
      )
      const dates = (await server.messages()).map((one) => [
        one.createdAt,
        (one as never as {customer: {createdAt: string}}).customer.createdAt,
      ])
      // A message is dated when it is stored, the customer when the request came.
      for (const [message = '', customer = ''] of dates) expect(message >= customer).to.equal(true)
    })).timeout(60_000)
})
