import {chmodSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {startIntrospectionStub} from '../../src/server/stubs/introspection-stub.js'
import {Desk} from '../cli/run.js'

const header = 'Bearer an-invented-header'

describe('introspection · command', () => {
  let desk: Desk
  let stub: Awaited<ReturnType<typeof startIntrospectionStub>>
  before(async () => {
    desk = new Desk()
    stub = await startIntrospectionStub({authorization: header, scope: 'view_customers:local'})
  })
  after(async () => {
    await stub.stop()
    desk.remove()
  })

  const secretFile = (name: string, text: string): string => {
    const path = join(desk.folder, name)
    writeFileSync(path, `${text}\n`)
    chmodSync(path, 0o600)
    return path
  }
  const check = (...flags: string[]) => desk.run(['introspection', 'check', ...flags])

  it('checks an endpoint with header and token from files', async () => {
    const files = [
      '--authorization-file',
      secretFile('header', header),
      '--token-file',
      secretFile('token', 'active-1'),
    ]
    const {code, json, stdout} = await check(stub.url, ...files, '--requests', '3', '--json')
    expect(code, stdout).to.equal(0)
    expect(json).to.include({suite: 'introspection', ok: true, failed: 0})
    expect(stdout).to.not.include('an-invented-header')
  })

  it('ends with 9 and what failed', async () => {
    const env = {FRONTDESK_INTROSPECTION_AUTHORIZATION: 'Bearer another'}
    const {code, stdout} = await desk.run(['introspection', 'check', stub.url, '--requests', '1'], {env})
    expect(code).to.equal(9)
    expect(stdout).to.match(/an unknown token is inactive/)
    expect(stdout).to.match(/answered with 401/)
  })

  it('ends with 7 when nobody answers, and with 2 for what it cannot ask', async () => {
    expect((await check('http://127.0.0.1:1/x')).code).to.equal(7)
    for (const url of ['http://id.example/x', 'ftp://127.0.0.1/x', 'https://a:b@id.example/x', 'nonsense']) {
      expect((await check(url)).code, url).to.equal(2)
    }
    expect((await check(stub.url, '--budget', 'soon')).code).to.equal(2)
    expect((await check(stub.url, '--authorization', header)).code).to.equal(2)
  })

  it('serves on this machine only', async () => {
    expect((await desk.run(['introspection', 'serve', '--host', '0.0.0.0'])).code).to.equal(2)
    expect((await desk.run(['introspection', 'serve', '--port', '70000'])).code).to.equal(2)
    const taken = new URL(stub.url).port
    expect((await desk.run(['introspection', 'serve', '--port', taken])).code).to.equal(13)
  })
})
