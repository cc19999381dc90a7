import {execFileSync, spawnSync} from 'node:child_process'
import {closeSync, existsSync, openSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {cleanEnvironment, openSandbox, type Sandbox} from './binary.js'

const bin = join(fileURLToPath(new URL('../../', import.meta.url)), 'bin', 'run.js')

describe('e2e · an output that cannot be written', () => {
  let sandbox: Sandbox
  before(function () {
    if (!existsSync('/dev/full')) this.skip()
    sandbox = openSandbox()
  })
  after(() => sandbox?.remove())

  it('is an error of the disk, not a bug', () => {
    const env = {...cleanEnvironment(sandbox.home), FRONTDESK_DATA_DIR: sandbox.data}
    const create = ['customers', 'create', '--email', 'a@example.com', '--external-auth']
    for (const argv of [['--version'], ['help', 'exit-codes'], ['profiles', 'list'], create]) {
      const full = openSync('/dev/full', 'w')
      const {status, stderr} = spawnSync(process.execPath, [bin, ...argv], {env, stdio: ['ignore', full, 'pipe']})
      closeSync(full)
      expect(status, argv.join(' ')).to.equal(13)
      expect(stderr.toString()).to.match(/^(?:target: .*\n)?Error: The output cannot be written: no space is left/)
      expect(stderr.toString()).to.not.match(/bug|Unexpected/)
    }
    const ids = execFileSync(process.execPath, [bin, 'customers', 'query', '-o', 'ids'], {env}).toString()
    expect(ids, 'what was written before').to.match(/^[0-9a-f-]{36}\n$/)
  })
})
