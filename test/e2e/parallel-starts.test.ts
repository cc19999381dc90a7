import {rmSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {openSandbox, type Sandbox} from './binary.js'

const createOf = (name: string) => [
  'customers',
  'create',
  '--email',
  `${name}@example.com`,
  '--external-auth',
  '--json',
]

describe('e2e · embedded commands that start together', () => {
  let sandbox: Sandbox
  beforeEach(() => {
    sandbox = openSandbox()
  })
  afterEach(() => sandbox.remove())

  /** Six at once, half of which only read; each may find the token of another. */
  async function together(): Promise<void> {
    const commands = Array.from({length: 6}, (_, at) =>
      sandbox.frontdesk([...(at % 2 === 0 ? ['customers', 'query'] : createOf(`c${at}`)), '--timeout', '10m']),
    )
    for (const {code, stderr} of await Promise.all(commands)) expect(code, stderr).to.equal(0)
    const {stdout} = await sandbox.frontdesk(['customers', 'query', '--all', '-o', 'ids'])
    expect(stdout.trim().split('\n')).to.have.length(3)
  }

  it('all succeed in a folder that is new', together)

  it('all succeed where the project exists and no token is kept', async () => {
    await sandbox.frontdesk(['customers', 'query'])
    rmSync(join(sandbox.home, 'cache'), {recursive: true})
    await together()
  })
})
