import {spawn, spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import {patienceMs} from '../../patience.js'
import {root} from '../run.js'

/** The compiled binary at a real terminal, which util-linux's `script` gives; where that is missing, nothing is tested. */

interface Turn {
  /** What must have appeared before the keys are pressed. */
  readonly seen: string
  readonly keys: string
}

const enter = '\r'
const ctrlC = '\u0003'
const ctrlD = '\u0004'

describe('cli · at a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-terminal-'))
  before(function () {
    if (spawnSync('script', ['--version']).status !== 0) this.skip()
  })
  after(() => rmSync(folder, {recursive: true, force: true}))

  /** Plays keys as what they wait for appears; ends by force if that takes too long, and tells how it ended. */
  function play(
    command: string,
    turns: readonly Turn[] = [],
    env: Record<string, string> = {},
  ): Promise<{code: number | null; screen: string}> {
    const line = `stty cols 60; exec ${process.execPath} ${join(root, 'bin/run.js')} ${command}`
    const {CI: _, ...own} = process.env
    const child = spawn('script', ['-qfec', line, '/dev/null'], {
      env: {
        ...own,
        FRONTDESK_CONFIG_DIR: `${folder}/c`,
        FRONTDESK_DATA_DIR: `${folder}/d`,
        FRONTDESK_CACHE_DIR: `${folder}/k`,
        ...env,
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const limit = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    const left = [...turns]
    let screen = ''
    let from = 0
    child.stdout.on('data', (chunk) => {
      screen += String(chunk)
      const [turn] = left
      if (!turn || !screen.slice(from).includes(turn.seen)) return
      left.shift()
      from = screen.length
      child.stdin.write(turn.keys)
    })
    return new Promise((resolve, reject) =>
      child.on('close', (code) => {
        clearTimeout(limit)
        const [turn] = left
        if (turn) reject(new Error(`'${turn.seen}' never appeared on this screen:\n${screen}`))
        else resolve({code, screen})
      }),
    )
  }

  it('guides, hides the password that is typed twice, and shows the equivalent command', async () => {
    const {code, screen} = await play('customers create', [
      {seen: 'Email:', keys: `gui@example.com${enter}`},
      {seen: 'First name', keys: `Gui${enter}`},
      {seen: 'Last name', keys: enter},
      {seen: 'Company', keys: enter},
      {seen: 'Key', keys: `gui${enter}`},
      {seen: 'Password of the customer:', keys: `hunter2-x${enter}`},
      {seen: '(again):', keys: `hunter2-x${enter}`},
    ])
    expect(code, screen).to.equal(0)
    expect(screen).to.include('frontdesk customers create --email gui@example.com').and.not.include('hunter2')
  })

  it('ends with 130 on Ctrl-C and Ctrl-D at a prompt, with nothing sent', async () => {
    for (const keys of [ctrlC, ctrlD]) {
      const {code, screen} = await play('customers reset-password key=gui --set', [{seen: 'New password', keys}])
      expect(code, screen).to.equal(130)
      expect(screen).to.include('nothing was sent')
    }
  })

  it('names the target before it asks, and deletes after a yes', async () => {
    const no = await play('customers delete key=gui', [{seen: 'y or enter', keys: `n${enter}`}])
    expect(no.code).to.equal(2)
    const yes = await play('customers delete key=gui', [{seen: 'y or enter', keys: `y${enter}`}])
    expect(yes.code, yes.screen).to.equal(0)
    expect(yes.screen.indexOf('target: local')).to.be.greaterThan(-1).and.lessThan(yes.screen.indexOf('Delete Gui'))
  })

  it('asks nobody in CI', async () => {
    expect((await play('customers create --local --email ci@example.com', [], {CI: '1'})).code).to.equal(12)
  })

  it('fits tables into the terminal, with colour unless it is unwanted', async () => {
    await play('customers create --email a-rather-long-address@example.com --external-auth --key long')
    const {screen} = await play('customers query')
    const plain = screen.replace(/\u001b\[[0-9;]*m/g, '')
    expect(Math.max(...plain.split(/\r?\n/).map((line) => line.length))).to.be.at.most(60)
    expect(plain).to.include('a-rather-long-address@example.com').and.include('Columns that do not fit')
    expect((await play('customers query', [], {NO_COLOR: '1'})).screen).to.not.include('\u001b[')
    expect((await play('profiles list')).screen).to.include('\u001b[')
    const dumb = (await play('customers query', [], {TERM: 'dumb'})).screen
    expect(dumb).to.match(/^[\x20-\x7e\r\n]*$/)
    expect((await play('customers query --no-color')).screen).to.not.include('\u001b[')
  })
})
