import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {type ApiClient, withScope} from '../../src/api/documents/api-client.js'
import {connect, startServer} from '../../src/index.js'
import {allScopes} from '../../src/oauth/scopes.js'
import {localClient} from '../../src/server/local/local-files.js'
import {openRuntime} from '../../src/server/local/runtime.js'
import {REALM} from '../../src/store/store.js'

describe('server · the first client of an older folder', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-first-client-'))
  })
  afterEach(() => rmSync(folder, {recursive: true}))

  const projects = ['shop', 'other'] as const

  /** Opens the folder, as a command does, and returns the scopes of the first clients after `use`. */
  const scopes = async (use?: (client: ApiClient) => ApiClient): Promise<string[]> => {
    const {state} = await openRuntime({dataDir: folder, writer: 'one-shot'})
    const found: string[] = []
    for (const project of projects) {
      const client = (await state.get(REALM, 'api-client', localClient(folder, project)?.clientId ?? '')) as ApiClient
      const doc = use?.(client) ?? client
      if (use) await state.commit(REALM, [{kind: 'api-client', expect: client.version, doc}])
      found.push(doc.scope)
    }
    await state.close()
    return found
  }
  const used = async (projectKey: string, onWarning?: (message: string) => void): Promise<void> => {
    const target = {kind: 'embedded', projectKey, dataDir: folder} as const
    await (await connect(target, {...(onWarning ? {onWarning} : {})})).close()
  }
  const older = async (): Promise<void> => {
    for (const project of projects) await used(project)
    await scopes((client) => withScope(client, `manage_project:${client.projectKey}`))
  }
  const all = projects.map((project) => allScopes(project).join(' '))

  it('gets its scopes by name from a server, for every project of the folder, and that is said once', async () => {
    await older()
    for (const said of [2, 0]) {
      const warnings: string[] = []
      const server = await startServer({dataDir: folder, projectKey: 'shop', onWarning: (text) => warnings.push(text)})
      await server.stop()
      expect(warnings).to.have.lengthOf(said)
      for (const text of warnings)
        expect(text).to.match(/first API client of '(shop|other)' now holds every scope by name/)
    }
    expect(await scopes()).to.deep.equal(all)
  })

  it('gets them from a command for its own project', async () => {
    await older()
    const warnings: string[] = []
    for (let run = 0; run < 2; run += 1) await used('shop', (text) => warnings.push(text))
    expect(warnings).to.have.lengthOf(1)
    expect(await scopes()).to.deep.equal([all[0], 'manage_project:other'])
  })

  it('keeps what somebody gave it', async () => {
    await older()
    await scopes((client) =>
      withScope(client, `manage_project:${client.projectKey} view_customers:${client.projectKey}`),
    )
    await used('shop', (text) => expect.fail(text))
    expect((await scopes())[0]).to.equal('manage_project:shop view_customers:shop')
  })
})
