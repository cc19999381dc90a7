import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../../cli/run.js'
import {type Cluster, queried, startCluster} from './cluster.js'

describe('store · commands that ask a server on PostgreSQL', () => {
  const desk = new Desk()
  const data = desk.env['FRONTDESK_DATA_DIR'] ?? ''
  let cluster: Cluster | undefined
  let server: RunningServer | undefined
  let url = ''

  before(async function () {
    cluster = await startCluster()
    if (!cluster) return this.skip()
    url = await cluster.database('commands')
    const seedDir = join(process.cwd(), 'fixtures/demo')
    const settings = {passwordCost: 4}
    server = await startServer({dataDir: data, storeUrl: url, projectKey: 'demo', seedDir, settings})
  })

  after(async () => {
    await server?.stop()
    await cluster?.stop()
    desk.remove()
  })

  const run = async (...words: string[]): Promise<string> => {
    const {code, stdout, stderr} = await desk.run(words, {env: {FRONTDESK_PROJECT_KEY: 'demo'}})
    expect(code, `${words.join(' ')}: ${stderr}`).to.equal(0)
    return stdout
  }
  const emails = async (): Promise<string[]> =>
    (
      await queried<{email: string}>(
        url,
        "SELECT doc->>'email' AS email FROM frontdesk.document WHERE kind = 'customer'",
      )
    )
      .map(({email}) => email)
      .sort()

  it('import and take back', async () => {
    const before = await emails()
    const file = join(desk.folder, 'new.csv')
    const rows = Array.from({length: 12}, (_, at) => `row-${at},row-${at}@example.com,Row ${at}`)
    writeFileSync(file, ['key,email,firstName', ...rows, ''].join('\n'))
    await run('customers', 'import', file, '--password-mode', 'external-auth')
    expect(await emails()).to.have.lengthOf(before.length + 12)
    await run('undo', '--yes')
    expect(await emails()).to.deep.equal(before)
  })

  it('find a customer, gather what is known of it, and erase it', async () => {
    expect(await run('customers', 'find', 'hazel', 'brandv', '-o', 'ids')).to.match(/^[0-9a-f-]{36}\n/)
    const out = join(desk.folder, 'hazel.json')
    await run('customers', 'dossier', 'key=hazel-brandvold', '--out', out)
    const held = JSON.parse(readFileSync(out, 'utf8')) as Record<string, {length: number}>
    for (const part of ['quotes', 'carts']) expect(held[part]?.length, part).to.be.greaterThan(0)
    await run('customers', 'delete', 'key=hazel-brandvold', '--erase-personal-data', '--yes')
    expect(await emails()).not.to.include('hazel.brandvold@example.com')
  })

  it('look for what is damaged, and mend it', async () => {
    const doctor = ['server', 'doctor', '--store-url', url]
    await run(...doctor)
    await queried(url, "DELETE FROM frontdesk.unique_key WHERE key LIKE 'email:%owen%'")
    expect(await desk.run(doctor)).to.include({code: 13})
    await run(...doctor, '--repair', '--yes')
    await run(...doctor)
  })
})
