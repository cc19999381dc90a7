import {expect} from 'chai'
import {follow, type Reader} from '../../src/cli/messages/follow.js'
import {type Client, Unreachable} from '../../src/client/client.js'
import {connect} from '../../src/client/connect.js'
import {operations, type RunningServer, startServer} from '../../src/index.js'
import {rounds} from '../rounds.js'

/** A server, a client that writes, and keys that a follower has seen. */
interface Place {
  readonly server: RunningServer
  readonly client: Client
  readonly create: (...keys: string[]) => Promise<void>
  /** What a follower sees: `step` is called after each batch, with what was seen, until it returns false. */
  readonly seen: (options: Seeing) => Promise<string[]>
}

interface Seeing {
  readonly reader?: Reader
  readonly since?: string
  readonly query?: Readonly<Record<string, string>>
  readonly step: (seen: readonly string[], turn: number) => Promise<boolean> | boolean
}

interface Row {
  readonly report: string
  readonly does: string
  readonly done: (place: Place) => Promise<unknown>
  readonly right: unknown
}

const keys = (count: number, name = 'k'): string[] => Array.from({length: count}, (_, at) => `${name}-${at}`)
const many = rounds(1_100, 6_000)
/** Since always. */
const epoch = new Date(0).toISOString()
/** Ends when so many were seen and three empty batches came after them. */
const until = (count: number) => {
  let quiet = 0
  return (seen: readonly string[]): boolean => {
    quiet = seen.length >= count ? quiet + 1 : 0
    return quiet < 4
  }
}

