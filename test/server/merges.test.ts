import {execFile} from 'node:child_process'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {promisify} from 'node:util'
import {expect} from 'chai'
import {scratch} from '../transfer/scratch.js'

const files = scratch()
const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** A program with the built server, which is told to merge after each customer; prints how many threads it began. */
const program = (library: string, dataDir: string): string => `
import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {startServer} from ${JSON.stringify(library)}

let threads = 0
process.on('worker', () => (threads += 1))
const dataDir = ${JSON.stringify(dataDir)}
const server = await startServer({dataDir, projectKey: 'shop'})
const headers = {authorization: 'Bearer ' + (await server.tokenFor()), 'content-type': 'application/json'}
for (const name of ['ada', 'bea', 'cleo']) {
  const body = JSON.stringify({email: name + '@example.com', authenticationMode: 'ExternalAuth'})
  const {status} = await fetch(server.apiUrl + '/shop/customers', {method: 'POST', headers, body})
  const env = {...process.env, FRONTDESK_DATA_DIR: dataDir}
  const {stdout} = await promisify(execFile)(process.execPath, ['bin/run.js', 'server', 'compact', '--json'], {env})
  console.log(status, JSON.parse(stdout).compacted)
}
await server.stop()
console.log(threads)
`

describe('server · merges', () => {
  it('are made by one thread that stays for the next, as the built server runs it', async () => {
    const library = pathToFileURL(`${root}/dist/lib/index.mjs`).href
    const file = files.write('merges.mjs', program(library, files.path('state')))
    const {stdout} = await run(process.execPath, [file], {cwd: root})
    expect(stdout).to.equal('201 true\n201 true\n201 true\n1\n')
  })
})
