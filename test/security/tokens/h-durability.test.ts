import {type ChildProcess, execFileSync, spawn} from 'node:child_process'
import {mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect} from 'chai'
import {bundledScript} from '../../crash/bundled-script.js'
import {processLimitMs} from '../../patience.js'
import {emptyOk, stdErr, stdOk} from '../shop/expectations.js'
import {basic, formOf, formType, send} from '../shop/wire.js'

const script = bundledScript(fileURLToPath(new URL('../shop/server-process.ts', import.meta.url)))

interface Server {
  readonly child: ChildProcess
  readonly exited: Promise<unknown>
  post(path: string, form: Readonly<Record<string, string>>): ReturnType<typeof send>
  token(): Promise<string>
  isActive(token: string): Promise<boolean>
}

async function serve(dataDir: string): Promise<Server> {
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: processLimitMs,
    killSignal: 'SIGKILL',
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  const {apiUrl, clientId, clientSecret} = JSON.parse(line)
  const headers = {authorization: basic(clientId, clientSecret), 'content-type': formType}
  const post: Server['post'] = (path, form) => send(apiUrl, {method: 'POST', path, headers, body: formOf(form)})
  return {
    child,
    exited,
    post,
    token: async () => stdOk(await post('/oauth/token', {grant_type: 'client_credentials'})).access_token,
    isActive: async (token) => stdOk(await post('/oauth/introspect', {token})).active,
  }
}

describe('security · H durable revocation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-h-'))
  after(() => rmSync(folder, {recursive: true, force: true}))

  it('H16 a token stays revoked when the server is killed right after the 200, S-23', async () => {
    const dataDir = join(folder, 'h16')
    let server = await serve(dataDir)
    const [revoked, kept] = [await server.token(), await server.token()]
    const answer = await server.post('/oauth/token/revoke', {token: revoked})
    server.child.kill('SIGKILL')
    emptyOk(answer)
    await server.exited
    server = await serve(dataDir)
    expect(await server.isActive(revoked)).to.equal(false)
    expect(await server.isActive(kept)).to.equal(true)
    server.child.kill('SIGKILL')
    await server.exited
  })

  it('H15 answers 503 while the disk takes no more, and revokes when it does again', async function () {
    const dataDir = join(folder, 'h15')
    const server = await serve(dataDir)
    const {pid} = server.child
    const limit = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], {stdio: 'ignore'})
    try {
      limit('unlimited')
    } catch {
      server.child.kill('SIGKILL')
      this.skip()
    }
    const token = await server.token()
    const realm = join(dataDir, '_')
    const journal = readdirSync(realm).find((name) => name.startsWith('journal'))
    limit(statSync(join(realm, journal ?? '')).size)
    const answer = await server.post('/oauth/token/revoke', {token})
    stdErr(answer, 503, 'OverCapacity')
    expect(Number(answer.headers.get('retry-after'))).to.be.above(0)
    expect(await server.isActive(token)).to.equal(true)
    limit('unlimited')
    emptyOk(await server.post('/oauth/token/revoke', {token}))
    expect(await server.isActive(token)).to.equal(false)
    server.child.kill('SIGKILL')
    await server.exited
  })
})
