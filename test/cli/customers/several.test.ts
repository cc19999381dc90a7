import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {durationMs} from '../../../src/cli/process/durations.js'
import {Desk} from '../run.js'

/** Makes a customer with a password; the key is the local part of the email. */
async function make(desk: Desk, name: string): Promise<void> {
  const argv = ['customers', 'create', '--email', `${name}@example.com`, '--key', name, '--password-stdin']
  expect((await desk.run(argv, {stdin: 'first-password'})).code).to.equal(0)
}

describe('cli · several customers', () => {
  const desk = new Desk()
  before(async () => {
    for (const name of ['ada', 'bob', 'eve']) await make(desk, name)
  })
  after(() => desk.remove())

  const run = (line: string, options: Parameters<Desk['run']>[1] = {}) => desk.run(line.split(' '), options)

  it('are verified from the ids on stdin', async () => {
    const {stdout: ids} = await run('customers query -o ids')
    const {code, stdout} = await run('customers verify-email -', {stdin: ids})
    expect(code).to.equal(0)
    expect(stdout.match(/^verified /gm)).to.have.length(3)
    const again = await run('customers verify-email - --json', {stdin: ids})
    expect(again.json).to.have.property('count', 3)
    expect((await run('customers get ada --json')).json).to.have.property('isEmailVerified', true)
  })

  it('get a token each; what failed stands beside what was done, with code 10', async () => {
    const {code, json, stderr} = await run('customers reset-password ada key=nobody bob --show-secret --json')
    expect(code).to.equal(10)
    expect(json).to.have.property('results').with.length(2)
    expect(json).to.have.nested.property('failed[0].id', 'key=nobody')
    expect(stderr).to.match(/^not done: key=nobody: /m)
    expect((await run('customers reset-password key=nobody --show-secret')).code).to.equal(3)
    expect((await run('customers verify-email ada bob --send-only --show-secret --json')).json).to.have.property(
      'count',
      2,
    )
  })

  it('are read from stdin once, and only where a command takes several', async () => {
    expect((await run('customers verify-email - -', {stdin: 'ada'})).code).to.equal(2)
    expect((await run('customers verify-email ada -', {stdin: 'ada'})).code).to.equal(2)
    expect((await run('customers verify-email -', {stdin: ''})).code).to.equal(2)
    expect((await run('customers card -', {stdin: 'ada'})).stderr).to.include('commands that take several')
    expect((await run('customers reset-password ada bob --set --generate-password --show-secret')).code).to.equal(2)
  })
})

describe('cli · a generated password', () => {
  const desk = new Desk()
  before(() => make(desk, 'ada'))
  after(() => desk.remove())
  const reset = (...words: string[]) => desk.run(['customers', 'reset-password', 'ada', ...words])

  it('goes into a private file, or is shown once, and stands nowhere else', async () => {
    const path = join(desk.folder, 'secret')
    const {code, stdout, stderr} = await reset('--set', '--generate-password', '--secret-out', path)
    expect(code, stderr).to.equal(0)
    const secret = readFileSync(path, 'utf8').trim()
    expect(secret).to.match(/^(?:[a-z]+-\d\d-){3}[a-z]+$/)
    expect(stdout + stderr + (await desk.run(['audit', 'list', '--json'])).stdout).to.not.include(secret)
    const signIn = ['customers', 'sign-in', 'ada@example.com', '--password-file', path, '--check-only']
    expect((await desk.run(signIn)).code).to.equal(0)
    const shown = await reset('--set', '--generate-password', '--show-secret', '--json')
    expect(shown.stderr).to.match(/password, shown only once: [a-z]+(?:-\d\d-[a-z]+){3}\n/)
    expect(shown.stdout).to.not.include(/once: ([\w-]+)/.exec(shown.stderr)?.[1] ?? 'nothing')
  })

  it('goes into no pipe, and with no other way to a password', async () => {
    expect((await reset('--set', '--generate-password')).code).to.equal(2)
    expect((await reset('--generate-password', '--show-secret')).code).to.equal(2)
    expect((await reset('--set', '--generate-password', '--show-secret', '--new-password-stdin')).code).to.equal(2)
    expect((await reset('--set', '--ttl', '30m', '--generate-password', '--show-secret')).code).to.equal(2)
  })

  it('notes that a chosen one is short', async () => {
    const {stderr} = await desk.run(['customers', 'reset-password', 'ada', '--set', '--new-password-stdin'], {
      stdin: 'abcde',
    })
    expect(stderr).to.include('fewer than 8 characters')
  })
})

describe('cli · lifetimes', () => {
  const desk = new Desk()
  before(() => make(desk, 'ada'))
  after(() => desk.remove())
  const create = (...words: string[]) =>
    desk.run(['customers', 'password-token', 'create', 'ada', '--show-secret', ...words])

  it('may be sums of units', () => {
    expect(durationMs('1h30m', '--ttl')).to.equal(5_400_000)
    expect(durationMs(' 1d 2h ', '--ttl')).to.equal(93_600_000)
    for (const text of ['', '30', 'h', '1h1h', '-1m', '1.5h', '1h 30', '1w']) {
      expect(() => durationMs(text, '--ttl'), text).to.throw(/not a duration/)
    }
  })

  it('say the limit that they pass, with code 6', async () => {
    const {code, stderr} = await create('--ttl', '60d')
    expect({code, stderr: stderr.split('\n').slice(0, 2)}).to.deep.equal({
      code: 6,
      stderr: ['Error: --ttl 60d is too long.', 'A token lives from 1m to 30d.'],
    })
    expect((await create('--ttl', '0m')).stderr).to.include('too short')
    expect((await create('--ttl', '1h30m')).code).to.equal(0)
  })

  it('end in words beside the exact time', async () => {
    expect((await create()).stdout).to.match(/expires +\d{4}-\d\d-\d\dT\S+Z \(in 24 hours\)\n/)
    expect((await create('--ttl', '1h30m')).stdout).to.match(/Z \(in 1 h 30 min\)\n/)
  })
})
