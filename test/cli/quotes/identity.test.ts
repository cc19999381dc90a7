import {chmodSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {processIo} from '../../../src/cli/process/io.js'
import {asCustomer} from '../../../src/cli/quotes/identity.js'
import {localProfile} from '../../../src/cli/target/profiles.js'
import type {Desk} from '../run.js'
import {demoDesk, errorOf} from './harness.js'

describe('cli · quotes · who speaks', () => {
  let desk: Desk
  before(async () => {
    desk = await demoDesk()
  })
  after(() => desk.remove())

  const get = (...argv: string[]) => desk.run(['quotes', 'get', 'key=hazel-open', '--json', ...argv])
  const issue = (...argv: string[]) => desk.run(['token', 'issue', ...argv], {stdin: 'demo-only-hazel\n'})
  const password = ['--flow', 'password', '--email', 'hazel.brandvold@example.com', '--password-stdin']

  it('needs a customer, and says how to name one', async () => {
    const nobody = await get()
    expect(nobody.code).to.equal(4)
    expect(errorOf(nobody).hints.join(' ')).to.include('session:NAME').and.include('file:PATH')
    expect((await get('--as', 'session:')).code).to.equal(2)
    expect((await get('--as', 'key=nobody')).code).to.equal(3)
  })

  it('takes a saved session of a customer, and says what another one lacks', async () => {
    expect((await issue(...password, '--scope', 'manage_my_quotes', '--save', 'hazel')).code).to.equal(0)
    expect((await get('--as', 'session:hazel')).json).to.include({key: 'hazel-open'})
    await issue('--flow', 'client', '--save', 'client')
    const client = await get('--as', 'session:client')
    expect(client.code).to.equal(4)
    expect(errorOf(client).message).to.include('no customer_id').and.include('client flow')
    await issue(...password, '--scope', 'manage_my_profile', '--save', 'profile')
    const narrow = await get('--as', 'session:profile')
    expect(narrow.code).to.equal(4)
    expect(errorOf(narrow).message).to.include('lacks the scope manage_my_quotes')
    expect((await get('--as', 'session:none')).code).to.equal(4)
    await desk.run(['token', 'revoke', '--saved', 'hazel'])
    expect((await get('--as', 'session:hazel')).code).to.equal(4)
  })

  it('takes a token from a file that nobody else can read, and says what it lacks', async () => {
    const tokenIn = async (name: string, ...argv: string[]): Promise<string> => {
      const file = join(desk.folder, name)
      writeFileSync(file, (await issue('--print', 'raw', '--show-secret', ...argv)).stdout, {mode: 0o600})
      return file
    }
    const mine = await tokenIn('hazel.token', ...password)
    expect((await get('--as', `file:${mine}`)).json).to.include({key: 'hazel-open'})
    chmodSync(mine, 0o644)
    expect((await get('--as', `file:${mine}`)).code).to.equal(13)
    const client = await get('--as', `file:${await tokenIn('client.token', '--flow', 'client')}`)
    expect(client.code).to.equal(4)
    expect(errorOf(client).message).to.equal('The token has no customer_id: it is not bound to a customer.')
    const narrow = await tokenIn('narrow.token', ...password, '--scope', 'manage_my_orders')
    expect(errorOf(await get('--as', `file:${narrow}`)).message).to.include('manage_my_quotes')
    const token = readFileSync(mine, 'utf8').trim()
    const fromEnvironment = await desk.run(['quotes', 'exists', 'key=hazel-open'], {env: {FRONTDESK_TOKEN: token}})
    expect(fromEnvironment.code).to.equal(0)
  })

  it('needs the store of a store’s customer', async () => {
    const mira = (...argv: string[]) => desk.run(['quotes', 'exists', 'key=mira-berlin', '--json', ...argv])
    const nowhere = await mira('--as', 'key=mira-berlin')
    expect([nowhere.code, errorOf(nowhere).code]).to.deep.equal([4, 'StoreNeeded'])
    const both = await mira('--as', 'mira.solheim@example.org')
    expect([both.code, errorOf(both).code]).to.deep.equal([5, 'ReferenceAmbiguous'])
    expect((await mira('--as', 'mira.solheim@example.org', '--store', 'berlin')).code).to.equal(0)
    expect((await mira('--as', 'mira.solheim@example.org', '--store', 'london')).code).to.equal(3)
  })

  it('replaces a token that it issued before that ends, and no sooner', async () => {
    let now = Date.now()
    const flags = {as: 'key=hazel-brandvold'}
    const target = {kind: 'embedded', projectKey: 'demo', dataDir: desk.env['FRONTDESK_DATA_DIR'] ?? ''} as const
    const folders = {config: desk.folder, data: desk.folder, cache: desk.folder}
    const resolved = {target, label: 'local', profile: localProfile, origins: new Map()}
    const identity = asCustomer({flags, io: {...processIo, clock: () => now}, folders, resolved})
    const first = await identity.ready()
    now += 8 * 60_000
    expect(await identity.ready()).to.equal(first)
    now += 60_000
    expect(await identity.ready()).to.not.equal(first)
  })
})
