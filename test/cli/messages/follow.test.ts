import {expect} from 'chai'
import {follow} from '../../../src/cli/messages/follow.js'
import type {Client} from '../../../src/client/client.js'
import {connect} from '../../../src/client/connect.js'
import {operations} from '../../../src/index.js'
import {type RunningServer, startServer} from '../../../src/server/start.js'
import {rounds} from '../../rounds.js'
import {startCluster} from '../../store/postgres/cluster.js'

const {createCustomer} = operations

const changes = rounds(120, 5_000)
const writers = 24

type Work = (server: RunningServer, client: Client, other: Client) => Promise<void>

/** A server, with a client of it and one of another server beside it on the same database, if one is named. */
async function withServer(work: Work, storeUrl?: string): Promise<void> {
  const options = {projectKey: 'shop', ...(storeUrl === undefined ? {} : {storeUrl})}
  await using server = await startServer(options)
  await using beside = storeUrl === undefined ? undefined : await startServer(options)
  const secret = () => Promise.resolve(server.client.clientSecret)
  const clients = await Promise.all(
    [server, beside ?? server].map(({apiUrl, authUrl, projectKey}) => {
      const credentials = {kind: 'client', clientId: server.client.clientId, secret}
      return connect({kind: 'remote', apiUrl, authUrl, projectKey, credentials} as never)
    }),
  )
  try {
    await work(server, clients[0] as Client, clients[1] as Client)
  } finally {
    for (const client of clients) await client.close()
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
  const once: Work = async (_, client, other) => {
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
        await create(at % 2 === 0 ? client : other, `c-${at}`, at % 8 === 0 ? 'correct horse' : undefined)
        if (at === changes / 2) middle = collected(client, changes, {since: new Date(0).toISOString()})
      }
    }
    await Promise.all(Array.from({length: writers}, write))
    const all = await collected(other, changes, {since: new Date(0).toISOString()})
    expect(new Set(all).size).to.equal(changes)
    expect((await early)?.toSorted()).to.deep.equal(all.toSorted())
    expect((await middle)?.toSorted()).to.deep.equal(all.toSorted())
  }

  it('shows each of the messages of 24 writers once, from before and from the middle', () => withServer(once)).timeout(
    60_000,
  )

  it('shows each of them once where two servers write to one PostgreSQL', async function () {
    const cluster = await startCluster()
    if (!cluster) return this.skip()
    try {
      await withServer(once, await cluster.database('followed'))
    } finally {
      await cluster.stop()
    }
  }).timeout(600_000)

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
