import {expect} from 'chai'
import type {Caller} from '../../src/domain/errors.js'
import type {Predicate} from '../../src/query/ast.js'
import {Scans} from '../../src/store/adapter/scans.js'
import {InMemory} from '../../src/store/lowdb/backing.js'
import type {Collection} from '../../src/store/lowdb/directory/collection.js'
import {LowStore} from '../../src/store/lowdb/low-store.js'
import {scanning, stepBytes} from '../../src/store/lowdb/read/select.js'
import type {Document, Page} from '../../src/store/store.js'
import {limits} from '../../src/work/limits.js'
import {spendTurn} from '../../src/work/time-slices.js'

const refusalOf = async (
  work: () => unknown,
): Promise<{statusCode?: number; message?: string; retryAfterSeconds?: number}> => {
  try {
    await work()
    return {}
  } catch (error) {
    return error as object
  }
}

const text = (path: string, value: string): Predicate => ({
  op: 'compare',
  field: {path: [path], type: 'string'},
  comparison: '=',
  value,
})

/** People in a store whose every look at the clock takes so long. */
async function people(stepMs: number, limits: object = {}): Promise<LowStore> {
  let now = 0
  const clock = () => {
    now += stepMs
    return now
  }
  const facets = {person: {email: (document: Document) => (document as {email?: string}).email}}
  const store = new LowStore(new InMemory(), facets, {}, new Scans({clock, cpu: clock, ...limits}))
  const changes = Array.from({length: 1_000}, (_, at) => {
    const doc = {id: `p${String(at).padStart(4, '0')}`, version: 1, email: `${at % 10}@example.com`, name: 'Ada'}
    return {kind: 'person', expect: 0, doc}
  })
  await store.commit('shop', changes)
  return store
}

/** Clocks of which each look takes so many milliseconds. */
function ticking(passedMs = 10, workedMs = passedMs) {
  const clockOf = (stepMs: number) => {
    let now = 0
    return () => {
      now += stepMs
      return now
    }
  }
  return {clock: clockOf(passedMs), cpu: clockOf(workedMs)}
}

const caller = (isGone = () => false): Caller => ({isGone})

