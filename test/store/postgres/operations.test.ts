import {createHash} from 'node:crypto'
import {expect} from 'chai'
import {type Secrets, secrets} from '../../../src/secrets/secrets.js'
import {type Desk, openDesk} from '../../api/harness.js'
import {beside, everyOperation, walk} from '../../api/operation/walk.js'
import {rounds} from '../../rounds.js'
import {isOnCitus} from './citus.js'
import {type Cluster, startCluster} from './cluster.js'

/** Ids and tokens that are the same in each process and store. */
function counted(): Secrets {
  let count = 0
  const next = (): Buffer => {
    count += 1
    return createHash('sha512').update(String(count)).digest()
  }
  return {
    ...secrets,
    uuid: () =>
      next()
        .toString('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5'),
    token: (bytes) => next().subarray(0, bytes).toString('base64url'),
  }
}

describe('store · operations on PostgreSQL beside those in memory', () => {
  let cluster: Cluster | undefined
  let desks: Desk[] = []
  let opened = 0

  before(async function () {
    cluster = await startCluster()
    if (!cluster) return this.skip()
    // The demo is read once, with ids of its own.
    await openDesk({seed: true})
  })

  const closed = async (): Promise<void> => {
    for (const {runtime} of desks) await runtime.state.close()
  }

  after(async () => {
    await closed()
    await cluster?.stop()
  })

  const open = async (): Promise<readonly Desk[]> => {
    await closed()
    opened += 1
    const storeUrl = (await cluster?.database(`operations_${opened}`)) ?? ''
    desks = await Promise.all([
      openDesk({seed: true, secrets: counted()}),
      openDesk({seed: true, secrets: counted(), storeUrl}),
    ])
    return desks
  }

  it('answer the same', async () => {
    const isWhole = isOnCitus || rounds(0, 1) === 1
    await walk(open, [...(isWhole ? everyOperation : []), ...beside], (id, [inMemory, stored]) => {
      expect({status: stored?.status, body: stored?.body}, id).to.deep.equal({
        status: inMemory?.status,
        body: inMemory?.body,
      })
    })
  })
})
