import {expect} from 'chai'
import {Scans} from '../../../src/store/adapter/scans.js'
import {openStore} from '../../../src/store/open.js'
import type {OpenedStore} from '../../../src/store/opened-store.js'
import {databaseAddressOf} from '../../../src/store/postgres/connection/address.js'
import {Connections, type Run} from '../../../src/store/postgres/connection/connections.js'
import {searchPage} from '../../../src/store/postgres/search.js'
import {Selection} from '../../../src/store/postgres/select.js'
import type {Search} from '../../../src/store/searchable.js'
import {everything, facets, put, searchTexts, times} from '../contract/subject.js'
import {type Cluster, startCluster} from './cluster.js'

const long = 100_000

describe('store · long documents in PostgreSQL', () => {
  let cluster: Cluster
  let store: OpenedStore
  let connections: Connections
  /** Bytes of each answer of the database since the last look. */
  let answers: number[] = []

  const counting =
    (run: Run): Run =>
    async (...given) => {
      const answer = await run(...given)
      answers.push(answer.rows.flat().reduce((sum, text) => sum + (text?.length ?? 0), 0))
      return answer
    }

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
    const url = await cluster.database('large')
    store = await openStore({dir: ':memory:', url, facets, searchTexts, writer: 'server'})
    await store.commit(
      'shop',
      times(30, (at) => put(`p${at}`, 1, {name: `${at} ${'x'.repeat(long)}`})),
    )
    connections = new Connections(databaseAddressOf(url))
  })

  after(async () => {
    await connections?.close()
    await store?.close()
    await cluster?.stop()
  })

  beforeEach(() => {
    answers = []
  })

  const place = ['shop', 'people'] as const

  it('are read once they fit, each by itself', async () => {
    let left = 3.5 * long
    const take = (bytes: number) => {
      left -= bytes
      return left >= 0
    }
    const selection = new Selection(facets, place, {...everything, take}, (column) => column.length)
    const {results, isCut} = await connections.reading((run) => selection.read(counting(run)))
    expect([results.length, isCut]).to.deep.equal([3, true])
    expect(answers.filter((bytes) => bytes > long)).to.have.lengthOf(3)
    expect(Math.max(...answers)).to.be.lessThan(1.1 * long)
  })

  it('are searched one by one', async () => {
    const reading: Connections['reading'] = (work) => connections.reading((run) => work(counting(run)))
    const counted = Object.assign(Object.create(connections), {reading}) as Connections
    const searched = {facets, searchText: searchTexts['people'] as never, place}
    const relevance: Search['relevance'] = (candidate) => candidate.document() && 1
    const {total} = await searchPage(counted, new Scans(), searched, {relevance, order: [], ...everything})
    expect(total).to.equal(30)
    expect(Math.max(...answers)).to.be.lessThan(1.1 * long)
  })
})
