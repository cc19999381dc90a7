import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {customerWith, shopWithoutCustomers} from '../../transfer/every-member.js'
import {Desk} from '../run.js'

const rows = 30
/** Short enough for every member, and nothing that could come out by chance. */
const secretAt = (place: string, at: number): string => `Zqx${place}Wvj${at}`

/** The text of every file below a folder. */
function textsBelow(folder: string): string[] {
  return readdirSync(folder, {withFileTypes: true, recursive: true})
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
}

describe('cli · copying between two servers under pseudonyms', () => {
  const desk = new Desk()
  const folder = (name: string): string => join(desk.folder, name)
  const servers: RunningServer[] = []
  const secrets = new Set<string>()

  before(async () => {
    const pack = shopWithoutCustomers(folder('pack'))
    const profiles: Record<string, object> = {}
    for (const name of ['staging', 'copy', 'bare']) {
      const server = await startServer({
        dataDir: folder(`${name}-state`),
        projectKey: 'demo',
        ...(name === 'bare' ? {} : {seedDir: pack}),
      })
      servers.push(server)
      const {apiUrl, authUrl, client} = server
      const secret = {from: `env:${name.toUpperCase()}_SECRET`}
      desk.env[`${name.toUpperCase()}_SECRET`] = client?.clientSecret ?? ''
      profiles[name] = {projectKey: 'demo', apiUrl, authUrl, clientId: client?.clientId, secret}
    }
    mkdirSync(folder('config'), {recursive: true, mode: 0o700})
    writeFileSync(folder('config/profiles.json'), JSON.stringify({profiles}), {mode: 0o600})
    const drafts = Array.from({length: rows}, (_, at) => {
      const kept = (value: string): string => {
        secrets.add(value)
        return value
      }
      const text = (place: string): string => kept(secretAt(place, at))
      return {
        ...customerWith(pack, text, at),
        key: kept(`zqx-key-${at}`),
        email: kept(`zqx.${at}@wvj.example`),
        dateOfBirth: kept(`19${50 + at}-07-16`),
      }
    })
    const file = folder('rows.jsonl')
    writeFileSync(file, drafts.map((draft) => JSON.stringify(draft)).join('\n'))
    // The run that fills the source is a machine of its own, so that its journal is not among the target's files.
    const other = {FRONTDESK_DATA_DIR: folder('elsewhere')}
    const filled = await desk.run(['customers', 'import', file, '-P', 'staging', '--json'], {env: other})
    expect(filled.json, filled.stderr).to.include({created: rows})
  })
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    desk.remove()
  })

  it('leaves nothing of anybody in any file of the target, nor in what the command keeps', async () => {
    const argv = ['customers', 'copy', '--from', 'staging', '--to', 'copy', '--anonymize', '7', '--json']
    const copied = await desk.run(argv)
    expect(copied.json, copied.stderr).to.include({read: rows, created: rows})
    expect((await desk.run(argv)).json).to.include({unchanged: rows})
    // Rows that fail, here since nothing that they refer to is there, are written to a journal and a report.
    const planned = await desk.run(['undo', (copied.json as {job: string}).job, '-P', 'copy', '--dry-run'])
    expect(planned.stdout).to.match(/^the run {3}a copy from staging on \d{4}-\d\d-\d\d$/m)
    const failed = await desk.run(argv.map((word) => (word === 'copy' ? 'bare' : word)).with(1, 'copy'))
    expect(failed.json, failed.stderr).to.include({read: rows, failed: rows})
    expect(failed.code).to.equal(10)

    const kept = ['copy-state', 'bare-state', 'data', 'cache'].flatMap((name) => textsBelow(folder(name)))
    const texts = [...kept, copied.stdout, copied.stderr, failed.stdout, failed.stderr]
    expect(texts.join('').length).to.be.greaterThan(10_000)
    expect(statSync(folder('copy-state')).isDirectory()).to.equal(true)
    for (const secret of secrets) {
      const at = texts.findIndex((text) => text.includes(secret))
      expect(at, `${secret} in ${texts[at]?.slice(0, 200)}`).to.equal(-1)
    }
    const source = textsBelow(folder('staging-state')).join('')
    for (const secret of secrets) expect(source.includes(secret), secret).to.equal(true)
  })
})
