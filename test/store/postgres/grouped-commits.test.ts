import {expect} from 'chai'
import {CommitUnknown} from '../../../src/store/postgres/connection/faults.js'
import {GroupedCommits} from '../../../src/store/postgres/grouped-commits.js'
import {type Change, Missing, type Requirement, UniqueConflict, VersionConflict} from '../../../src/store/store.js'
import {patienceMs} from '../../patience.js'

const birth = (id: string, key = `key:${id}`): Change[] => [
  {kind: 'people', expect: 0, doc: {id, version: 1}, uniqueKeys: [{key}]},
]
const idsOf = (changes: readonly Change[]) => changes.map((change) => ('doc' in change ? change.doc.id : ''))

describe('store · commits that share a transaction', () => {
  /** Transactions as they came; `fail` throws for those that fail. */
  function grouped(fail: (ids: string[], count: number) => void = () => undefined, slowMs = patienceMs) {
    const transactions: string[][] = []
    const commits = new GroupedCommits(async ({changes}) => {
      transactions.push(idsOf(changes))
      await new Promise(setImmediate)
      fail(idsOf(changes), transactions.length)
    }, slowMs)
    return {commits, transactions}
  }
  const committed = async (commits: GroupedCommits, changes: readonly Change[], required: Requirement[] = []) => {
    const alone = await commits.commit({project: 'shop', changes, required})
    alone?.over?.()
    return alone && {unanswered: alone.unanswered}
  }
  const outcomes = (commits: GroupedCommits, all: readonly Change[][]) =>
    Promise.all(all.map(async (changes) => ((await committed(commits, changes)) ? 'alone' : 'stored')))

  it('are those that come together; one alone has a commit of its own', async () => {
    const {commits, transactions} = grouped()
    expect(
      await outcomes(
        commits,
        ['a', 'b', 'c'].map((id) => birth(id)),
      ),
    ).to.deep.equal(Array(3).fill('stored'))
    expect(await outcomes(commits, [birth('d')])).to.deep.equal(['alone'])
    expect(transactions).to.deep.equal([['a', 'b', 'c']])
  })

  it('keep the order of those who want the same, in transactions that follow each other', async () => {
    const {commits, transactions} = grouped()
    const all = [birth('a'), birth('b'), birth('c', 'key:a'), birth('d'), birth('a', 'key:e'), birth('f')]
    expect(await outcomes(commits, all)).to.deep.equal(Array(6).fill('stored'))
    expect(transactions).to.deep.equal([
      ['a', 'b'],
      ['c', 'd', 'a', 'f'],
    ])
  })

  it('are not those of which one changes what another requires at its version', async () => {
    const {commits, transactions} = grouped()
    const required = [{kind: 'people', require: 'a', version: 1}]
    await Promise.all([
      committed(commits, birth('a')),
      committed(commits, birth('b')),
      committed(commits, birth('c'), required),
      committed(commits, birth('d')),
    ])
    expect(transactions).to.deep.equal([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('go on without those whose key is held, who learn it by themselves', async () => {
    const {commits, transactions} = grouped((ids) => {
      for (const id of ['b', 'd']) if (ids.includes(id)) throw new UniqueConflict(`key:${id}`, 'held')
    })
    const found = await outcomes(
      commits,
      ['a', 'b', 'c', 'd', 'e'].map((id) => birth(id)),
    )
    expect(found).to.deep.equal(['stored', 'alone', 'stored', 'alone', 'stored'])
    expect(transactions.at(-1)).to.deep.equal(['a', 'c', 'e'])
  })

  it('are committed one by one after any other failure, and looked for where it may have been none', async () => {
    const lost = new CommitUnknown('no answer')
    const {commits} = grouped((_, count) => {
      throw count === 1 ? lost : new Error('a deadlock')
    })
    const first = await Promise.all([committed(commits, birth('a')), committed(commits, birth('b'))])
    expect(first).to.deep.equal([{unanswered: lost}, {unanswered: lost}])
    const second = await Promise.all([committed(commits, birth('c')), committed(commits, birth('d'))])
    expect(second).to.deep.equal([{unanswered: undefined}, {unanswered: undefined}])
  })

  it('go on without those whose document has moved, or who require one that has gone', async () => {
    const {commits, transactions} = grouped((ids) => {
      if (ids.includes('b')) throw new VersionConflict('people', 'b', 1, 2)
      if (ids.includes('c')) throw new Missing('groups', 'g')
    })
    const ends = await Promise.all([
      committed(commits, birth('a')),
      committed(commits, birth('b')),
      committed(commits, birth('c'), [{kind: 'groups', require: 'g'}]),
      committed(commits, birth('d'), [{kind: 'groups', require: 'h'}]),
    ])
    expect(ends.map((alone) => alone !== undefined)).to.deep.equal([false, true, true, false])
    expect(transactions.at(-1)).to.deep.equal(['a', 'd'])
  })

  it('gather while two are under way, one of which may be alone', async () => {
    const {commits, transactions} = grouped()
    const first = await commits.commit({project: 'shop', changes: birth('a'), required: []})
    const second = await commits.commit({project: 'shop', changes: birth('b'), required: []})
    const waiting = outcomes(commits, [birth('c'), birth('d'), birth('e')])
    await new Promise(setImmediate)
    expect(transactions).to.deep.equal([])
    first?.over?.()
    expect(await waiting).to.deep.equal(['stored', 'stored', 'stored'])
    expect(transactions).to.deep.equal([['c', 'd', 'e']])
    second?.over?.()
  })

  it('wait for none that takes long', async () => {
    const {commits} = grouped(undefined, 1)
    for (const id of ['a', 'b']) await commits.commit({project: 'shop', changes: birth(id), required: []})
    expect(await outcomes(commits, [birth('c'), birth('d')])).to.deep.equal(['stored', 'stored'])
  })

  it('leave to themselves what removes, completes later or has keys that are shared', () => {
    const [put] = birth('a')
    const takes = (change: object, complete?: unknown) =>
      GroupedCommits.takes([{...put, ...change} as Change], complete)
    expect([takes({}), takes({expect: 1})]).to.deep.equal([true, true])
    expect(takes({}, async () => [])).to.equal(false)
    expect(takes({uniqueKeys: [{key: 'k', shared: true}]})).to.equal(false)
    expect(GroupedCommits.takes([{kind: 'people', expect: 1, remove: 'a'}], undefined)).to.equal(false)
  })
})
