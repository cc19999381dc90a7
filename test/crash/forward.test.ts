import type {ChildProcess} from 'node:child_process'
import {expect} from 'chai'
import type {Client} from '../../src/client/client.js'
import {connect} from '../../src/client/connect.js'
import {operations} from '../../src/index.js'
import {localClient} from '../../src/server/local/local-files.js'
import {Ledger} from '../cli/messages/ledger.js'
import {openSandbox} from '../e2e/binary.js'
import {rounds} from '../rounds.js'
import {type Cluster, startCluster} from '../store/postgres/cluster.js'

const {createCustomer, queryMessages, updateCustomerById} = operations
const kills = rounds(1, 12)
const each = 60
let databases = 0
const nextDatabase = () => {
  databases += 1
  return `forward_${databases}`
}

type Sandbox = ReturnType<typeof openSandbox>

async function clientOf(box: Sandbox, apiUrl: string): Promise<Client> {
  const known = localClient(box.data, 'local')
  const secret = async () => known?.clientSecret ?? ''
  const credentials = {kind: 'client', clientId: known?.clientId ?? '', secret} as const
  return connect({kind: 'remote', projectKey: 'local', apiUrl, authUrl: apiUrl, credentials}, {retries: 0})
}

/** Writes customers, and calls `act` in the middle. What is not answered was not acknowledged. */
async function written(box: Sandbox, apiUrl: string, round: string, act: () => void): Promise<void> {
  const client = await clientOf(box, apiUrl)
  try {
    await Promise.all(
      Array.from({length: each}, async (_, at) => {
        const key = `${round}-${at}`
        const body = {email: `${key}@example.com`, key, authenticationMode: 'ExternalAuth'}
        const {customer} = await client.call(createCustomer, {}, {body} as never)
        const update = {version: customer.version, actions: [{action: 'setFirstName', firstName: key}]}
        await client.call(updateCustomerById, {id: customer.id}, {body: update} as never)
        if (at === each / 2) act()
      }),
    ).catch(() => undefined)
  } finally {
    await client.close()
  }
}

/** Every message of the state, as its server says. */
async function messageIds(box: Sandbox, apiUrl: string): Promise<string[]> {
  const client = await clientOf(box, apiUrl)
  try {
    const ids: string[] = []
    for (;;) {
      const query = {limit: 500, offset: ids.length, sort: ['createdAt asc', 'id asc']}
      const {results} = await client.call(queryMessages, {}, {query})
      if (results.length === 0) return ids.sort()
      ids.push(...results.map(({id}) => id))
    }
  } finally {
    await client.close()
  }
}

for (const engine of ['files', 'PostgreSQL'] as const) {
  describe(`messages forward · kill -9 (${engine})`, () => {
    let box: Sandbox
    let ledger: Ledger
    let cluster: Cluster | undefined
    let storeWords: readonly string[] = []
    const servers: ChildProcess[] = []
    const serve = async (...words: string[]) => {
      const served = await box.serve([...storeWords, ...words])
      servers.push(served.child)
      return served
    }
    before(async function () {
      if (engine === 'files') return
      cluster = await startCluster()
      if (!cluster) this.skip()
    })
    beforeEach(async () => {
      box = openSandbox()
      ledger = await new Ledger().up()
      if (cluster) storeWords = ['--store-url', await cluster.database(nextDatabase())]
    })
    afterEach(async () => {
      for (const child of servers.splice(0)) child.kill('SIGKILL')
      await ledger.down()
      box.remove()
    })
    after(() => cluster?.stop())
    const forward = (...words: string[]) => ['messages', 'forward', '--local', '--to', ledger.url, ...words]

    /** A command that forwards until it is ended; `until` fails where it ends before. */
    const begin = () => {
      const {child, exited} = box.begin(forward('--since', 'last', '--every', '50ms'))
      const early = exited.then(({stderr}) => Promise.reject(new Error(`the command ended: ${stderr}`)))
      early.catch(() => undefined)
      return {child, exited, until: (holds: () => boolean) => Promise.race([ledger.until(holds), early])}
    }

    it(`loses nothing when it is killed (rounds: ${kills}), and ends with Ctrl-C`, async () => {
      const {child: server, apiUrl, exited} = await serve()
      for (let round = 1; round <= kills; round += 1) {
        const {child, exited: ended, until} = begin()
        const before = ledger.ids.length
        await written(box, apiUrl, `r${round}`, () => void ledger.down())
        await ledger.up()
        await until(() => ledger.ids.length > before + round * 7)
        child.kill('SIGKILL')
        await ended
      }
      const {child, exited: ended, until} = begin()
      await until(() => ledger.ids.length === kills * each * 2)
      child.kill('SIGINT')
      expect((await ended).code).to.equal(130)
      const delivered = ledger.accepted.length
      expect((await box.frontdesk(forward('--since', 'last', '--once'))).code).to.equal(0)
      expect(ledger.accepted, 'after a clean end').to.have.length(delivered)
      expect(ledger.outOfOrder).to.deep.equal([])
      expect([...ledger.ids].sort()).to.deep.equal(await messageIds(box, apiUrl))
      server.kill('SIGTERM')
      await exited
    })

    it(`loses nothing inside a server that is killed (rounds: ${kills})`, async () => {
      const start = () => serve('--forward-messages', ledger.url)
      for (let round = 1; round <= kills; round += 1) {
        const {child, apiUrl, exited} = await start()
        await written(box, apiUrl, `r${round}`, () => child.kill('SIGKILL'))
        await exited
      }
      const {child, apiUrl, exited} = await start()
      const all = await messageIds(box, apiUrl)
      await ledger.until(() => ledger.ids.length === all.length)
      child.kill('SIGTERM')
      expect((await exited).code).to.equal(143)
      expect([...ledger.ids].sort()).to.deep.equal(all)
      expect(ledger.outOfOrder).to.deep.equal([])
      expect((await box.frontdesk(['server', 'start', '--forward-messages', 'https://shop.example/'])).code).to.equal(2)
    })
  })
}