const rows: readonly Row[] = [
  {
    report: 'VictoriaMetrics/VictoriaLogs#1459, awslabs/aws-healthomics-tools#67',
    does: 'more of one millisecond than a page has',
    done: async ({server, create, seen}) => {
      server.clock.freeze()
      await create(...keys(many))
      const all = await seen({since: epoch, step: until(many)})
      return [all.length, new Set(all).size]
    },
    right: [many, many],
  },
  {
    report: 'lucagrulla/cw#87',
    does: 'one that is the last for many looks',
    done: async ({create, seen}) => {
      await create('only')
      return seen({since: epoch, step: (_, turn) => turn < 20})
    },
    right: ['only'],
  },
  {
    report: 'rlister/stax#54, falcosecurity/plugins#899',
    does: 'one that appears before the last one seen',
    done: async ({server, create, seen}) => {
      server.clock.freeze()
      await create('first')
      return seen({
        since: epoch,
        step: async (_, turn) => {
          if (turn === 1) server.clock.advance(-5_000)
          if (turn === 1) await create('late')
          return turn < 6
        },
      })
    },
    right: ['first', 'late'],
  },
  {
    report: 'turbot/tailpipe-plugin-aws#24',
    does: 'several that appear at once in front of the last one',
    done: async ({server, create, seen}) => {
      server.clock.freeze()
      await create('first')
      return seen({
        since: epoch,
        step: async (_, turn) => {
          if (turn === 1) {
            for (const key of ['cc', 'bb', 'aa']) {
              server.clock.advance(-1_000)
              await create(key)
            }
          }
          return turn < 6
        },
      })
    },
    right: ['first', 'aa', 'bb', 'cc'],
  },
  {
    report: 'lukewaite/logstash-input-cloudwatch-logs#47',
    does: 'one of the very moment from which is followed',
    done: async ({server, create, seen}) => {
      server.clock.freeze('2026-10-25T00:30:00Z')
      await create('then')
      return seen({since: '2026-10-25T00:30:00.000Z', step: until(1)})
    },
    right: ['then'],
  },
  {
    report: 'stripe/stripe-cli#1204',
    does: 'a token that ends while it is followed',
    done: ({server, create, seen}) =>
      seen({
        step: async (_, turn) => {
          if (turn === 1) server.clock.advance(7 * 86_400_000)
          if (turn === 1) await create('after')
          return turn < 8
        },
      }),
    right: ['after'],
  },
  {
    report: 'stripe/stripe-cli#461',
    does: 'a second burst after a first one',
    done: ({create, seen}) =>
      seen({
        step: async (all, turn) => {
          if (turn === 1) await create(...keys(3, 'one'))
          if (all.length === 3) await create(...keys(3, 'two'))
          return turn < 12
        },
      }).then((all) => all.toSorted()),
    right: [...keys(3, 'one'), ...keys(3, 'two')],
  },
  {
    report: 'neighbour of falcosecurity/plugins#899',
    does: 'pages that are shorter than their limit',
    done: async ({client, create, seen}) => {
      await create(...keys(7))
      const short = (options: {query?: {limit?: number}} = {}) => ({
        ...options,
        query: {...options.query, limit: Math.min(options.query?.limit ?? 1, 1)},
      })
      const reader = {
        call: (operation: never, params: never, options: never) => client.call(operation, params, short(options)),
        serverTime: () => client.serverTime(),
      } as unknown as Reader
      return (await seen({reader, since: epoch, step: until(7)})).toSorted()
    },
    right: keys(7),
  },
  {
    report: 'aws/aws-cli#5107',
    does: 'one of a hundred that is asked for',
    done: async ({client, create, seen}) => {
      await create(...keys(100))
      const {id, version} = await client.call(operations.getCustomerByKey, {key: 'k-57'})
      const actions = [{action: 'changeEmail', email: 'new@example.com'}] as never
      await client.call(operations.updateCustomerById, {id}, {body: {version, actions}})
      return seen({since: epoch, query: {where: 'type = "CustomerEmailChanged"'}, step: (_, turn) => turn < 4})
    },
    right: ['CustomerEmailChanged'],
  },
  {
    report: 'stripe/stripe-cli#389, stripe/stripe-cli#721',
    does: 'a connection that is lost for good, which is said',
    done: async ({client, seen}) => {
      let calls = 0
      const reader = {
        call: (operation: never, params: never, options: never) => {
          calls += 1
          if (calls > 3) throw new Unreachable('gone', false, 'id')
          return client.call(operation, params, options)
        },
        serverTime: () => client.serverTime(),
      } as unknown as Reader
      return seen({reader, step: (_, turn) => turn < 50}).catch((error: unknown) => (error as Error).message)
    },
    right: 'gone',
  },
]

describe('machine · messages that are lost', () => {
  async function place(server: RunningServer, client: Client): Promise<Place> {
    const create = async (...names: string[]): Promise<void> => {
      for (const key of names) {
        const body = {key, email: `${key}@example.com`, authenticationMode: 'ExternalAuth'} as never
        await client.call(operations.createCustomer, {}, {body})
      }
    }
    const seen = async ({reader = client, since, query = {}, step}: Seeing): Promise<string[]> => {
      const ended = new AbortController()
      const all: string[] = []
      let turn = 0
      for await (const batch of follow({client: reader, query, since, intervalMs: 1, signal: ended.signal})) {
        for (const message of batch) {
          const {customer} = message as unknown as {customer?: {key: string}}
          all.push(customer?.key ?? message.type)
        }
        turn += 1
        if (!(await step(all, turn))) ended.abort()
      }
      return all
    }
    return {server, client, create, seen}
  }

  for (const {report, does, done, right} of rows)
    it(`${does} (${report})`, async () => {
      await using server = await startServer({dataDir: ':memory:', projectKey: 'shop'})
      const {clientId, clientSecret} = server.client
      const credentials = {kind: 'client', clientId, secret: async () => clientSecret} as const
      const client = await connect({...server, kind: 'remote', projectKey: 'shop', credentials})
      try {
        expect(await done(await place(server, client))).to.deep.equal(right)
      } finally {
        await client.close()
      }
    }).timeout(60_000)
})
