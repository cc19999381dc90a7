import {expect} from 'chai'
import {openStore} from '../../../src/store/open.js'
import {texts} from '../contract/search.js'
import {facets, put, searchTexts, storeContract} from '../contract.js'
import {type Cluster, emptied, queried} from './cluster.js'
import {engineCluster, testedEngines} from './engines.js'

/** The tables as the server makes them, and as an administrator makes them where rows are distributed by hash. */
for (const engine of testedEngines) {
  describe(`store · PostgreSQL (${engine})`, () => {
    let cluster: Pick<Cluster, 'stop'> | undefined
    let url = ''

    before(async function () {
      const made = await engineCluster(engine)
      if (!made) return this.skip()
      cluster = made
      url = await made.database('contract')
    })

    after(() => cluster?.stop())

    it('makes the search texts of what a release without them has stored, once', async () => {
      const before = await openStore({dir: ':memory:', url, facets, writer: 'server'})
      await emptied(url)
      const people = Array.from({length: 600}, (_, at) => put(`p${at}`, 1, {name: `person${at}x`}))
      await before.commit('shop', people)
      await before.close()
      await queried(url, "DELETE FROM frontdesk.migration WHERE name LIKE 'search %'")
      const after = await open()
      try {
        const {results} = await after.search('shop', 'people', texts('person555x'))
        expect(results.map(({id}) => id)).to.deep.equal(['p555'])
        expect((await queried(url, "SELECT name FROM frontdesk.migration WHERE name LIKE 'search %'")).length).to.equal(
          1,
        )
      } finally {
        await after.close()
      }
    })

    const open = () => openStore({dir: ':memory:', url, facets, searchTexts, writer: 'server'})

    storeContract(
      `PostgreSQL, ${engine}`,
      async () => {
        const store = await open()
        await emptied(url)
        return store
      },
      {
        texts: true,
        reopen: async (store) => {
          await store.close()
          return open()
        },
      },
    )
  })
}
