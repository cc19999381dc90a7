import {openStore} from '../../../src/store/open.js'
import {engines, storeSchema} from '../../../src/store/postgres/connection/engines.js'
import {facets, searchTexts, storeContract} from '../contract.js'
import {type Cluster, emptied, queried, startCluster} from './cluster.js'

/** The tables as the server makes them, and as an administrator makes them where rows are distributed by hash. */
for (const engine of engines.filter((name) => name === 'postgres' || name === 'partitioned')) {
  describe(`store · PostgreSQL (${engine})`, () => {
    let cluster: Cluster | undefined
    let url = ''

    before(async function () {
      this.timeout(180_000)
      cluster = await startCluster()
      if (!cluster) return this.skip()
      url = await cluster.database('contract')
      if (engine === 'partitioned') await queried(url, storeSchema(engine, facets).join(';\n'))
    })

    after(() => cluster?.stop())

    const open = () => openStore({dir: ':memory:', url, facets, searchTexts, writer: 'server'})

    storeContract(
      `PostgreSQL, ${engine}`,
      async () => {
        const store = await open()
        await emptied(url)
        return store
      },
      async (store) => {
        await store.close()
        return open()
      },
    )
  })
}
