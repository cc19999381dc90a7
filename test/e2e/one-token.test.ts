import {spawn} from 'node:child_process'
import {createServer, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {processLimitMs} from '../patience.js'
import {cleanEnvironment, openSandbox, type Sandbox} from './binary.js'

const run = join(fileURLToPath(new URL('../../', import.meta.url)), 'bin', 'run.js')

const command = ['customers', 'create', '--email', 'made@example.com', '--external-auth', '--json']

describe('e2e · one token for commands that start together', () => {
  let sandbox: Sandbox
  let server: Server
  let asked = 0
  const held: ServerResponse[] = []
  let released = false

  function release(): void {
    released = true
    for (const response of held.splice(0)) {
      response.end(JSON.stringify({access_token: 'shared', expires_in: 3600, scope: 'x', token_type: 'Bearer'}))
    }
  }

  before(async () => {
    sandbox = openSandbox()
    server = createServer((request, response) => {
      request.resume()
      response.setHeader('content-type', 'application/json')
      if (request.url === '/oauth/token') {
        asked += 1
        held.push(response)
        if (released) release()
      } else if (request.headers.authorization === 'Bearer shared') {
        response.writeHead(201).end(JSON.stringify({customer: {id: 'made', version: 1, email: 'made@example.com'}}))
      } else {
        response.writeHead(401).end('{}')
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    sandbox.remove()
    server.closeAllConnections()
    server.close()
  })

  it('asks once for three processes', async () => {
    const env = {
      ...cleanEnvironment(sandbox.home),
      FRONTDESK_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      FRONTDESK_PROJECT_KEY: 'shop',
      FRONTDESK_CLIENT_ID: 'client',
      FRONTDESK_CLIENT_SECRET: 'secret',
    }
    let started = 0
    const ended = Array.from({length: 3}, () => {
      const child = spawn(process.execPath, [run, ...command], {
        cwd: sandbox.home,
        env,
        timeout: processLimitMs,
        killSignal: 'SIGKILL',
      })
      let stderr = ''
      child.stderr.on('data', (chunk: Buffer) => {
        // Each names its target before it asks for anything; the answer is held back until all have.
        if (stderr === '') {
          started += 1
          if (started === 3) release()
        }
        stderr += chunk.toString()
      })
      child.stdout.resume()
      return new Promise<string>((resolve) => child.once('close', (code) => resolve(`${code} ${stderr}`)))
    })
    for (const end of await Promise.all(ended)) expect(end).to.match(/^0 target: /)
    expect(asked).to.equal(1)
  })
})
