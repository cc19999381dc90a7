import {expect} from 'chai'
import pg from 'pg'
import {ApiError, StateError} from '../../../../src/domain/errors.js'
import {openStore} from '../../../../src/store/open.js'
import type {OpenedStore} from '../../../../src/store/opened-store.js'
import type {Facets} from '../../../../src/store/store.js'
import {patienceMs} from '../../../patience.js'
import {ends, equals, everything} from '../../contract/subject.js'
import {facets, put} from '../../contract.js'
import {rejection} from '../../directory.js'
import {type Cluster, queried, startCluster} from '../cluster.js'

describe('store · PostgreSQL in trouble', () => {
  let cluster: Cluster
  const opened: OpenedStore[] = []

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
  })

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  after(() => cluster?.stop())

  const open = async (url: string, of: Facets = facets): Promise<OpenedStore> => {
    const store = await openStore({dir: ':memory:', url, facets: of, writer: 'server'})
    opened.push(store)
    return store
  }

  const refusal = async (url: string): Promise<StateError> => {
    const error = await rejection(open(url))
    expect(error).to.be.instanceOf(StateError)
    return error as StateError
  }

  it('says what is wrong with a database that cannot be opened, without its password', async () => {
    const socket = `host=${encodeURIComponent(cluster.directory)}`
    const absent = await refusal(`postgres://frontdesk:hush@localhost/nowhere?${socket}`)
    expect(absent.message).to.include('does not exist')
    const deaf = await refusal('postgres://frontdesk:hush@localhost:1/a')
    expect(deaf.message).to.include('ECONNREFUSED')
    const stranger = await refusal(`postgres://stranger:hush@localhost/postgres?${socket}`)
    expect(stranger.message).to.include('refuses the user')
    for (const {message, path, remedy} of [absent, deaf, stranger]) {
      expect(`${message} ${path} ${remedy}`).not.to.include('hush')
    }
  })

  it('makes the tables once when many servers start at once', async () => {
    const url = await cluster.database('race')
    const stores = await Promise.all(Array.from({length: 6}, () => open(url)))
    await Promise.all(stores.map((store, at) => store.commit('shop', [put(`p${at}`, 1)])))
    const {total} = (await stores[0]?.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 100}})) ?? {}
    expect(total).to.equal(6)
    expect(await queried(url, 'SELECT name FROM frontdesk.migration')).to.have.length(7)
  })

  it('does not touch tables of a newer release', async () => {
    const url = await cluster.database('newer')
    await open(url)
    await queried(url, "INSERT INTO frontdesk.migration (name) VALUES ('9999 tomorrow')")
    expect(await refusal(url)).to.include({code: 'StateVersion'})
  })

  it('opens for reading only what is there, and writes nothing', async () => {
    const url = await cluster.database('reading')
    const read = () => openStore({dir: ':memory:', url, facets, writer: 'reader'})
    expect(await rejection(read())).to.include({code: 'StateVersion'})
    await (await open(url)).commit('shop', [put('ada', 1)])
    const reader = await read()
    opened.push(reader)
    expect(await reader.get('shop', 'people', 'ada')).to.include({version: 1})
    expect(await rejection(reader.commit('shop', [put('eve', 1)]))).to.be.an('error')
  })

  it('needs no more than the four rights on rows once the tables are there', async () => {
    const url = await cluster.database('modest')
    await open(url)
    await queried(url, 'CREATE ROLE clerk LOGIN')
    await queried(url, 'GRANT USAGE ON SCHEMA frontdesk TO clerk')
    await queried(url, 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA frontdesk TO clerk')
    const clerk = await open(url.replace('frontdesk@', 'clerk@'))
    await clerk.commit('shop', [put('ada', 1, {}, ['email:ada'])])
    await clerk.compact()
    const other = await cluster.database('closed')
    const error = await refusal(other.replace('frontdesk@', 'clerk@'))
    expect(error.remedy).to.include('role that owns')
  })

  it('derives facets that an older release did not know', async () => {
    const url = await cluster.database('older')
    const old = await open(url, {})
    await old.commit('shop', [put('a', 1, {name: 'Ada'}), put('b', 1, {name: 'ADA'}), put('c', 1)])
    const store = await open(url)
    const where = equals('name', 'ada', 'lowercaseName')
    const {results} = await store.query('shop', 'people', {...everything, where})
    expect(results.map(({id}) => id)).to.deep.equal(['a', 'b'])
  })

  it('goes on over new connections when the server was started again', async () => {
    const store = await open(await cluster.database('restarted'))
    await store.commit('shop', [put('ada', 1)])
    await cluster.restart()
    expect(await store.get('shop', 'people', 'ada')).to.include({version: 1})
    await cluster.restart()
    await store.commit('shop', [put('ada', 2)])
    expect((await store.query('shop', 'people', everything)).results).to.have.length(1)
  })

  it('looks again for what ends with a document when its removal is tried again', async () => {
    const store = await open(await cluster.database('removing'))
    await store.commit('shop', [put('ada', 1), put('token 1', 1)])
    const found = [1]
    await store.commit('shop', [{kind: 'people', expect: 1, remove: 'ada'}], async () => {
      const ending = found.map((at) => ({kind: 'people', expect: 1, remove: `token ${at}`}))
      if (found.push(2) > 2) return ending
      await cluster.client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'removing' AND pid <> pg_backend_pid()",
      )
      await store.commit('shop', [put('token 2', 1)])
      return ending
    })
    expect((await store.query('shop', 'people', everything)).results).to.deep.equal([])
  })

  it('answers 503 while the database is away or does not take writes', async () => {
    const url = await cluster.database('readonly')
    const store = await open(url)
    await queried(url, 'ALTER DATABASE readonly SET default_transaction_read_only = on')
    const busy = {code: 'OverCapacity', statusCode: 503, retryAfterSeconds: 1}
    await cluster.restart(async () => {
      expect(await rejection(store.get('shop', 'people', 'ada'))).to.include(busy)
      expect(await rejection(store.query('shop', 'people', everything))).to.include(busy)
      expect(await rejection(store.commit('shop', [put('ada', 1)]))).to.include(busy)
    })
    expect(await rejection(store.commit('shop', [put('ada', 1)]))).to.include(busy)
    expect(await store.get('shop', 'people', 'ada')).to.equal(undefined)
    await cluster.client.query('ALTER DATABASE readonly RESET default_transaction_read_only')
    // Over connections that take writes, which those it has never will.
    await store.commit('shop', [put('ada', 1)])
  })

  it('tries again where a commit waits for a lock, and commits once', async () => {
    const url = await cluster.database('stalled')
    const store = await open(url)
    const holder = new pg.Client(url)
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE frontdesk.unique_key IN EXCLUSIVE MODE')
    const commit = ends([store.commit('shop', [put('ada', 1, {}, ['email:ada'])])])
    const attempts = new Set<string>()
    const deadline = Date.now() + patienceMs
    while (attempts.size < 2 && Date.now() < deadline) {
      const {rows} = await cluster.client.query<{began: string}>(
        "SELECT xact_start::text AS began FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
      )
      for (const {began} of rows) attempts.add(began)
    }
    await holder.query('ROLLBACK')
    await holder.end()
    expect(await commit).to.deep.equal(['done'])
    expect(attempts.size).to.equal(2)
  })

  it('gives up a query that takes too long', async () => {
    const url = await cluster.database('slow')
    const store = await open(`${url}&statement_timeout=1`)
    const holder = new pg.Client(url)
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE frontdesk.document IN ACCESS EXCLUSIVE MODE')
    const error = await rejection(store.query('shop', 'people', everything))
    expect(error).to.be.instanceOf(ApiError).and.include({code: 'QueryTimedOut', statusCode: 400})
    await holder.end()
    expect((await store.query('shop', 'people', everything)).results).to.deep.equal([])
  })

  it('keeps text that PostgreSQL itself cannot hold', async () => {
    const store = await open(await cluster.database('text'))
    const odd = [
      'a\0b',
      'half \ud83d',
      '\udc00',
      '\ufdd0',
      'back\\u0000slash',
      '\ufdd00000',
      '😀',
      '🐀',
      '\u0001',
      '\u{10ffff}',
    ]
    await store.commit(
      'shop',
      odd.map((name) => put(`id ${name}`, 1, {name, [name]: [name]}, [`unique key ${name}`])),
    )
    for (const name of odd) {
      const expected = {id: `id ${name}`, version: 1, name, [name]: [name]}
      expect(await store.get('shop', 'people', `id ${name}`)).to.deep.equal(expected)
      expect(await store.find('shop', 'people', `unique key ${name}`)).to.deep.equal(expected)
      for (const where of [
        equals('name', name),
        equals('name', name.toLowerCase(), 'lowercaseName'),
        equals(name, name),
      ]) {
        const {results} = await store.query('shop', 'people', {...everything, where})
        expect(results, JSON.stringify(where)).to.have.length(
          where.op === 'compare' && where.field.path[0] === name ? 0 : 1,
        )
      }
      expect(await ends([store.commit('shop', [put('other', 1, {}, [`unique key ${name}`])])])).to.deep.equal([
        'unique key held',
      ])
    }
    await store.commit('shop', [put('id a\0b', 2), {kind: 'people', expect: 1, remove: 'id \ufdd0'}])
    expect((await store.query('shop', 'people', everything)).results).to.have.length(odd.length - 1)
  })

  it('indexes values that are longer than an index takes', async () => {
    const store = await open(await cluster.database('long'))
    const name = Array.from({length: 9000}, (_, at) => String.fromCodePoint(0x1f600 + ((at * 7) % 60))).join('')
    await store.commit('shop', [put('long', 1, {name}), put('longer', 1, {name: `${name}!`})])
    const where = equals('name', name, 'lowercaseName')
    const {results} = await store.query('shop', 'people', {...everything, where})
    expect(results.map(({id}) => id)).to.deep.equal(['long'])
  })

  it('names the unique key of a large commit that is taken', async () => {
    const store = await open(await cluster.database('large'))
    await store.commit('shop', [put('holder', 1, {}, ['email:7'])])
    const many = Array.from({length: 1500}, (_, at) => put(`p${at}`, 1, {}, [`email:${at}`, `key:${at}`]))
    expect(await rejection(store.commit('shop', many))).to.include({
      name: 'UniqueConflict',
      key: 'email:7',
      state: 'held',
    })
    expect((await store.query('shop', 'people', everything)).results).to.have.length(1)
    await store.commit('shop', [...many.slice(0, 7), ...many.slice(8)])
    expect((await store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 1e6}})).total).to.equal(1500)
  })
})
