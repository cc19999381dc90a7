import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

interface Issued {
  readonly access_token: string
  readonly refresh_token?: string
  readonly scope: string
  readonly expires_in: number
}

describe('cli · token', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const issue = async (...argv: string[]): Promise<Issued> => {
    const words = ['token', 'issue', '--show-secret', '--json', ...argv]
    const {code, json, stderr} = await desk.run(words, {stdin: 'geheim-123'})
    expect(code, stderr).to.equal(0)
    return json as Issued
  }

  before(async () => {
    const argv = ['customers', 'create', '--email', 'ada@example.com', '--key', 'ada', '--password-stdin']
    expect((await desk.run(argv, {stdin: 'geheim-123'})).code).to.equal(0)
  })

  it('issues what was asked for, with short names of scopes', async () => {
    expect(await issue('--scope', 'view_customers')).to.include({scope: 'view_customers:local', expires_in: 172_800})
    expect(await issue('--for', 'customers get')).to.include({scope: 'view_customers:local'})
    const raw = await desk.run(['token', 'issue', '--print', 'raw', '--show-secret'])
    expect(raw.stdout).to.match(/^[\w-]{43}\n$/)
    const header = await desk.run(['token', 'issue', '--print', 'header', '--show-secret'])
    expect(header.stdout).to.match(/^Authorization: Bearer [\w-]{43}\n$/)
  })

  it('signs customers in, with wrong credentials as code 4', async () => {
    const token = await issue('--flow', 'password', '--email', 'ADA@example.com', '--password-stdin')
    expect(token.refresh_token).to.be.a('string')
    expect(token.scope).to.include('customer_id:')
    const wrong = 'token issue --flow password --email ada@example.com --password-stdin --json --show-secret'.split(' ')
    const {code, json} = await desk.run(wrong, {stdin: 'wrong'})
    expect(code).to.equal(4)
    expect(json).to.have.nested.property('error.code', 'invalid_customer_account_credentials')
  })

  it('keeps sessions for their owner only, shows them without tokens, renews and forgets them', async () => {
    const token = await issue('--flow', 'anonymous', '--save', 'visitor')
    const folder = join(desk.folder, 'cache', 'sessions')
    expect(readdirSync(folder)).to.deep.equal(['visitor.json'])
    expect(statSync(join(folder, 'visitor.json')).mode & 0o777).to.equal(0o600)
    const list = await desk.run(['token', 'list', '--json'])
    expect(list.stdout).to.include('visitor').and.not.include(token.access_token)
    expect((await desk.run(['token', 'introspect', '--saved', 'visitor', '--json'])).json).to.include({active: true})
    expect((await desk.run(['token', 'refresh', 'visitor'])).code).to.equal(0)
    expect(readFileSync(join(folder, 'visitor.json'), 'utf8')).to.not.include(token.access_token)
    expect((await desk.run(['token', 'forget', 'visitor'])).code).to.equal(0)
    expect((await desk.run(['token', 'introspect', '--saved', 'visitor'])).code).to.equal(4)
    expect((await desk.run(['token', 'forget', 'visitor'])).code).to.equal(3)
  })

  it('sends a saved session to its own project only', async () => {
    await issue('--save', 'bound')
    const elsewhere = ['token', 'introspect', '--saved', 'bound', '--project-key', 'other']
    const {code, stderr} = await desk.run(elsewhere)
    expect(code).to.equal(4)
    expect(stderr).to.include('belongs to another address or project')
  })

  it('answers about inactive tokens with code 0, and proves a revocation', async () => {
    const {access_token: token} = await issue()
    const introspect = () => desk.run(['token', 'introspect', '-', '--json'], {stdin: `${token}\n`})
    expect((await introspect()).json).to.include({active: true})
    const planned = await desk.run(['token', 'revoke', '-', '--dry-run'], {stdin: token})
    expect(planned.stdout).to.include('would revoke the token')
    const revoked = await desk.run(['token', 'revoke', '-', '--verify', '--json'], {stdin: token})
    expect(revoked.json).to.deep.equal({revoked: true, verified: true})
    const after = await introspect()
    expect({code: after.code, json: after.json}).to.deep.equal({code: 0, json: {active: false}})
    expect((await desk.run(['token', 'introspect', '-', '--assert', 'active = true'], {stdin: token})).code).to.equal(9)
  })

  it('takes no token as an argument, and does not print it', async () => {
    const {code, stdout, stderr} = await desk.run(['token', 'introspect', 'hunter2-token'])
    expect(code).to.equal(2)
    expect(stdout + stderr)
      .to.include('never an argument')
      .and.not.include('hunter2')
    expect((await desk.run(['token', 'introspect'])).code).to.equal(12)
  })

  it('uses a token of the environment, and explains which scope is missing', async () => {
    const {access_token: token} = await issue('--scope', 'view_customers')
    const env = {FRONTDESK_TOKEN: token}
    expect((await desk.run(['customers', 'get', 'key=ada'], {env})).code).to.equal(0)
    const refused = await desk.run(['customers', 'update', 'key=ada', '--set', 'firstName=X'], {env})
    expect(refused.code).to.equal(4)
    expect(refused.stderr).to.include('manage_customers')
    expect((await desk.run(['customers', 'get', 'key=ada'], {env: {FRONTDESK_TOKEN: 'nonsense'}})).code).to.equal(4)
  })
})

