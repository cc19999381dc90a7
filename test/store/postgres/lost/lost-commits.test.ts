import {expect} from 'chai'
import {openStore} from '../../../../src/store/open.js'
import {facets, put} from '../../contract.js'
import {cutLine, type Line} from '../../lowdb/cut-line.js'
import {citusCluster, citusEngine, isOnCitus, lastNode} from '../citus.js'
import {type Cluster, queried} from '../cluster.js'

/** The last word of a commit, as the node that loses it gets it. */
const words = citusEngine === 'citus' ? /^Q[\s\S]{4}COMMIT\0/ : /COMMIT PREPARED/

/** The last word of a commit to one node gets lost: what it wrote there appears when the nodes have recovered. */
describe(`store · PostgreSQL (${citusEngine}) whose node loses the end of a commit`, () => {
  let cluster: Pick<Cluster, 'database' | 'stop'> | undefined
  let line: Line | undefined
  let url = ''
  const seen = {cuts: 0}

  before(async function () {
    if (!isOnCitus) return this.skip()
    line = await cutLine(lastNode())
    cluster = citusCluster(facets, new Map([[lastNode(), line.port]]))
    url = await cluster.database('lost')
  })

  after(async () => {
    await cluster?.stop()
    await line?.stop()
  })

  /** Passes the words on, and ends the connection before they are answered; every so many times. */
  const loseAnswers = (every: number): void => {
    let count = 0
    let isLost = false
    if (!line) return
    line.fromClient = (bytes) => {
      if (words.test(bytes)) {
        count += 1
        isLost = count % every === 0
      }
      return 'pass'
    }
    line.fromServer = () => {
      if (!isLost) return 'pass'
      isLost = false
      seen.cuts += 1
      return 'cut'
    }
  }

  it('refuses nothing that it stored, and leaves no unique key without its holder', async () => {
    const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    const known = new Map<string, {version: number; key: string}>()
    const refused: string[] = []
    let unknown = 0
    loseAnswers(7)
    for (let at = 0; at < 60; at += 1) {
      const id = `p${at}`
      for (let version = 1; version <= 3; version += 1) {
        const key = `email:${id}-${version}`
        try {
          await store.commit(`shop${at % 8}`, [put(id, version, {name: key}, [key]), put(`m${id}${version}`, 1)])
          known.set(`shop${at % 8} ${id}`, {version, key})
        } catch (error) {
          if ((error as {code?: string}).code === 'OverCapacity') unknown += 1
          else refused.push(`${id} ${version}: ${String(error)}`)
          break
        }
      }
    }
    if (line) line.fromClient = line.fromServer = () => 'pass'
    await queried(url, 'SELECT recover_prepared_transactions()')
    expect(seen.cuts).to.be.greaterThan(3)
    expect(refused).to.deep.equal([])
    for (const [place, {version, key}] of known) {
      const [project = '', id = ''] = place.split(' ')
      const found = await store.get(project, 'people', id)
      expect(found?.version, place).to.be.at.least(version)
      if (found?.version === version) expect((await store.find(project, 'people', key))?.id, key).to.equal(id)
    }
    const keys = await queried<{project: string; key: string; holder: string}>(
      url,
      'SELECT project, key, holder FROM frontdesk.unique_key',
    )
    for (const {project, key, holder} of keys) {
      expect(await store.get(project, 'people', holder), key).to.have.property('name', key)
    }
    console.log(`      ${seen.cuts} ends were lost, ${known.size} customers known, ${unknown} unknown`)
    await store.close()
  })
})
