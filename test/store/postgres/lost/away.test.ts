import {expect} from 'chai'
import {openStore} from '../../../../src/store/open.js'
import type {OpenedStore} from '../../../../src/store/opened-store.js'
import {everything} from '../../contract/subject.js'
import {facets, put} from '../../contract.js'
import {rejection} from '../../directory.js'
import {cutLine, type Line} from '../../lowdb/cut-line.js'
import {type Cluster, emptied, queried, startCluster} from '../cluster.js'

const busy = {code: 'OverCapacity', statusCode: 503, retryAfterSeconds: 1}

describe('store · PostgreSQL whose connections end', () => {
  let cluster: Cluster
  let line: Line
  const opened: OpenedStore[] = []

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
    line = await cutLine(cluster.directory)
  })

  afterEach(async () => {
    line.fromClient = line.fromServer = () => 'pass'
    for (const store of opened.splice(0)) await store.close()
  })

  after(async () => {
    await line?.stop()
    await cluster?.stop()
  })

  /** Ends all connections of frontdesk to a database, and says how many. */
  const terminate = async (database: string): Promise<number> => {
    const {rowCount} = await cluster.client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'frontdesk' AND datname = $1`,
      [database],
    )
    return rowCount ?? 0
  }

  const open = async (url: string): Promise<OpenedStore> => {
    const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
    opened.push(store)
    return store
  }

  it('loses no process and no commit whose connection ends while a password is hashed', async () => {
    const store = await open(await cluster.database('hashing'))
    let hashed = 0
    await store.commit('shop', [put('ada', 1, {}, ['email:ada'])], async () => {
      hashed += 1
      expect(await terminate('hashing')).to.be.above(0)
      return [put('secret', 1)]
    })
    expect(hashed).to.equal(1)
    const {results} = await store.query('shop', 'people', everything)
    expect(results.map(({id}) => id)).to.deep.equal(['ada', 'secret'])
  })

  it('takes the loss of idle connections without a word', async () => {
    const store = await open(await cluster.database('idle'))
    await Promise.all(Array.from({length: 10}, (_, at) => store.get('shop', 'people', `p${at}`)))
    expect(await terminate('idle')).to.be.above(0)
    expect(await store.get('shop', 'people', 'ada')).to.equal(undefined)
    await store.commit('shop', [put('ada', 1)])
  })

  it('serves all requests with fewer connections than its pool may have', async () => {
    const url = await cluster.database('narrow')
    await (await open(url)).close()
    opened.pop()
    await queried(url, 'CREATE ROLE narrow LOGIN CONNECTION LIMIT 2')
    await queried(url, 'GRANT USAGE ON SCHEMA frontdesk TO narrow')
    await queried(url, 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA frontdesk TO narrow')
    const store = await open(url.replace('frontdesk@', 'narrow@'))
    const created = Array.from({length: 200}, (_, at) =>
      store.commit('shop', [put(`p${at}`, 1, {}, [`email:${at}`])], at % 2 === 0 ? undefined : async () => []),
    )
    await Promise.all(created)
    expect((await store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 1000}})).total).to.equal(200)
  })

  it('says 503 and keeps the cause when the database gives no connection at all', async () => {
    const url = await cluster.database('crowded')
    await (await open(url)).close()
    opened.pop()
    await queried(url, 'CREATE ROLE pressed LOGIN')
    await queried(url, 'GRANT USAGE ON SCHEMA frontdesk TO pressed')
    await queried(url, 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA frontdesk TO pressed')
    const store = await open(`${url.replace('frontdesk@', 'pressed@')}&connect_timeout=1&statement_timeout=1`)
    await queried(url, 'ALTER ROLE pressed CONNECTION LIMIT 0')
    await terminate('crowded')
    const error = await rejection(store.get('shop', 'people', 'ada'))
    expect(error).to.include(busy)
    const causes: string[] = []
    for (let at = error; at instanceof Error; at = at.cause) causes.push(at.message)
    expect(causes.join('\n')).to.include('too many connections for role')
  })

  it('answers 503 when the database goes away on whichever path', async () => {
    const url = await cluster.database('away')
    const store = await open(url)
    await store.commit('shop', [put('ada', 1, {}, ['email:ada'])])
    await cluster.restart(async () => {
      const asked = [
        store.get('shop', 'people', 'ada'),
        store.find('shop', 'people', 'email:ada'),
        store.query('shop', 'people', everything),
        store.commit('shop', [put('eve', 1, {}, ['email:ada'])]),
        store.commit('shop', [put('ada', 2)]),
        store.projects(),
        store.compact(),
        store.documents('shop')[Symbol.asyncIterator]().next(),
      ]
      for (const error of await Promise.all(asked.map(rejection))) expect(error).to.include(busy)
    })
    expect(await store.get('shop', 'people', 'ada')).to.include({version: 1})
  })

  it('keeps to 503 when the line is cut while it looks why a unique key is taken', async () => {
    await cluster.database('looking')
    const store = await open(line.url('looking'))
    await store.commit('shop', [put('ada', 1, {}, ['email:ada'])])
    line.fromClient = (bytes) => (bytes.includes('frontdesk_version') ? 'cut' : 'pass')
    expect(await rejection(store.commit('shop', [put('eve', 1, {}, ['email:ada'])]))).to.include(busy)
  })

  describe('before a commit was answered', () => {
    let url = ''

    before(async () => {
      url = await cluster.database('cut')
      await open(url)
    })

    beforeEach(() => emptied(url))

    /** Cuts the line at the end of the next transaction, before or after the database has heard of it. */
    const cutCommit = (when: 'before' | 'after'): {readonly cuts: number} => {
      const seen = {cuts: 0}
      const once = (sign: string) => (bytes: string) => {
        if (seen.cuts > 0 || !bytes.includes(sign)) return 'pass' as const
        seen.cuts += 1
        return 'cut' as const
      }
      if (when === 'before') line.fromClient = once('COMMIT\0')
      else line.fromServer = once('C\0\0\0\x0bCOMMIT\0')
      return seen
    }

    const made = put('eve', 1, {name: 'Eve'}, ['email:eve'])
    const cases = [
      {what: 'a document that it made', changes: [made]},
      {
        what: 'a document with its unique key that it replaced',
        changes: [put('ada', 2, {name: 'Ada'}, ['email:other'])],
      },
      {
        what: 'both, and one that it removed',
        changes: [made, put('ada', 2), {kind: 'people', expect: 1, remove: 'bob'}],
      },
      {what: 'a password', changes: [made], complete: async () => [put('secret', 1)]},
    ]
    for (const when of ['before', 'after'] as const) {
      for (const {what, changes, complete} of cases) {
        it(`reads what became of ${what} (cut ${when} the database heard of the end)`, async () => {
          const store = await open(line.url('cut'))
          await store.commit('shop', [put('ada', 1, {}, ['email:ada']), put('bob', 1)])
          const seen = cutCommit(when)
          await store.commit('shop', changes, complete)
          expect(seen.cuts).to.equal(1)
          for (const change of changes) {
            if ('doc' in change) expect(await store.get('shop', 'people', change.doc.id)).to.deep.equal(change.doc)
            else expect(await store.get('shop', 'people', change.remove)).to.equal(undefined)
          }
          const {total} = await store.query('shop', 'people', {limit: 0, offset: 0, count: {cap: 9}})
          expect(total).to.equal((await store.query('shop', 'people', everything)).results.length)
        })
      }
    }

    it('does not take the change of another for its own', async () => {
      const store = await open(line.url('cut'))
      const other = await open(await url)
      await store.commit('shop', [put('ada', 1)])
      const seen = cutCommit('before')
      const committed = store.commit('shop', [put('ada', 2, {name: 'mine'})])
      while (seen.cuts === 0) await new Promise((resolve) => setImmediate(resolve))
      await other.commit('shop', [put('ada', 2, {name: 'theirs'})])
      expect(await rejection(committed)).to.include({name: 'VersionConflict', current: 2})
    })

    it('does not guess when others have gone on from there', async () => {
      const store = await open(line.url('cut'))
      const other = await open(await url)
      await store.commit('shop', [put('ada', 1)])
      const seen = cutCommit('after')
      const committed = store.commit('shop', [put('ada', 2)])
      while (seen.cuts === 0) await new Promise((resolve) => setImmediate(resolve))
      line.fromClient = (bytes) => (bytes.includes('frontdesk_lock') ? 'cut' : 'pass')
      await other.commit('shop', [put('ada', 3)])
      line.fromClient = () => 'pass'
      const error = (await rejection(committed)) as Error
      expect(error).to.include(busy)
      expect(error.message).to.include('did not say whether it stored')
    })

    it('does not take a commit for stored that its standby did not confirm', async () => {
      const store = await open(url)
      await cluster.client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      await cluster.client.query('SELECT pg_reload_conf()')
      try {
        let error: unknown
        let ended = false
        const cancelling = (async () => {
          const waiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
          while (!ended) await cluster.client.query(waiting)
        })()
        // The setting counts from some moment on.
        for (let at = 0; at < 100 && !error; at += 1) {
          await store.commit('shop', [put(`p${at}`, 1)]).catch((reason: unknown) => {
            error = reason
          })
        }
        ended = true
        await cancelling
        expect(error).to.include(busy)
        expect((error as Error).message).to.include('did not say whether it stored')
      } finally {
        await cluster.client.query('ALTER SYSTEM RESET synchronous_standby_names')
        await cluster.client.query('SELECT pg_reload_conf()')
      }
    })

    it('says that it does not know when no database tells', async () => {
      const store = await open(line.url('cut'))
      line.fromServer = (bytes) => (bytes.includes('COMMIT') ? 'cut' : 'pass')
      const error = (await rejection(store.commit('shop', [put('ada', 1)]))) as Error
      expect(error).to.include(busy)
      expect(error.message).to.include('did not say whether it stored')
    })
  })
})
