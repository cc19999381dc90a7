import {openStore} from '../../src/store/open.js'
import {facets, storeContract} from './contract.js'
import {type Cluster, emptied, startCluster} from './postgres-cluster.js'

describe('store · PostgreSQL', () => {
  let cluster: Cluster | undefined
  let url = ''

  before(async function () {
    this.timeout(180_000)
    cluster = await startCluster()
    if (!cluster) this.skip()
    else url = await cluster.database('contract')
  })

  after(() => cluster?.stop())

  const open = () => openStore({dir: ':memory:', url, facets, writer: 'server'})

  storeContract(
    'PostgreSQL',
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
