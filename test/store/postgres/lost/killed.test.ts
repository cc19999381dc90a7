import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {ApiError, type RunningServer, startServer} from '../../../../src/index.js'
import {facets} from '../../../../src/server/local/facets.js'
import {storeSchema} from '../../../../src/store/postgres/schema/schema.js'
import {cutLine, type Line} from '../../lowdb/cut-line.js'
import {type Cluster, queried, type Standby, startCluster} from '../cluster.js'
import {frontOf, Ledger} from '../sign-up-ledger.js'

const workers = 6

for (const engine of ['postgres', 'partitioned'] as const) {
  describe(`store · three servers on a PostgreSQL that fails (${engine})`, () => {
    let cluster: Cluster
    let standby: Standby | undefined
    let proxy: Line | undefined
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
      proxy = await cutLine(cluster.directory)
      const storeUrl = proxy.url('ledger')
      folder = mkdtempSync(join(tmpdir(), 'frontdesk-killed-'))
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
      await proxy?.stop()
      await standby?.stop()
      await cluster?.stop()
      if (folder !== '') rmSync(folder, {recursive: true})
    })

    it('loses and doubles no sign-up while backends end, the database is killed and a proxy goes over to its standby', async () => {
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
      if (proxy && standby) proxy.place = standby.directory
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
