import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {ApiError, type RunningServer, startServer} from '../../../src/index.js'
import {facets} from '../../../src/server/local/facets.js'
import {openStore} from '../../../src/store/open.js'
import {storeSchema} from '../../../src/store/postgres/schema/engines.js'
import {rejection} from '../directory.js'
import {type Cluster, queried, type Standby, startCluster} from './cluster.js'
import {frontOf, Ledger} from './sign-up-ledger.js'

const workers = 6

for (const engine of ['postgres', 'partitioned'] as const) {
  describe(`store · three servers on a PostgreSQL that fails (${engine})`, () => {
    let cluster: Cluster
    let standby: Standby | undefined
    let folder = ''
    let servers: RunningServer[] = []
    const faults: unknown[] = []

    before(async function () {
      const settings = ['wal_keep_size=256MB', 'max_wal_senders=4']
      const started = await startCluster({settings})
      if (!started) return this.skip()
      cluster = started
      const url = await cluster.database('ledger')
      if (engine === 'partitioned') await queried(url, storeSchema(engine, facets).join(';\n'))
      standby = await cluster.standby()
      const hosts = [cluster.directory, standby.directory].map(encodeURIComponent).join(',')
      folder = mkdtempSync(join(tmpdir(), 'frontdesk-failover-'))
      const storeUrl = `postgres://frontdesk@/ledger?host=${hosts}`
      servers = await Promise.all(
        ['one', 'two', 'three'].map((name) =>
          startServer({
            dataDir: join(folder, name),
            storeUrl,
            projectKey: 'shop',
            settings: {passwordCost: 4},
            onFault: (error) => faults.push(error),
          }),
        ),
      )
    })

    after(async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await standby?.stop()
      await cluster?.stop()
      if (folder !== '') rmSync(folder, {recursive: true})
    })

    it('uses the host that takes writes, and reads from one that does not while there is no other', async () => {
      const at = (more: string, ...directories: (string | undefined)[]) =>
        openStore({
          dir: ':memory:',
          url: `postgres://frontdesk@/ledger?host=${directories.map((one) => encodeURIComponent(one ?? '')).join(',')}${more}`,
          facets,
          writer: 'server',
        })
      const doc = {id: 'probe', version: 1}
      const both = await at('', standby?.directory, cluster.directory)
      await both.commit('probes', [{kind: 'probe', expect: 0, doc}])
      await both.close()
      const one = await at('', standby?.directory)
      expect(await one.get('probes', 'probe', 'probe')).to.deep.equal(doc)
      const refused = await rejection(one.commit('probes', [{kind: 'probe', expect: 1, remove: 'probe'}]))
      expect(refused).to.include({statusCode: 503, message: 'The database takes no changes at the moment.'})
      await one.close()
      const strict = await rejection(at('&target_session_attrs=read-write', standby?.directory))
      expect(strict).to.include({code: 'StateUnusable'})
      expect((strict as Error).message).to.include('has no host that takes writes')
    })

    it('shows what was acknowledged by a standby that is behind', async () => {
      const hosts = [cluster.directory, standby?.directory ?? ''].map(encodeURIComponent).join(',')
      const url = `postgres://frontdesk@/ledger?host=${hosts}`
      const store = await openStore({dir: ':memory:', url, facets, writer: 'server'})
      const doc = {id: 'behind', version: 1}
      await standby?.client.query('SELECT pg_wal_replay_pause()')
      await store.commit('probes', [{kind: 'probe', expect: 0, doc}])
      await cluster.restart(async () => {
        let isRead = false
        const reading = store.get('probes', 'probe', 'behind').finally(() => {
          isRead = true
        })
        const asks = "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%replay_lsn%' AND pid <> pg_backend_pid()"
        while (!isRead && (await standby?.client.query(asks))?.rowCount === 0);
        await standby?.client.query('SELECT pg_wal_replay_resume()')
        expect(await reading).to.deep.equal(doc)
      }, 'SIGKILL')
      await store.close()
    })

    it('loses and doubles no sign-up while backends end, the database is killed and a standby takes over', async () => {
      const fronts = await Promise.all(servers.map((server) => frontOf(server, 'shop')))
      const ledger = new Ledger()
      const stop = new AbortController()
      const running = Promise.all(Array.from({length: workers}, (_, at) => ledger.load(fronts, at, stop.signal)))
      await ledger.more(20)
      for (let round = 0; round < 5; round += 1) {
        const {rowCount} = await cluster.client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE application_name = 'frontdesk' AND (state <> 'idle' OR random() < $1)`,
          [round === 0 ? 1 : 0.3],
        )
        if (round === 0) expect(rowCount, 'backends that ended').to.be.greaterThan(0)
        await ledger.more(10)
      }
      await cluster.restart(undefined, 'SIGKILL')
      await ledger.more(30)
      await cluster.kill()
      await standby?.promote()
      await ledger.more(40)
      stop.abort()
      await running
      await ledger.check(`postgres://frontdesk@localhost/ledger?host=${encodeURIComponent(standby?.directory ?? '')}`)
      const unexplained = faults.filter(
        (fault) => !(fault instanceof ApiError && fault.statusCode === 503 && fault.cause),
      )
      expect(unexplained).to.deep.equal([])
      if (process.env['FRONTDESK_SHOW_LEDGER']) console.warn(ledger.acknowledged, ledger.answers)
    })
  })
}