describe('store · scans', () => {
  const page: Page = {limit: 500, offset: 0, count: {cap: 10_000}}

  it('lets a short query run without a turn', async () => {
    const store = await people(0.001, {atOnce: 0, waiting: 0})
    const {results, total} = await store.query('shop', 'person', {...page, where: text('email', '3@example.com')})
    expect([results.length, total]).to.deep.equal([100, 100])
  })

  it('gives a query up after its budget of work, and names what no index serves', async () => {
    const store = await people(20)
    const where: Predicate = {op: 'and', terms: [text('name', 'Ada'), text('title', 'Dr')]}
    const refused = await refusalOf(() => store.query('shop', 'person', {...page, where}))
    expect(refused).to.include({statusCode: 503})
    expect(refused.message).to.include(`no index serves name, title.`)
    const sorted = {...page, sort: [{field: {path: ['name'], type: 'string'}, direction: 'desc'}]} as const
    expect((await refusalOf(() => store.query('shop', 'person', sorted))).message).to.include(
      'no index serves the sort',
    )
    const served: Predicate = {op: 'and', terms: [text('email', '3@example.com'), text('name', 'Bob')]}
    const slow = await people(200)
    const partly = await refusalOf(() => slow.query('shop', 'person', {...page, where: served}))
    expect(partly.message).to.include(`no index serves name.`)
  })

  it('closes what the work of a query keeps open once it is given up', async () => {
    let isClosed = false
    function* work() {
      try {
        for (;;) yield stepBytes
      } finally {
        isClosed = true
      }
    }
    const query = {scans: new Scans({...ticking(), budgetMs: 0}), caller: undefined, unserved: () => 'nothing.'}
    const collection = {pin: () => () => {}} as Collection
    expect(await refusalOf(() => scanning(collection, query, work))).to.include({statusCode: 503})
    expect(isClosed).to.equal(true)
  })

  it('keeps nothing of a query that was given up', async () => {
    const store = await people(20, {atOnce: 1, waiting: 0})
    for (let round = 0; round < 3; round += 1) {
      const refused = await refusalOf(() => store.query('shop', 'person', {...page, where: text('name', 'Bob')}))
      expect(refused.message).to.include('given up')
    }
  })

  it('begins few queries before others are answered, and closes what each reads once it fails', async () => {
    let hasLeft = false
    const store = await people(10, {begun: 3, freeMs: 10_000, budgetMs: 1_000_000})
    const begun = new Set<number>()
    const asked = Array.from({length: 9}, (_, at) => {
      const take = () => {
        begun.add(at)
        return true
      }
      const asking = {...page, take, caller: caller(() => hasLeft)}
      return refusalOf(async () => store.query('shop', 'person', asking))
    })
    for (let turns = 0; turns < 8; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    expect([...begun]).to.deep.equal([0, 1, 2])
    hasLeft = true
    for (const refused of await Promise.all(asked)) expect(refused.message).to.equal('The caller has left.')
    expect((await store.query('shop', 'person', {...page, limit: 1})).results).to.have.length(1)
  })

  it('begins one query a turn of those that waited', async () => {
    const store = await people(0, {begun: 1})
    await store.query('shop', 'person', page)
    const turns: number[] = []
    let turn = 0
    // The first one has begun, and waits for a turn, when the others come.
    spendTurn()
    const asked = Array.from({length: 4}, () => {
      const take = () => {
        turns.push(turn)
        throw new Error('refused')
      }
      return refusalOf(async () => store.query('shop', 'person', {...page, take}))
    })
    for (; turns.length < 4 && turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all(asked)
    expect(new Set(turns).size).to.equal(4)
  })

  it('opens nothing in a turn that others have spent', async () => {
    const store = await people(0)
    await store.query('shop', 'person', page)
    let taken = 0
    const take = () => {
      taken += 1
      return true
    }
    await new Promise((resolve) => setImmediate(resolve))
    spendTurn()
    const found = store.query('shop', 'person', {...page, take})
    expect(taken).to.equal(0)
    expect((await found).results.length).to.equal(taken)
  })

  it('runs eight long queries at once, lets 64 wait in turn, and refuses more', async () => {
    const scans = new Scans({freeMs: -1, ...ticking()})
    const begun = Array.from({length: limits.scans + limits.waitingScans + 1}, () => scans.begin(() => ''))
    const ran: number[] = []
    const asked = begun.slice(0, -1).map(async (scan, at) => {
      await scan.step()
      ran.push(at)
    })
    const refused = await refusalOf(() => begun.at(-1)?.step())
    expect(refused).to.include({statusCode: 503, retryAfterSeconds: 2})
    await Promise.all(asked.slice(0, limits.scans))
    expect(ran).to.deep.equal(Array.from({length: limits.scans}, (_, at) => at))
    for (const [at, scan] of begun.slice(0, -1).entries()) {
      await asked[at]
      scan.end()
    }
    expect(ran).to.deep.equal(Array.from({length: begun.length - 1}, (_, at) => at))
    const later = scans.begin(() => '')
    await later.step()
    later.end()
  })

  it('counts the work of this thread, whatever the time that passes', async () => {
    const scan = new Scans({budgetMs: 100, freeMs: 1_000, ...ticking(1_000, 1)}).begin(() => 'nothing does.')
    for (let step = 0; step < 50; step += 1) await scan.step()
    const busy = new Scans({budgetMs: 100, freeMs: 1_000, ...ticking(10, 1_000)}).begin(() => 'nothing does.')
    const refused = await refusalOf(async () => {
      for (;;) await busy.step()
    })
    expect(refused.message).to.equal('The query was given up after 0.1 seconds of work: nothing does.')
  })

  it('ends a query whose caller has left, in its work and in its turn', async () => {
    let hasLeft = false
    const scans = new Scans({freeMs: -1, atOnce: 1, ...ticking()})
    const [first, second] = [1, 2].map(() =>
      scans.begin(
        () => '',
        caller(() => hasLeft),
      ),
    )
    await first?.step()
    const waiting = refusalOf(async () => second?.step())
    hasLeft = true
    expect((await refusalOf(async () => first?.step())).message).to.equal('The caller has left.')
    first?.end()
    expect((await waiting).message).to.equal('The caller has left.')
    second?.end()
    const other = scans.begin(() => '', caller())
    await other.step()
    other.end()
  })

  it('makes room for another query after a turn, and goes on after it', async () => {
    const scans = new Scans({freeMs: -1, atOnce: 1, turnMs: 15, ...ticking()})
    const [long, short] = [scans.begin(() => '', caller()), scans.begin(() => '', caller())]
    const order: string[] = []
    const other = async () => {
      await short.step()
      order.push('b')
      short.end()
    }
    await long.step()
    const beside = other()
    for (let step = 0; step < 5; step += 1) await long.step()
    order.push('a')
    await beside
    expect(order).to.deep.equal(['b', 'a'])
    long.end()
  })

  it('finds the same by many values of an index as by few', async () => {
    const store = await people(0.001)
    const emails = Array.from({length: 40}, (_, at) => `${at}@example.com`)
    const where: Predicate = {op: 'in', field: {path: ['email'], type: 'string'}, negated: false, values: emails}
    const {results, total} = await store.query('shop', 'person', {...page, where})
    expect(total).to.equal(1_000)
    expect(results.map(({id}) => id)).to.deep.equal(
      Array.from({length: 500}, (_, at) => `p${String(at).padStart(4, '0')}`),
    )
  })
})
