import {expect} from 'chai'
import {openSandbox, type Sandbox} from './binary.js'

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Body = any

/** Real processes, real signals, real files: what was acknowledged is there. */
describe('e2e · durability', () => {
  let sandbox: Sandbox
  beforeEach(() => {
    sandbox = openSandbox()
  })
  afterEach(() => sandbox.remove())

  async function tokenOf(apiUrl: string): Promise<string> {
    const {stdout} = await sandbox.frontdesk(['server', 'env', '--json'])
    const env = JSON.parse(stdout) as Record<string, string>
    const basic = Buffer.from(`${env['FRONTDESK_CLIENT_ID']}:${env['FRONTDESK_CLIENT_SECRET']}`).toString('base64')
    const answer = await fetch(`${apiUrl}/oauth/token`, {
      method: 'POST',
      headers: {authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded'},
      body: 'grant_type=client_credentials',
    })
    return ((await answer.json()) as Body).access_token
  }

  it('keeps every acknowledged write when the server is killed in the middle of a thousand', async () => {
    const first = await sandbox.serve()
    const token = await tokenOf(first.apiUrl)
    const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'}
    const acknowledged: string[] = []
    let next = 0
    const writer = async (): Promise<void> => {
      while (next < 1000) {
        const key = `kill-${next}`
        next += 1
        const body = JSON.stringify({email: `${key}@example.com`, key, authenticationMode: 'ExternalAuth'})
        const answer = await fetch(`${first.apiUrl}/local/customers`, {method: 'POST', headers, body})
        if (answer.status === 201) acknowledged.push(key)
        if (acknowledged.length === 400) first.child.kill('SIGKILL')
      }
    }
    await Promise.allSettled(Array.from({length: 16}, writer))
    first.child.kill('SIGKILL')
    await first.exited
    expect(acknowledged.length).to.be.within(400, 999)
    const {code, stdout} = await sandbox.frontdesk(['customers', 'query', '--all', '--json', '--fields', 'key'])
    expect(code).to.equal(0)
    const there = new Set((JSON.parse(stdout) as Body).results.map(({key}: Body) => key))
    expect(acknowledged.filter((key) => !there.has(key))).to.deep.equal([])
  })

  it('loses no acknowledged change of twenty processes that write at once', async () => {
    await sandbox.frontdesk(['customers', 'create', '--email', 'shared@example.com', '--external-auth'])
    const runs = await Promise.all(
      Array.from({length: 20}, async (_, at) => {
        const set = ['--add-address', JSON.stringify({country: 'DE', key: `address-${at}`})]
        const {code, stderr} = await sandbox.frontdesk(['customers', 'update', 'shared@example.com', ...set])
        return {at, code, stderr}
      }),
    )
    for (const {code, stderr} of runs) expect(code, stderr).to.be.oneOf([0, 5])
    const {stdout} = await sandbox.frontdesk(['customers', 'get', 'shared@example.com', '--json'])
    const keys = (JSON.parse(stdout) as Body).addresses.map(({key}: Body) => key)
    const done = runs.filter(({code}) => code === 0).map(({at}) => `address-${at}`)
    expect(done.length).to.be.greaterThan(0)
    expect(keys.sort()).to.deep.equal(done.sort())
  })

  it('finishes what it began when asked to stop, and frees the state', async () => {
    const {child, exited} = await sandbox.serve()
    child.kill('SIGTERM')
    expect((await exited).code).to.be.oneOf([0, 143])
    const {code} = await sandbox.frontdesk(['customers', 'query'])
    expect(code).to.equal(0)
  })
})
