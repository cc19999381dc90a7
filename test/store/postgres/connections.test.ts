import {expect} from 'chai'
import pg from 'pg'
import {openStore} from '../../../src/store/open.js'
import {databaseAddressOf} from '../../../src/store/postgres/connection/address.js'
import {Connections} from '../../../src/store/postgres/connection/connections.js'
import {isLost} from '../../../src/store/postgres/connection/faults.js'
import type {Search} from '../../../src/store/searchable.js'
import type {Change} from '../../../src/store/store.js'
import {latch} from '../contract/subject.js'
import {facets, put, searchTexts} from '../contract.js'
import {type Cluster, startCluster} from './cluster.js'

describe('store · connections of PostgreSQL', () => {
  let cluster: Cluster
  let url = ''
  let connections: Connections

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
    url = await cluster.database('connections')
    connections = new Connections(databaseAddressOf(url))
  })

  after(async () => {
    await connections?.close()
    await cluster?.stop()
  })

  it('compress what they write by the fastest method that the server has', async () => {
    const text = "SELECT setting, enumvals FROM pg_settings WHERE name = 'default_toast_compression'"
    const [[setting, methods] = []] = (await connections.read({text})).rows
    // None before PostgreSQL 14.
    expect(setting ?? null).to.equal(methods?.includes('lz4') ? 'lz4' : (methods && 'pglz') || null)
  })

  it('report the statement that failed, not those that were sent behind it, and go on', async () => {
    const failed = connections.transaction(false, async ({run, commit}) => {
      await Promise.all([
        run({text: 'CREATE TABLE never (n int)'}),
        run({name: 'bad', text: 'SELECT 1 / $1::int'}, [0]).catch(async (error: unknown) => {
          // As slow as whoever looks at the error.
          for (let at = 0; at < 20; at += 1) await Promise.resolve()
          throw error
        }),
        run({name: 'late', text: 'SELECT 2'}),
        commit(),
      ])
    })
    expect(await failed.catch((error: unknown) => error)).to.include({code: '22012'})
    expect((await connections.read({text: "SELECT to_regclass('never')"})).rows).to.deep.equal([[null]])
    expect((await connections.read({name: 'bad', text: 'SELECT 1 / $1::int'}, [1])).rows).to.deep.equal([['1']])
  })

  it('are lent to a search for a page, not for its walk, which ends once its caller has left', async () => {
    const shared = `${url}${url.includes('?') ? '&' : '?'}pool_size=2`
    const store = await openStore({dir: ':memory:', url: shared, facets, searchTexts, writer: 'server'})
    const people = Array.from({length: 1_200}, (_, at) => put(`w${String(at).padStart(4, '0')}`, 1))
    await store.commit('walk', people)
    // A sign-up has one of the two, so that what comes beside a walk has its turn between two pages, and not by luck.
    const [started, hash] = [latch<void>(), latch<readonly Change[]>()]
    const signUp = store.commit('walk', [put('holder', 1)], () => {
      started.open()
      return hash.promise
    })
    try {
      await started.promise
      const order: string[] = []
      const reads: Promise<unknown>[] = []
      let hasLeft = false
      const walk = (onFirst: () => void): Search => {
        let ranked = 0
        const relevance = (): number => {
          ranked += 1
          if (ranked === 1) onFirst()
          if (ranked === people.length) order.push('the last document')
          return 1
        }
        return {
          relevance,
          order: [],
          limit: 1,
          offset: 0,
          caller: {isGone: () => hasLeft},
        }
      }
      const read = () => void reads.push(store.get('walk', 'people', 'w0001').then(() => order.push('beside')))
      await Promise.all([store.search('walk', 'people', walk(read)), store.search('walk', 'people', walk(read))])
      await Promise.all(reads)
      expect(order[0]).to.equal('beside')
      order.length = 0
      const left = store.search(
        'walk',
        'people',
        walk(() => {
          hasLeft = true
        }),
      )
      expect(await left.catch(({message}: Error) => message)).to.equal('The caller has left.')
      expect(order).to.deep.equal([])
    } finally {
      hash.open([])
      await signUp
      await store.close()
    }
  })

  it('insert texts of every kind, and more than one statement carries', async () => {
    const count = {text: "SELECT n FROM unnest($2::text[]) AS r(n) WHERE $1 = 'shop'"}
    const sizes = {text: "SELECT count(*) FROM unnest($2::text[], $3::text[]) WHERE $1 = 'shop'"}
    const texts = ['a', null, '', '{"a":"b\\"c"}', 'NULL', '\u{1f600}', 'ä,b', '{}', ' ']
    const long = 'x'.repeat(9 << 20)
    const [rows, parts] = await connections.transaction(false, async ({insert}) => [
      await insert(
        {many: count, one: count},
        'shop',
        texts.map((text) => [text]),
      ),
      await insert({many: sizes, one: sizes}, 'shop', [
        [long, null],
        ['y', 'a'],
        [long, 'b'],
        ['z', null],
      ]),
    ])
    expect(rows).to.deep.equal(texts.map((text) => [text]))
    expect(parts).to.deep.equal([['2'], ['2']])
  })

  it('keep some for requests that wait for nothing else, however many passwords are being hashed', async () => {
    const store = await openStore({dir: ':memory:', url: `${url}&pool_size=3`, facets, writer: 'server'})
    const hashes = ['a', 'b', 'c'].map((id) => ({
      id,
      started: latch<void>(),
      hash: latch<readonly Change[]>(),
    }))
    const signUps = hashes.map(({id, started, hash}) =>
      store.commit('shop', [put(id, 1)], () => {
        started.open()
        return hash.promise
      }),
    )
    await hashes[0]?.started.promise
    await Promise.all(Array.from({length: 20}, (_, at) => store.commit('shop', [put(`p${at}`, 1)])))
    expect(await store.get('shop', 'people', 'p19')).to.include({version: 1})
    expect(await store.get('shop', 'people', 'a')).to.equal(undefined)
    for (const {started, hash} of hashes) {
      await started.promise
      hash.open([])
    }
    await Promise.all(signUps)
    await store.close()
  })

  it('are lost with their server, also as Citus tells of it, and by no other internal error', () => {
    const isLostBy = (message: string) =>
      isLost(Object.assign(new pg.DatabaseError(message, message.length, 'error'), {code: 'XX000'}))
    expect(isLostBy('postmaster was shut down, exiting')).to.equal(true)
    expect(isLostBy('cache lookup failed')).to.equal(false)
  })
})
