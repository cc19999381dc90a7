import {expect} from 'chai'
import pg from 'pg'
import type {Lease} from '../../../src/store/postgres/connection/pool.js'
import {SharedConnection} from '../../../src/store/postgres/connection/shared-connection.js'
import {patienceMs} from '../../patience.js'

describe('store · a connection that is shared', () => {
  /** Numbers of the leases that were taken, and of those given back; users that stay until they are let go. */
  function subject(joinedMs = patienceMs) {
    const leases: Lease[] = []
    const back: string[] = []
    const lease = async (): Promise<Lease> => {
      const taken = {client: {}, holding: false} as unknown as Lease
      leases.push(taken)
      return taken
    }
    const giveBack = (given: Lease, isBroken: boolean) =>
      back.push(`${leases.indexOf(given)}${isBroken ? ' broken' : ''}`)
    const connection = new SharedConnection(lease, giveBack, joinedMs)
    const user = () => {
      let go: (error?: Error) => void = () => undefined
      const stay = new Promise<void>((resolve, reject) => {
        go = (error) => (error ? reject(error) : resolve())
      })
      const ended = connection.use(() => stay).catch((error: Error) => error.message)
      const leave = async (error?: Error) => {
        go(error)
        await ended
        await new Promise((resolve) => setImmediate(resolve))
      }
      return {leave}
    }
    return {leases, back, user}
  }

  it('is broken by the end of its server, also as Citus tells of it, and by no other internal error', async () => {
    const {back, user} = subject()
    for (const message of ['postmaster was shut down, exiting', 'cache lookup failed']) {
      await user().leave(Object.assign(new pg.DatabaseError(message, message.length, 'error'), {code: 'XX000'}))
    }
    expect(back).to.deep.equal(['0 broken', '1'])
  })

  it('is given back by its last user, and taken anew by the next one', async () => {
    const {leases, back, user} = subject()
    const [first, second] = [user(), user()]
    await first.leave()
    const third = user()
    await second.leave()
    expect(back).to.deep.equal([])
    await third.leave()
    expect(back).to.deep.equal(['0'])
    await user().leave()
    expect(back).to.deep.equal(['0', '1'])
    expect(leases).to.have.lengthOf(2)
  })

  it('is joined by nobody once it has broken, and given back as broken', async () => {
    const {leases, back, user} = subject()
    const [first, second] = [user(), user()]
    await first.leave(new Error('Connection terminated unexpectedly'))
    const third = user()
    expect(leases).to.have.lengthOf(2)
    await second.leave()
    await third.leave()
    expect(back).to.deep.equal(['0 broken', '1'])
  })

  it('survives the failure of a statement', async () => {
    const {back, user} = subject()
    await user().leave(new Error('division by zero'))
    expect(back).to.deep.equal(['0'])
  })

  it('is joined for a while only', async () => {
    const {leases, back, user} = subject(0)
    const [first, second] = [user(), user()]
    await second.leave()
    await first.leave()
    expect(leases).to.have.lengthOf(2)
    expect(back).to.deep.equal(['1', '0'])
  })
})
