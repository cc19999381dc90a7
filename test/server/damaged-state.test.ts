import {mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {diagnoseLocal} from '../../src/client/local/maintenance.js'
import {type RunningServer, startServer} from '../../src/index.js'
import {facets} from '../../src/server/local/facets.js'
import {readAdminToken} from '../../src/server/local/local-files.js'
import {openStore} from '../../src/store/open.js'

describe('server · damaged state', () => {
  let dataDir = ''
  const warnings: string[] = []
  const faults: unknown[] = []
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-damaged-'))
    warnings.length = 0
    faults.length = 0
  })
  afterEach(() => rmSync(dataDir, {recursive: true, force: true}))

  const start = () =>
    startServer({
      dataDir,
      projectKey: 'shop',
      onWarning: (message) => warnings.push(message),
      onFault: (error) => faults.push(error),
    })

  async function asker({apiUrl, client}: RunningServer) {
    const {clientId, clientSecret} = client
    const granted = await fetch(`${apiUrl}/oauth/token`, {
      method: 'POST',
      headers: {authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`},
      body: new URLSearchParams({grant_type: 'client_credentials'}),
    })
    const {access_token} = (await granted.json()) as {access_token: string}
    return (path: string, body?: object) =>
      fetch(`${apiUrl}/shop/customers${path}`, {
        headers: {authorization: `Bearer ${access_token}`, 'content-type': 'application/json'},
        ...(body ? {method: 'POST', body: JSON.stringify(body)} : {}),
      })
  }

  /** Two customers in a joined file; returns its path. */
  async function compacted(): Promise<string> {
    const server = await start()
    const ask = await asker(server)
    for (const key of ['ada', 'bob']) {
      await ask('', {
        email: `${key}@example.com`,
        key,
        authenticationMode: 'ExternalAuth',
        companyName: 'x'.repeat(200),
      })
    }
    await server.stop()
    const store = await openStore({dir: dataDir, facets, writer: 'one-shot'})
    await store.compact()
    await store.close()
    const folder = join(dataDir, 'shop')
    const file = readdirSync(folder).find((name) => /^documents\.\d+\.jsonl$/.test(name)) ?? ''
    return join(folder, file)
  }

  it('answers 503 and names the doctor where a document cannot be read, and serves the others', async () => {
    const file = await compacted()
    const bytes = readFileSync(file)
    bytes.write('X', bytes.indexOf('xxx'))
    writeFileSync(file, bytes)
    const server = await start()
    const ask = await asker(server)
    const answers = await Promise.all(['ada', 'bob'].map((key) => ask(`/key=${key}`)))
    expect(answers.map(({status}) => status).sort()).to.deep.equal([200, 503])
    const refused = answers.find(({status}) => status === 503)
    const body = (await refused?.json()) as {message: string; errors: {code: string}[]}
    expect(body.errors[0]?.code).to.equal('StateCorrupt')
    expect(body.message).to.include('server doctor').and.not.include(dataDir)
    expect(String(faults[0])).to.include(file)
    await server.stop()
  })

  it('answers 503 where the system lets nobody open a project, and names it in its log and by the doctor', async () => {
    await compacted()
    const folder = join(dataDir, 'shop')
    rmSync(folder, {recursive: true})
    symlinkSync('shop', folder)
    const server = await start()
    const ask = await asker(server)
    const answer = await ask('/key=ada')
    expect(answer.status).to.equal(503)
    expect(await answer.text()).to.include('server doctor')
    expect(faults[0]).to.include({code: 'StateUnusable', path: folder}).and.have.property('message').include('ELOOP')
    await server.stop()
    expect((await diagnoseLocal(dataDir)).findings.map(({path}) => path)).to.deep.equal([folder])
  })

  it('says at the start which project has lost something', async () => {
    const file = await compacted()
    truncateSync(file, 10)
    const server = await start()
    expect(warnings.join()).to.include('The project shop is damaged').and.include(file)
    await server.stop()
  })

  it('tells by the doctor of files of credentials that are cut or emptied', async () => {
    await compacted()
    expect((await diagnoseLocal(dataDir)).findings).to.deep.equal([])
    const client = join(dataDir, 'shop.client.json')
    truncateSync(client, 20)
    writeFileSync(join(dataDir, 'admin.token'), '')
    expect(readAdminToken(dataDir), 'which a server would refuse').to.equal(undefined)
    const {findings} = await diagnoseLocal(dataDir)
    expect(findings.map(({path, severity}) => `${severity} ${path}`)).to.have.members([
      `note ${join(dataDir, 'admin.token')}`,
      `damage ${client}`,
    ])
  })
})
