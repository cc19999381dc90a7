import {existsSync, mkdirSync, readFileSync, statSync, watch, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

describe('cli · the window into a server', () => {
  const desk = new Desk()
  const dataDir = join(desk.folder, 'data')
  let server: RunningServer
  beforeEach(async () => {
    server = await startServer({
      dataDir,
      projectKey: 'shop',
      settings: {passwordCost: 4},
      resetLink: 'https://shop.example/reset?t={token}',
    })
    await server.reset()
    await server.seed({customers: [{key: 'ada', email: 'ada@example.com'}]})
  })
  afterEach(() => server.stop())
  after(() => desk.remove())

  it('prints a link that lets one browser in, and starts no program in a pipe', async () => {
    const {code, stdout, stderr} = await desk.run(['server', 'open', '--project-key', 'shop'], {
      env: {PATH: '', DISPLAY: ':0'},
    })
    expect(code, stderr).to.equal(0)
    const url = stdout.trim()
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/_frontdesk\/window\?project=shop#code=[\w-]{43}$/)
    expect((await fetch(url)).status).to.equal(200)
    const json = await desk.run(['server', 'open', '--print', '--json'])
    expect((json.json as {url: string}).url).to.contain('#code=')
  })

  it('hands the browser a private file that leads to the link, so that no command line has its code', async () => {
    const bin = join(desk.folder, 'bin')
    const told = join(bin, 'told')
    mkdirSync(bin)
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf %s "$*" >${told}.part && mv ${told}.part ${told}\n`, {
      mode: 0o755,
    })
    const watcher = watch(bin)
    const hasOpened = new Promise<void>((resolve) => watcher.on('change', () => existsSync(told) && resolve()))
    const {stdout} = await desk.run(['server', 'open', '--project-key', 'shop'], {
      env: {PATH: `${bin}:/usr/bin:/bin`, DISPLAY: ':0'},
      terminal: true,
    })
    await hasOpened
    watcher.close()
    const file = new URL(readFileSync(told, 'utf8'))
    expect(file.href).to.match(/^file:.*window\.html$/)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(readFileSync(file, 'utf8')).to.contain(`location.replace(${JSON.stringify(stdout.trim())})`)
    expect((await desk.run(['server', 'doctor'])).code, 'the file is nothing foreign to the folder').to.equal(0)
  })

  it('makes no link in a dry run', async () => {
    const {code, stdout} = await desk.run(['server', 'open', '--dry-run', '--json'])
    expect(code).to.equal(0)
    expect(stdout).to.not.contain('code=')
  })

  it('shows the outbox as links of the shop, the newest first, and tells which can still be used', async () => {
    const authorization = `Bearer ${await server.tokenFor()}`
    const made = async (path: string, body: object) => {
      const answer = await fetch(`${server.apiUrl}/shop/customers/${path}`, {
        method: 'POST',
        headers: {authorization, 'content-type': 'application/json'},
        body: JSON.stringify(body),
      })
      return ((await answer.json()) as {value: string}).value
    }
    const {results} = (await (await fetch(`${server.apiUrl}/shop/customers`, {headers: {authorization}})).json()) as {
      results: {id: string}[]
    }
    const first = await made('password-token', {email: 'ada@example.com'})
    const second = await made('email-token', {id: results[0]?.id, ttlMinutes: 60})
    const shown = await desk.run(['server', 'outbox', '--project-key', 'shop', '--json'])
    expect(shown.code, shown.stderr).to.equal(0)
    const tokens = (shown.json as {results: Record<string, unknown>[]}).results
    expect(tokens.map(({purpose, value, link, isOpen}) => ({purpose, value, link, isOpen}))).to.deep.equal([
      {purpose: 'email', value: second, link: undefined, isOpen: true},
      {purpose: 'password', value: first, link: `https://shop.example/reset?t=${first}`, isOpen: true},
    ])
    await made('password/reset', {tokenValue: first, newPassword: 'an-invented-one'})
    const again = await desk.run(['server', 'outbox', '--project-key', 'shop', '--json'])
    expect((again.json as {results: {isOpen: boolean}[]}).results.map(({isOpen}) => isOpen)).to.deep.equal([
      true,
      false,
    ])
    const masked = await desk.run(['server', 'outbox', '--project-key', 'shop', '--redact', '--json'])
    expect(masked.stdout).to.not.contain('ada@example.com').and.not.contain(second)
    expect((await desk.run(['server', 'outbox', '--project-key', 'nowhere'])).code).to.equal(3)
  })

  it('empties a project of the running server with its outbox, and seeds it', async () => {
    await fetch(`${server.apiUrl}/shop/customers/password-token`, {
      method: 'POST',
      headers: {authorization: `Bearer ${await server.tokenFor()}`, 'content-type': 'application/json'},
      body: JSON.stringify({email: 'ada@example.com'}),
    })
    const outbox = async () => {
      const {json} = await desk.run(['server', 'outbox', '--project-key', 'shop', '--json'])
      return (json as {results: object[]}).results.length
    }
    expect(await outbox()).to.equal(1)
    const reset = await desk.run(['server', 'reset', '--project-key', 'shop', '--seed', 'demo', '--yes'])
    expect(reset.code, reset.stderr).to.equal(0)
    expect(await outbox()).to.equal(0)
    const answer = await fetch(`${server.apiUrl}/shop/customers?limit=500`, {
      headers: {authorization: `Bearer ${await server.tokenFor()}`},
    })
    const {results} = (await answer.json()) as {results: {key?: string}[]}
    expect(results.map(({key}) => key))
      .to.include('hazel-brandvold')
      .and.not.include('ada')
    expect((await desk.run(['server', 'reset', '--seed', 'demo', '--yes'])).code).to.equal(2)
    const bad = await desk.run(['server', 'reset', '--project-key', 'shop', '--seed', '/nowhere/at/all', '--yes'])
    expect(bad.code).to.not.equal(0)
    const left = await fetch(`${server.apiUrl}/shop/customers/key=hazel-brandvold`, {
      headers: {authorization: `Bearer ${await server.tokenFor()}`},
    })
    expect(left.status, 'a pack that cannot be read empties nothing').to.equal(200)
  })

  it('takes no page of a shop without a place for the token', async () => {
    const {code} = await desk.run(['server', 'start', '--reset-link', 'https://shop.example/reset'])
    expect(code).to.equal(2)
    const refused = await startServer({projectKey: 'shop', verifyLink: 'javascript:x/{token}'}).catch((error) => error)
    expect(refused).to.include({code: 'InvalidSetup'})
  })
})
