import {expect} from 'chai'
import {openStore} from '../../../src/store/open.js'
import {CommitUnknown} from '../../../src/store/postgres/connection/faults.js'
import {GroupedBirths} from '../../../src/store/postgres/grouped-births.js'
import {type Change, UniqueConflict} from '../../../src/store/store.js'
import {facets} from '../contract.js'
import {type Cluster, queried, startCluster} from './cluster.js'

const birth = (id: string, key = `key:${id}`): Change[] => [
  {kind: 'people', expect: 0, doc: {id, version: 1}, uniqueKeys: [{key}]},
]
const idsOf = (changes: readonly Change[]) => changes.map((change) => ('doc' in change ? change.doc.id : ''))

describe('store · births that share a transaction', () => {
  /** Transactions as they came; `fail` throws for those that fail. */
  function grouped(fail: (ids: string[], count: number) => void = () => undefined) {
    const transactions: string[][] = []
    const births = new GroupedBirths(async (_, changes) => {
      transactions.push(idsOf(changes))
      await new Promise(setImmediate)
      fail(idsOf(changes), transactions.length)
    })
    return {births, transactions}
  }
  const outcomes = (births: GroupedBirths, all: readonly Change[][]) =>
    Promise.all(all.map(async (changes) => ((await births.commit('shop', changes)) ? 'alone' : 'stored')))

  it('are those that come together; one alone has a commit of its own', async () => {
    const {births, transactions} = grouped()
    expect(
      await outcomes(
        births,
        ['a', 'b', 'c'].map((id) => birth(id)),
      ),
    ).to.deep.equal(Array(3).fill('stored'))
    expect(await outcomes(births, [birth('d')])).to.deep.equal(['alone'])
    expect(transactions).to.deep.equal([['a', 'b', 'c']])
  })

  it('keep the order of those who want the same, in transactions that follow each other', async () => {
    const {births, transactions} = grouped()
    const all = [birth('a'), birth('b'), birth('c', 'key:a'), birth('d'), birth('a', 'key:e'), birth('f')]
    expect(await outcomes(births, all)).to.deep.equal(Array(6).fill('stored'))
    expect(transactions).to.deep.equal([
      ['a', 'b'],
      ['c', 'd', 'a', 'f'],
    ])
  })

  it('go on without those whose key is held, who learn it by themselves', async () => {
    const {births, transactions} = grouped((ids) => {
      for (const id of ['b', 'd']) if (ids.includes(id)) throw new UniqueConflict(`key:${id}`, 'held')
    })
    const found = await outcomes(
      births,
      ['a', 'b', 'c', 'd', 'e'].map((id) => birth(id)),
    )
    expect(found).to.deep.equal(['stored', 'alone', 'stored', 'alone', 'stored'])
    expect(transactions.at(-1)).to.deep.equal(['a', 'c', 'e'])
  })

  it('are committed one by one after any other failure, and looked for where it may have been none', async () => {
    const lost = new CommitUnknown('no answer')
    const {births} = grouped((_, count) => {
      throw count === 1 ? lost : new Error('a deadlock')
    })
    const first = await Promise.all([births.commit('shop', birth('a')), births.commit('shop', birth('b'))])
    expect(first).to.deep.equal([{unanswered: lost}, {unanswered: lost}])
    const second = await Promise.all([births.commit('shop', birth('c')), births.commit('shop', birth('d'))])
    expect(second).to.deep.equal([{unanswered: undefined}, {unanswered: undefined}])
  })

  it('leave to themselves what is more than new documents with keys of their own', () => {
    const [put] = birth('a')
    const takes = (change: Partial<Change>, required = 0, complete?: unknown) =>
      GroupedBirths.takes(
        [{...put, ...change} as Change],
        Array.from({length: required}, () => ({kind: 'groups', require: 'g'})),
        complete,
      )
    expect(takes({})).to.equal(true)
    expect([takes({expect: 1}), takes({}, 1), takes({}, 0, async () => [])]).to.deep.equal([false, false, false])
    expect(takes({uniqueKeys: [{key: 'k', shared: true}]} as never)).to.equal(false)
  })
})

describe('store · PostgreSQL, births that share a transaction', () => {
  let cluster: Cluster | undefined
  before(async function () {
    cluster = await startCluster()
    if (!cluster) this.skip()
  })
  after(() => cluster?.stop())

  it('need few transactions, and refuse nobody but those who clash', async () => {
    const url = (await cluster?.database('births')) ?? ''
    const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    try {
      await store.commit('shop', birth('held', 'key:7'))
      const all = Array.from({length: 60}, (_, at) => store.commit('shop', birth(`p${at}`, `key:${at}`)))
      const ended = await Promise.allSettled(all)
      const refused = ended.flatMap((end, at) => (end.status === 'rejected' ? [[at, end.reason as unknown]] : []))
      expect(refused.map(([at]) => at)).to.deep.equal([7])
      expect(refused[0]?.[1]).to.be.instanceOf(UniqueConflict).and.include({key: 'key:7', state: 'held'})
      const [found] = await queried(
        url,
        "SELECT count(*) documents, count(DISTINCT xmin::text) transactions FROM frontdesk.document WHERE kind = 'people'",
      )
      expect(Number(Object.values(found ?? {})[0])).to.equal(60)
      expect(Number(Object.values(found ?? {})[1])).to.be.lessThan(6)
      const {total} = await store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 100}})
      expect(total).to.equal(60)
    } finally {
      await store.close()
    }
  })
})
