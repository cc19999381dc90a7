import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {liveServer} from '../../../src/store/locator.js'
import {rounds} from '../../rounds.js'
import {type Cluster, queried, startCluster} from './cluster.js'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any
}

describe('store · two servers on one PostgreSQL', () => {
  let cluster: Cluster
  let folder = ''
  let servers: RunningServer[] = []

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-servers-'))
    const storeUrl = await cluster.database('servers')
    servers = await Promise.all(
      ['one', 'two'].map((name) =>
        startServer({dataDir: join(folder, name), storeUrl, projectKey: 'shop', settings: {passwordCost: 4}}),
      ),
    )
  })

  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await cluster?.stop()
    if (folder !== '') rmSync(folder, {recursive: true})
  })

  it('come up at once with one seed on an empty database', async () => {
    for (let round = 0; round < 2; round += 1) {
      const storeUrl = await cluster.database(`seeded_${round}`)
      const seedDir = join(process.cwd(), 'fixtures/demo')
      const both = await Promise.all(
        ['three', 'four'].map((name) =>
          startServer({
            dataDir: join(folder, `${name}-${round}`),
            storeUrl,
            projectKey: 'demo',
            seedDir,
            settings: {passwordCost: 4},
          }),
        ),
      )
      await Promise.all(both.map((one) => one.stop()))
      expect(await queried(storeUrl, "SELECT id FROM frontdesk.document WHERE kind = 'project'")).to.have.length(1)
    }
  })

  const server = (at: number): RunningServer => servers[at % servers.length] as RunningServer

  const ask = async (at: number, path: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(`${server(at).apiUrl}${path}`, init)
    const text = await answer.text()
    return {status: answer.status, body: text === '' ? undefined : JSON.parse(text)}
  }

  const form = async (at: number, path: string, fields: Record<string, string>): Promise<Answer> => {
    const {clientId, clientSecret} = server(at).client
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    return ask(at, path, {method: 'POST', headers: {authorization}, body: new URLSearchParams(fields)})
  }

  const token = async (at: number): Promise<string> =>
    (await form(at, '/oauth/token', {grant_type: 'client_credentials'})).body.access_token

  const get = (at: number, path: string, bearer: string): Promise<Answer> =>
    ask(at, path, {headers: {authorization: `Bearer ${bearer}`}})

  const post = (at: number, path: string, bearer: string, body: object): Promise<Answer> =>
    ask(at, path, {
      method: 'POST',
      headers: {authorization: `Bearer ${bearer}`, 'content-type': 'application/json'},
      body: JSON.stringify(body),
    })

  it('is found by the commands of its machine like any other', async () => {
    expect((await liveServer(join(folder, 'two')))?.origin).to.equal(server(1).apiUrl)
  })

  it('shows at one what the other has stored', async () => {
    const bearer = await token(0)
    const created = await post(0, '/shop/customers', bearer, {email: 'ada@example.com', password: 'Countess-1815'})
    expect(created.status).to.equal(201)
    const {customer} = created.body
    expect((await get(1, `/shop/customers/${customer.id}`, bearer)).body).to.deep.equal(customer)
    const rename = {version: customer.version, actions: [{action: 'setFirstName', firstName: 'Ada'}]}
    const results = await Promise.all([0, 1].map((at) => post(at, `/shop/customers/${customer.id}`, bearer, rename)))
    expect(results.map(({status}) => status).sort()).to.deep.equal([200, 409])
  })

  it('ends a token everywhere when one server revokes it', async () => {
    const bearer = await token(0)
    expect((await get(1, '/shop/customers?limit=1', bearer)).status).to.equal(200)
    expect((await form(0, '/oauth/token/revoke', {token: bearer, token_type_hint: 'access_token'})).status).to.equal(
      200,
    )
    expect((await get(1, '/shop/customers?limit=1', bearer)).status).to.equal(401)
    const {body} = await form(0, '/oauth/introspect', {token: bearer})
    expect(body).to.deep.equal({active: false})
  })

  it('counts the wrong passwords of an account over all servers, P19 also side by side', async () => {
    const bearer = await token(0)
    await post(0, '/shop/customers', bearer, {email: 'locked@example.com', password: 'right horse'})
    for (const email of ['locked@example.com', 'nobody@example.com']) {
      const signIn = (at: number, password: string) => post(at, '/shop/login', bearer, {email, password})
      const answers = await Promise.all(Array.from({length: 16}, (_, at) => signIn(at, 'wrong')))
      const statuses = answers.map(({status}) => status)
      expect(statuses.filter((status) => status === 400)).to.have.lengthOf(10)
      expect(statuses.filter((status) => status === 429)).to.have.lengthOf(6)
      expect((await signIn(0, 'right horse')).status).to.equal(429)
      expect((await signIn(1, 'right horse')).status).to.equal(429)
    }
  })

  it('creates one customer for each email of ten times as many sign-ups', async () => {
    const bearer = await token(1)
    const emails = rounds(25, 100)
    const waiting = Array.from({length: emails * 10}, (_, at) => at)
    const statuses = new Map<string, number>()
    const worker = async (): Promise<void> => {
      for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
        const draft = {email: `Shared-${at % emails}@example.com`, authenticationMode: 'ExternalAuth'}
        const {status, body} = await post(at, '/shop/customers', bearer, draft)
        const end = status === 201 ? 'created' : `${status} ${body.errors[0].code} ${body.errors[0].field}`
        statuses.set(end, (statuses.get(end) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({length: 32}, worker))
    expect(statuses.get('created')).to.equal(emails)
    const refused = (statuses.get('400 DuplicateField email') ?? 0) + (statuses.get('400 LockedField email') ?? 0)
    expect(refused, JSON.stringify([...statuses])).to.equal(emails * 9)
    const where = encodeURIComponent('lowercaseEmail > "shared-" and lowercaseEmail < "shared-z"')
    expect((await get(0, `/shop/customers?limit=0&withTotal=true&where=${where}`, bearer)).body.total).to.equal(emails)
  })

  it('delete no group through one while customers join it through the other', async () => {
    const bearer = await token(0)
    for (let round = 0; round < 5; round += 1) {
      const key = `racing-${round}`
      const {body: group} = await post(0, '/shop/customer-groups', bearer, {key, groupName: key})
      const joining = [0, 1, 1].map((at, index) =>
        post(at, '/shop/customers', bearer, {
          email: `${key}-${index}@example.com`,
          password: 'correct horse',
          customerGroup: {typeId: 'customer-group', key},
        }),
      )
      const headers = {authorization: `Bearer ${bearer}`}
      const deletion = ask(1, `/shop/customer-groups/${group.id}?version=1`, {method: 'DELETE', headers})
      const [deleted, ...joined] = await Promise.all([deletion, ...joining])
      const members = joined.filter(({status}) => status === 201)
      const codes = [deleted, ...joined].flatMap(({body}) => body.errors?.[0].code ?? [])
      for (const code of codes) {
        expect(code).to.be.oneOf(['ReferenceExists', 'ReferencedResourceNotFound', 'LockedField', 'OverCapacity'])
      }
      if (deleted.status === 200) expect(members).to.deep.equal([])
      const left = (await get(0, `/shop/customer-groups/${group.id}`, bearer)).status
      expect(left).to.equal(deleted.status === 200 ? 404 : 200)
    }
  })
})
