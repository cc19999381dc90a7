import {execFile} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {expect} from 'chai'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A test suite of a user: the library answers a request over HTTP, and the suite sends one with its own fetch. */
const suite = (before: string, after: string): string => `
  ${before}
  const {connect, operations, startServer} = await import('frontdesk')
  const server = await startServer({projectKey: 'shop', dataDir: ':memory:'})
  const {apiUrl, authUrl, client: {clientId, clientSecret}} = server
  const credentials = {kind: 'client', clientId, secret: async () => clientSecret}
  const client = await connect({kind: 'remote', projectKey: 'shop', apiUrl, authUrl, credentials})
  await client.call(operations.queryCustomers, {}, {query: {}})
  ${after}
  // Clients count the bytes themselves: the dispatcher of the package undici refuses that on Node 20.
  const headers = {'content-type': 'application/x-www-form-urlencoded', 'content-length': '3'}
  const said = await fetch(apiUrl + '/oauth/token', {method: 'POST', headers, body: 'a=b'}).then(
    ({status}) => status,
    ({cause, message}) => cause?.message ?? message,
  )
  console.log(said)
  await client.close()
  await server.stop()`

/** A dispatcher of the suite, which sends nothing. */
const own = `const own = {dispatch() { throw new Error('the dispatcher of the suite') }}`
const legacy = `globalThis[Symbol.for('undici.globalDispatcher.1')]`

async function run(before: string, after: string): Promise<string> {
  const script = ['--input-type=module', '-e', suite(before, after)]
  return (await promisify(execFile)(process.execPath, script, {cwd: root})).stdout.trim()
}

describe('e2e · the fetch of who imports the library', () => {
  it('keeps its own dispatcher', async () => {
    expect(await run('', '')).to.equal('401')
  })

  it('is not changed by loading the library', async () => {
    const isSame = `console.log(Object.is(globalThis.fetch, before.fetch) && Object.is(${legacy}, before.dispatcher))`
    const before = `void new Headers(); const before = {fetch: globalThis.fetch, dispatcher: ${legacy}}`
    expect(await run(before, isSame)).to.equal('true\n401')
  })

  it('keeps the dispatcher that the suite set before', async () => {
    expect(await run(`${own}; ${legacy} = own`, '')).to.equal('the dispatcher of the suite')
  })

  it('gets the dispatcher that the suite sets afterwards', async () => {
    const set = `${own}; (await import('undici')).setGlobalDispatcher(own)`
    expect(await run('', set)).to.equal('the dispatcher of the suite')
  })
})
