import {EventEmitter} from 'node:events'
import {expect} from 'chai'
import pg from 'pg'
import {isLost} from '../../../src/store/postgres/connection/faults.js'
import {Pool, type PoolOptions} from '../../../src/store/postgres/connection/pool.js'

/** A connection to nothing. */
class FakeClient extends EventEmitter {
  isEnded = false

  end(): Promise<void> {
    this.isEnded = true
    this.emit('end')
    return Promise.resolve()
  }
}

const noRoom = (): Error => {
  const error = new pg.DatabaseError('too many connections for role "clerk"', 0, 'error')
  error.code = '53300'
  return error
}

/** A database that gives `room` connections at once. */
function limited(room: number) {
  const open = new Set<FakeClient>()
  const world = {room, asked: 0, most: 0, failure: noRoom}
  const connect = async (): Promise<pg.Client> => {
    world.asked += 1
    await Promise.resolve()
    if (open.size >= world.room) throw world.failure()
    const client = new FakeClient()
    open.add(client)
    world.most = Math.max(world.most, open.size)
    client.once('end', () => open.delete(client))
    return client as unknown as pg.Client
  }
  const pools: Pool[] = []
  const pool = (options: Partial<PoolOptions> = {}): Pool => {
    const made = new Pool({connect, max: 20, waitMs: 2_000, retryMs: 5, ...options})
    pools.push(made)
    return made
  }
  return {world, open, pool, close: () => Promise.all(pools.map((one) => one.close()))}
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Takes a connection, uses it for a turn of the event loop and gives it back. */
async function use(pool: Pool, holding = false): Promise<void> {
  const lease = await pool.acquire(holding)
  await turn()
  pool.release(lease, false)
}

describe('store · connections of PostgreSQL', () => {
  let given: ReturnType<typeof limited>

  afterEach(() => given.close())

  it('serves all requests over the connections that the database gives', async () => {
    for (const room of [1, 2, 6, 40]) {
      given = limited(room)
      const pool = given.pool()
      await Promise.all(Array.from({length: 200}, (_, at) => use(pool, at % 2 === 0)))
      expect(given.world.most).to.equal(Math.min(room, 20))
      expect(given.world.asked, 'attempts to connect').to.be.below(100)
      await given.close()
    }
  })

  it('waits for a first connection, and says what kept it from one', async () => {
    given = limited(0)
    const pool = given.pool({waitMs: 40})
    const error = await pool.acquire(false).catch((reason: unknown) => reason)
    expect((error as Error).cause).to.include({code: '53300'})
    const patient = given.pool()
    const later = use(patient)
    given.world.room = 1
    await later
    expect(given.world.most).to.equal(1)
  })

  it('says at once that there is no database', async () => {
    given = limited(0)
    given.world.failure = () => Object.assign(new Error('connect ECONNREFUSED'), {code: 'ECONNREFUSED'})
    const pool = given.pool()
    const ends = await Promise.allSettled(Array.from({length: 50}, () => pool.acquire(false)))
    expect(ends.every((end) => end.status === 'rejected' && end.reason.code === 'ECONNREFUSED')).to.equal(true)
  })

  it('keeps two thirds of the connections for work that does not hold them', async () => {
    given = limited(6)
    const pool = given.pool({max: 6})
    const held = await Promise.all([pool.acquire(true), pool.acquire(true)])
    let third = false
    const waiting = pool.acquire(true).then((lease) => {
      third = true
      return lease
    })
    await Promise.all(Array.from({length: 20}, () => use(pool)))
    expect(third).to.equal(false)
    for (const lease of held) pool.release(lease, false)
    pool.release(await waiting, false)
  })

  it('replaces a connection that ends, idle or in use', async () => {
    given = limited(2)
    const pool = given.pool({max: 2})
    const lease = await pool.acquire(false)
    await use(pool)
    for (const client of [...given.open]) await client.end()
    pool.release(lease, false)
    const [one, other] = await Promise.all([pool.acquire(false), pool.acquire(false)])
    expect(one.client).not.to.equal(lease.client)
    expect([one, other].some(({client}) => (client as unknown as FakeClient).isEnded)).to.equal(false)
    for (const each of [one, other]) pool.release(each, false)
  })

  it('goes on with none of the connections that were outdated', async () => {
    given = limited(3)
    const pool = given.pool({max: 3})
    const used = await pool.acquire(false)
    await use(pool)
    pool.outdate()
    expect(given.open.size).to.equal(1)
    pool.release(used, false)
    expect(given.open.size).to.equal(0)
    await use(pool)
  })

  it('takes a connection for lost with its server, also as Citus tells of it, and with no other internal error', () => {
    const isLostBy = (message: string) =>
      isLost(Object.assign(new pg.DatabaseError(message, message.length, 'error'), {code: 'XX000'}))
    expect(isLostBy('postmaster was shut down, exiting')).to.equal(true)
    expect(isLostBy('cache lookup failed')).to.equal(false)
  })

  it('closes what nobody uses at once and what is used at its end', async () => {
    given = limited(3)
    const pool = given.pool()
    const lease = await pool.acquire(false)
    const closed = pool.close()
    expect(await pool.acquire(false).catch((error: Error) => error.message)).to.include('closed')
    pool.release(lease, false)
    await closed
    expect(given.open.size).to.equal(0)
  })
})
