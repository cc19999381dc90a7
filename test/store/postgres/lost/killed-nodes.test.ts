import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {ApiError, type RunningServer, startServer} from '../../../../src/index.js'
import {facets} from '../../../../src/server/local/facets.js'
import {examine} from '../../../../src/store/postgres/doctor.js'
import {citusCluster, citusEngine, clusterPorts, isOnCitus, Node} from '../citus.js'
import {type Cluster, queried} from '../cluster.js'
import {frontOf, Ledger} from '../sign-up-ledger.js'

const workers = 6
const rounds = 3

describe(`store · two servers on PostgreSQL (${citusEngine}) whose nodes are killed`, () => {
  let cluster: Pick<Cluster, 'database' | 'stop'> | undefined
  let url = ''
  let folder = ''
  let servers: RunningServer[] = []
  const faults: unknown[] = []

  before(async function () {
    if (!isOnCitus) return this.skip()
    cluster = citusCluster(facets)
    url = await cluster.database('killed')
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-nodes-'))
    servers = await Promise.all(
      ['one', 'two'].map((name) =>
        startServer({
          dataDir: join(folder, name),
          storeUrl: url,
          projectKey: 'shop',
          settings: {passwordCost: 4},
          onFault: (error) => faults.push(error),
        }),
      ),
    )
  })

  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await cluster?.stop()
    if (folder !== '') rmSync(folder, {recursive: true})
  })

  it('loses no sign-up, refuses none that it stored, and leaves no key without its holder', async () => {
    const nodes = await Promise.all(clusterPorts.map((port) => Node.at(port)))
    const fronts = await Promise.all(servers.map((server) => frontOf(server, 'shop')))
    // A commit over several nodes shows on one that was killed once it is recovered (docs/deployment.md).
    const ledger = new Ledger({mayMiss: citusEngine === 'citus-by-id'})
    const stop = new AbortController()
    const running = Promise.all(Array.from({length: workers}, (_, at) => ledger.load(fronts, at, stop.signal)))
    // The nodes first, then the coordinator.
    const order = [...nodes.slice(1), ...nodes.slice(0, 1)]
    for (let round = 0; round < rounds; round += 1) {
      for (const node of order) {
        await ledger.more(20)
        await node.restart()
      }
    }
    await ledger.more(20)
    stop.abort()
    await running
    await queried(url, 'SELECT recover_prepared_transactions()')
    const unexplained = faults.filter(
      (fault) => !(fault instanceof ApiError && fault.statusCode === 503 && fault.cause),
    )
    expect(unexplained).to.deep.equal([])
    await ledger.check(url)
    expect((await examine(url, false)).disagreements).to.deep.equal([])
    console.log(`      ${ledger.acknowledged} acknowledged`, Object.fromEntries(ledger.answers))
  })
})
