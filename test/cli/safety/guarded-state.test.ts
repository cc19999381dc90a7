import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

describe('cli · guards of the local state', () => {
  let desk: Desk
  beforeEach(() => {
    desk = new Desk()
  })
  afterEach(() => desk.remove())
  const ends = async (code: number, ...argv: string[]): Promise<string> => {
    const ended = await desk.run(argv)
    expect(ended.code, `${argv.join(' ')}\n${ended.stderr}`).to.equal(code)
    return ended.stdout + ended.stderr
  }

  it('keep a read-only and a protected profile from being reset, restored or seeded', async () => {
    await ends(0, 'server', 'seed', '--project-key', 'mine')
    await ends(0, 'server', 'snapshot', 'save', 'kept')
    const all = [['reset'], ['snapshot', 'restore', 'kept'], ['seed']]
    await ends(0, 'login', 'careful', '--local', '--project-key', 'mine', '--protected', '--require-reason')
    for (const words of all) {
      expect(await ends(2, 'server', ...words, '--yes', '-P', 'careful')).to.include('--reason')
      await ends(12, 'server', ...words, '--yes', '-P', 'careful', '--reason', 'a test')
    }
    await ends(0, 'login', 'mine', '--local', '--project-key', 'mine', '--read-only')
    for (const words of all) {
      // Of several profiles of one place the strictest rule holds.
      for (const profile of ['mine', 'careful'])
        expect(await ends(2, 'server', ...words, '--yes', '-P', profile)).to.include("'mine' is read-only")
      await ends(0, 'server', ...words, '--dry-run', '-P', 'mine')
    }
    await ends(0, 'logout', 'mine', '--remove', '--yes')
    await ends(0, 'server', 'reset', '--yes', '-P', 'careful', '--reason', 'a test', '--confirm-profile', 'careful')
    const log = await ends(0, 'audit', 'list', '-o', 'jsonl')
    expect(log).to.match(/"command":"server reset".*"actions":\["reset"\].*"reason":"a test"/)
  })

  it('hold for the folder of a server whose address a profile protects', async () => {
    const dataDir = desk.env['FRONTDESK_DATA_DIR'] as string
    const server = await startServer({dataDir, projectKey: 'shop'})
    try {
      await ends(0, 'login', 'live', '--no-secret', '--project-key', 'shop', '--api-url', server.apiUrl, '--read-only')
      const draft = ['--email', 'a@example.com', '--external-auth', '--project-key', 'shop']
      expect(await ends(2, 'customers', 'create', ...draft, '--local')).to.include("'live' is read-only")
      expect(await ends(2, 'server', 'seed', 'demo', '--project-key', 'shop')).to.include("'live' is read-only")
      await ends(0, 'logout', 'live', '--remove', '--yes')
      await ends(0, 'login', 'folder', '--project-key', 'shop', '--data', dataDir, '--read-only')
      expect(await ends(2, 'customers', 'create', ...draft, '--api-url', server.apiUrl)).to.include(
        "'folder' is read-only",
      )
    } finally {
      await server.stop()
    }
  })

  it('name the target of what they let through', async () => {
    expect(await ends(0, 'server', 'seed')).to.include('target: local (local)\n')
  })
})

describe('cli · surroundings of a connection', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const env = {FRONTDESK_API_URL: 'https://api.invalid', FRONTDESK_PROJECT_KEY: 'shop', FRONTDESK_TOKEN: 'token'}

  it('are refused with code 2 where they make no sense', async () => {
    const path = join(desk.folder, 'none.pem')
    writeFileSync(path, 'nothing of the kind')
    const unvouched = await desk.run(['customers', 'query', '--ca-file', path], {env})
    expect([unvouched.code, unvouched.stderr]).to.deep.include(2)
    expect(unvouched.stderr).to.include('holds no certificate')
  })
})
