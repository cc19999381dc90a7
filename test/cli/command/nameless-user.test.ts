import {execFile} from 'node:child_process'
import {chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {root} from '../run.js'

/** A user that the system's list of users does not name, as containers of many platforms have it. */
const uid = 54_321

describe('cli · a user without a name', () => {
  let folder: string
  before(function () {
    if (process.getuid?.() !== 0) this.skip()
    folder = mkdtempSync(join(tmpdir(), 'frontdesk-nameless-'))
    chmodSync(folder, 0o755)
    for (const part of ['package.json', 'oclif.manifest.json', 'bin', 'dist/cli']) {
      cpSync(join(root, part), join(folder, part), {recursive: true})
    }
    mkdirSync(join(folder, 'home'))
    chownSync(join(folder, 'home'), uid, uid)
  })
  after(() => {
    if (folder) rmSync(folder, {recursive: true, force: true})
  })

  const run = (words: readonly string[], env: NodeJS.ProcessEnv) =>
    new Promise<{code: number; text: string}>((resolve) => {
      const options = {uid, gid: uid, cwd: '/', env: {PATH: process.env['PATH'], ...env}}
      execFile(process.execPath, [join(folder, 'bin/run.js'), ...words], options, (error, stdout, stderr) => {
        resolve({code: Number(error?.code ?? 0), text: stdout + stderr})
      })
    })

  it('writes, reads and leaves a trace in the audit log without SHELL', async () => {
    const env = {HOME: join(folder, 'home')}
    const created = await run(
      ['customers', 'create', '--email', 'a@example.com', '--key', 'ada', '--external-auth'],
      env,
    )
    expect(created.code, created.text).to.equal(0)
    const updated = await run(['customers', 'update', 'key=ada', '--set', 'firstName=Ada', '--reason', 'test'], env)
    expect(updated.code, updated.text).to.equal(0)
    const {code, text} = await run(['audit', 'list', '--json'], env)
    expect(code, text).to.equal(0)
    expect(text).to.include(`uid ${uid}`)
  })

  it('shows help without HOME, and names the folder that cannot be written', async () => {
    const help = await run(['customers', 'get', '--help'], {})
    expect(help.code, help.text).to.equal(0)
    const {code, text} = await run(['customers', 'query'], {})
    expect(code, text).to.equal(13)
    expect(text).to.match(/^Error: The state in \/\.local\/share\/frontdesk\S* cannot be used/)
  })
})