describe('cli · passwords and emails', () => {
  const desk = new Desk()
  const file = (text: string): string => {
    const path = join(desk.folder, `secret-${text.length}-${text.slice(0, 3)}`)
    writeFileSync(path, text, {mode: 0o600})
    return path
  }
  after(() => desk.remove())
  before(async () => {
    const argv = ['customers', 'create', '--email', 'ada@example.com', '--key', 'ada', '--password-stdin']
    expect((await desk.run(argv, {stdin: 'geheim-123'})).code).to.equal(0)
  })

  it('creates a reset token with its end, and uses it once', async () => {
    const {json} = await desk.run(['customers', 'reset-password', 'key=ada', '--ttl', '30m', '--show-secret', '--json'])
    const {value, expiresAt} = json as {value: string; expiresAt: string}
    expect(Date.parse(expiresAt) - Date.now()).to.be.within(29 * 60_000, 30 * 60_000)
    const get = await desk.run(['customers', 'password-token', 'get', '-', '-o', 'ids'], {stdin: value})
    expect(get.code).to.equal(0)
    const use = [
      'customers',
      'password-token',
      'use',
      '--token-file',
      file(value),
      '--new-password-file',
      file('neu-12345'),
    ]
    expect((await desk.run(use)).code).to.equal(0)
    expect((await desk.run(use)).code).to.equal(3)
    const check = ['customers', 'sign-in', 'ada@example.com', '--check-only', '--password-file', file('neu-12345')]
    expect((await desk.run(check)).code).to.equal(0)
  })

  it('sets a password in one go, from a prompt that is answered twice', async () => {
    const argv = ['customers', 'reset-password', 'ada@example.com', '--set']
    const differ = await desk.run(argv, {
      answers: ['eins-12345', 'zwei-12345', 'eins-12345', 'drei-12345', 'eins-12345', 'vier-12345'],
    })
    expect(differ.code).to.equal(2)
    const {code, stdout, stderr} = await desk.run(argv, {answers: ['eins-12345', 'eins-12345']})
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include('signed out everywhere')
    expect(stdout + stderr).to.not.include('eins-12345')
    expect((await desk.run([...argv, '--local'], {terminal: true, env: {CI: '1'}})).code).to.equal(12)
  })

  it('changes a password for who knows it', async () => {
    const argv = [
      ...[
        'customers',
        'change-password',
        'key=ada',
        '--current-password-stdin',
        '--new-password-file',
        file('drei-12345'),
      ],
    ]
    expect((await desk.run(argv, {stdin: 'wrong'})).code).to.equal(4)
    expect((await desk.run(argv, {stdin: 'eins-12345'})).code).to.equal(0)
    expect(
      (await desk.run(['customers', 'sign-in', 'ada@example.com', '--password-stdin'], {stdin: 'eins-12345'})).code,
    ).to.equal(4)
  })

  it('verifies an email in one go, and says when that was done before', async () => {
    expect((await desk.run(['customers', 'verify-email', 'key=ada'])).stdout).to.match(/^verified /)
    expect((await desk.run(['customers', 'verify-email', 'key=ada'])).stdout).to.match(/^unchanged /)
    const create = (ttl: string) =>
      desk.run(['customers', 'email-token', 'create', 'key=ada', '--ttl', ttl, '--show-secret', '--json'])
    const {json} = await create('7d')
    const {value} = json as {value: string}
    expect((await desk.run(['customers', 'email-token', 'get', '-'], {stdin: value})).code).to.equal(0)
    expect((await desk.run(['customers', 'email-token', 'use', '-'], {stdin: value})).code).to.equal(0)
    expect((await desk.run(['customers', 'email-token', 'get', '-'], {stdin: value})).code).to.equal(3)
    expect((await create('60')).code).to.equal(2)
    expect((await create('90d')).code).to.equal(6)
  })

  it('shows one screen about a customer', async () => {
    const {stdout} = await desk.run(['customers', 'card', 'key=ada'])
    expect(stdout).to.include('email verified').and.include('password updated').and.include('next')
    const masked = await desk.run(['customers', 'card', 'key=ada', '--redact'])
    expect(masked.stdout).to.not.include('ada@example.com')
  })

  it('lists messages, hides the values of tokens, and waits', async () => {
    await desk.run(['customers', 'password-token', 'create', 'key=ada', '--ttl', '30m', '--show-secret'])
    const list = await desk.run(['messages', 'list', '--type', 'CustomerPasswordTokenCreated', '--json'])
    const {results} = list.json as {results: {value?: string}[]}
    expect(results.map(({value}) => value)).to.include('***')
    const revealed = await desk.run(
      'messages list --type CustomerPasswordTokenCreated --reveal value --json'.split(' '),
    )
    expect(revealed.stdout).to.not.include('***')
    const found = await desk.run('messages wait --type CustomerEmailVerified --resource key=ada --since 1h'.split(' '))
    expect(found.code).to.equal(0)
    const none = await desk.run('messages wait --type CustomerDeleted --timeout 20ms --every 5ms --json'.split(' '))
    expect(none.code).to.equal(11)
    const tail = await desk.run('messages tail --since 1h --for 1s --every 10ms -o jsonl'.split(' '))
    const ids = tail.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as {id: string}).id)
    expect(new Set(ids).size).to.equal(ids.length).and.to.be.greaterThan(5)
  })
})
