import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {rounds} from '../../rounds.js'
import {cleanEnvironment, openSandbox} from '../binary.js'
import {root} from '../typed.js'

const count = rounds(300, 5_000)
const kills = rounds(2, 6)
/** What a customer and the message about it take at least. */
const rowBytes = 1_500

describe('e2e · an import into files that is killed and resumed', () => {
  const sandbox = openSandbox()
  after(() => sandbox.remove())

  /** The length of the newest files of documents. */
  function written(): number {
    const folder = join(sandbox.data, 'local')
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
      return names.reduce((sum, name) => sum + (statSync(join(folder, name), {throwIfNoEntry: false})?.size ?? 0), 0)
    } catch {
      return 0
    }
  }

  it('has each row once, as the file says it', async () => {
    const file = join(sandbox.home, 'rows.jsonl')
    const rows = Array.from({length: count}, (_, at) => ({
      key: `row-${at}`,
      email: `row-${at}@example.com`,
      firstName: `First ${at}`,
      authenticationMode: 'ExternalAuth',
    }))
    writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'))
    const words = ['customers', 'import', file, '--password-mode', 'external-auth']
    const env = {...cleanEnvironment(sandbox.home), FRONTDESK_DATA_DIR: sandbox.data}
    for (let death = 0; death < kills; death += 1) {
      const resume = death === 0 ? [] : ['--resume']
      const child = spawn(process.execPath, [join(root, 'bin/run.js'), ...words, ...resume], {env, stdio: 'ignore'})
      const enough = written() + (count / (kills + 2)) * rowBytes
      const watch = setInterval(() => written() > enough && child.kill('SIGKILL'), 1)
      const [, signal] = await once(child, 'close')
      clearInterval(watch)
      expect(signal, `death ${death + 1}`).to.equal('SIGKILL')
    }
    const {code, stdout, stderr} = await sandbox.frontdesk([...words, '--resume', '--json'])
    expect(code, stderr).to.equal(0)
    expect(JSON.parse(stdout)).to.include({read: count, failed: 0})
    expect((await sandbox.frontdesk(['server', 'doctor'])).code).to.equal(0)
    const out = join(sandbox.home, 'out.jsonl')
    await sandbox.frontdesk(['customers', 'export', '--format', 'jsonl', '--out', out])
    const customers = readFileSync(out, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as (typeof rows)[0])
    const inOrder = customers.sort((one, other) => Number(one.key.slice(4)) - Number(other.key.slice(4)))
    expect(
      inOrder.map(({key, email, firstName, authenticationMode}) => ({key, email, firstName, authenticationMode})),
    ).to.deep.equal(rows)
  })
})
