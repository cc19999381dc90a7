import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {administer} from '../../../src/client/local/admin.js'
import {type RunningServer, startServer} from '../../../src/index.js'
import {type Cluster, startCluster} from '../../store/postgres/cluster.js'

const dayMs = 86_400_000

/** A server, and every byte that it has stored. */
interface Installation {
  readonly server: RunningServer
  readonly folder: string
  bytes(): Promise<string>
  end(): Promise<void>
}

const bytesIn = (folder: string): string =>
  readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

async function installed(storeUrl?: string): Promise<Pick<Installation, 'server' | 'folder'>> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-retention-'))
  const settings = {passwordCost: 4}
  const server = await startServer({dataDir: folder, projectKey: 'shop', settings, ...(storeUrl ? {storeUrl} : {})})
  return {server, folder}
}

async function inFiles(): Promise<Installation> {
  const {server, folder} = await installed()
  const end = async () => {
    await server.stop()
    rmSync(folder, {recursive: true})
  }
  return {server, folder, bytes: async () => bytesIn(folder), end}
}

async function inTables(cluster: Cluster, name: string): Promise<Installation> {
  const url = await cluster.database(name)
  const {server, folder} = await installed(url)
  const pg = await import('pg')
  const client = new pg.default.Client({connectionString: url})
  await client.connect()
  const bytes = async () => {
    const tables = await client.query<{name: string}>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'frontdesk'",
    )
    const texts: string[] = []
    for (const {name: table} of tables.rows) {
      const {rows} = await client.query(`SELECT t::text FROM frontdesk.${table} AS t`)
      texts.push(JSON.stringify(rows))
    }
    return texts.join('\n')
  }
  const end = async () => {
    await client.end()
    await server.stop()
    rmSync(folder, {recursive: true})
  }
  return {server, folder, bytes, end}
}

/** What is stored of persons who have left, and of what was made for them. */
const personal = ['gone@people.example', 'Philippa', 'Quittenweg', 'old@people.example']

async function filled(server: RunningServer): Promise<readonly string[]> {
  const authorization = `Bearer ${await server.tokenFor()}`
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = {authorization, 'content-type': 'application/json'}
    const text = body === undefined ? {} : {body: JSON.stringify(body)}
    const answer = await fetch(`${server.apiUrl}/shop${path}`, {method, headers, ...text})
    expect(answer.status, path).to.be.oneOf([200, 201])
    return answer.json()
  }
  const {customer} = await ask('POST', '/customers', {
    email: 'old@people.example',
    password: 'right horse',
    firstName: 'Philippa',
    addresses: [{country: 'DE', streetName: 'Quittenweg'}],
  })
  const actions = [{action: 'changeEmail', email: 'gone@people.example'}]
  const {id, version} = await ask('POST', `/customers/${customer.id}`, {version: customer.version, actions})
  // Her tokens go with her, those of others stay until they end.
  await ask('POST', '/customers', {email: 'stays@example.com', password: 'right horse'})
  const {value} = await ask('POST', '/customers/password-token', {email: 'stays@example.com', ttlMinutes: 30})
  const api = await ask('POST', '/api-clients', {
    name: 'for Philippa',
    scope: 'view_customers:shop',
    deleteDaysAfterCreation: 100,
  })
  const cart = {
    currency: 'EUR',
    customerEmail: 'gone@people.example',
    shippingAddress: {country: 'DE', streetName: 'Quittenweg'},
  }
  await ask('POST', '/carts', cart)
  await ask('DELETE', `/customers/${id}?version=${version}`)
  return [value, api.id]
}

describe('security · what is stored has an end', () => {
  let cluster: Cluster | undefined
  before(async () => {
    cluster = await startCluster()
  })
  after(() => cluster?.stop())

  const checked = async ({server, folder, bytes, end}: Installation) => {
    try {
      const tokens = await filled(server)
      const compacted = async (days: number): Promise<readonly string[]> => {
        server.clock.advance(days * dayMs)
        await administer(folder, 'compactState')
        const text = await bytes()
        return [...personal, ...tokens].filter((value) => text.includes(value))
      }
      expect(await compacted(14), 'the day before').to.have.members([...personal, ...tokens])
      expect(await compacted(186), 'after 200 days').to.deep.equal([])
    } finally {
      await end()
    }
  }

  it('S-309 leaves no byte of persons who have left in the files after 200 days', async () => {
    await checked(await inFiles())
  })

  it('S-309 leaves none in the tables', async function () {
    if (!cluster) return this.skip()
    await checked(await inTables(cluster, 'retention'))
  })
})
