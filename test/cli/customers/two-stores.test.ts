import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {demoDesk} from '../quotes/harness.js'
import {Desk, type RunOptions} from '../run.js'

/** Mira has one email in two stores: whom a command read, it must also reach. */
describe('cli · an email in two stores', () => {
  let server: RunningServer
  const targets: {
    readonly name: string
    desk: () => Desk
    argv: readonly string[]
    env: () => Record<string, string>
  }[] = []
  let own: Desk
  let remote: Desk

  before(async () => {
    own = await demoDesk()
    remote = new Desk()
    server = await startServer({
      dataDir: ':memory:',
      projectKey: 'demo',
      seedDir: 'fixtures/demo',
      settings: {passwordCost: 4},
    })
    const place = ['--project-key', 'demo', '--api-url', server.apiUrl, '--auth-url', server.authUrl]
    const client = ['--client-id', server.client.clientId, '--secret-from', 'env:DEMO_SECRET']
    await remote.run(['login', 'staging', '--no-check', ...place, ...client])
  })
  after(async () => {
    own.remove()
    remote.remove()
    await server.stop()
  })
  targets.push(
    {name: 'the state itself', desk: () => own, argv: [], env: () => ({})},
    {
      name: 'a profile',
      desk: () => remote,
      argv: ['-P', 'staging'],
      env: () => ({DEMO_SECRET: server.client.clientSecret}),
    },
  )

  for (const {name, desk, argv, env} of targets) {
    const run = (words: readonly string[], options: RunOptions = {}) =>
      desk().run(words, {...options, env: {...env(), ...options.env}})

    it(`${name}: what the card says next works when it is pasted`, async () => {
      for (const [key, store] of [
        ['mira-berlin', 'berlin'],
        ['mira-london', 'london'],
      ] as const) {
        const card = await run(['customers', 'card', `key=${key}`, ...argv, '--json'])
        const {next, customer} = card.json as {next: string[]; customer: {id: string}}
        const reset = next.find((line) => line.includes('reset-password')) ?? ''
        expect(reset).to.match(new RegExp(`^frontdesk customers reset-password ${customer.id}`))
        expect(reset).to.include(`--store ${store}`)
        if (argv.length > 0) expect(reset).to.include('-P staging')
        const pasted = await run([...reset.split(' ').slice(1), '--show-secret', '--json'])
        expect(pasted.code, pasted.stderr).to.equal(0)
        expect(pasted.json).to.include({customerId: customer.id})
      }
    })

    it(`${name}: tokens, passwords, verification and sign-in go through the store by themselves`, async () => {
      const {json} = await run(['customers', 'get', 'key=mira-berlin', ...argv, '--json'])
      const {id, email} = json as {id: string; email: string}
      const password = join(desk().folder, 'password')
      writeFileSync(password, 'a-new-password', {mode: 0o600})
      for (const words of [
        ['password-token', 'create', 'key=mira-berlin', '--show-secret', '--json'],
        ['email-token', 'create', 'key=mira-berlin', '--show-secret', '--json'],
      ]) {
        const token = await run(['customers', ...words, ...argv])
        expect(token.code, token.stderr).to.equal(0)
        expect(token.json).to.include({customerId: id})
      }
      const set = await run(['customers', 'reset-password', id, '--set', '--new-password-file', password, ...argv])
      expect(set.code, set.stderr).to.equal(0)
      expect(set.stdout).to.include('password set for ').and.include(`<${email}>`)
      const changed = ['--current-password-file', password, '--new-password-file', password]
      expect((await run(['customers', 'change-password', 'key=mira-berlin', ...changed, ...argv])).code).to.equal(0)
      const verified = await run(['customers', 'verify-email', 'key=mira-berlin', ...argv])
      expect(verified.code, verified.stderr).to.equal(0)
      const signIn = ['customers', 'sign-in', email, '--password-file', password, ...argv, '--json']
      expect((await run(signIn)).code, 'two customers have it').to.equal(5)
      const signedIn = await run([...signIn, '--store', 'berlin'])
      expect(signedIn.code, signedIn.stderr).to.equal(0)
      expect(signedIn.json).to.have.nested.property('customer.id', id)
      expect(readFileSync(password, 'utf8')).to.equal('a-new-password')
    })

    it(`${name}: of several stores the first is taken, and said, unless one is chosen`, async () => {
      const stores = ['--in-store', 'berlin', '--in-store', 'london']
      const created = await run(
        ['customers', 'create', '--email', 'both@example.org', '--key', 'both', ...stores, '--password-stdin', ...argv],
        {stdin: 'first-password\n'},
      )
      expect(created.code, created.stderr).to.equal(0)
      const first = await run(['customers', 'reset-password', 'key=both', '--show-secret', ...argv])
      expect(first.code).to.equal(0)
      expect(first.stderr).to.include('berlin, london; this goes through berlin')
      const chosen = await run([
        'customers',
        'reset-password',
        'key=both',
        '--store',
        'london',
        '--show-secret',
        ...argv,
      ])
      expect(chosen.code).to.equal(0)
      expect(chosen.stderr).to.not.include('goes through')
      const password = join(desk().folder, 'first')
      writeFileSync(password, 'first-password', {mode: 0o600})
      const signedIn = await run(['customers', 'sign-in', 'both@example.org', '--password-file', password, ...argv])
      expect(signedIn.code, signedIn.stderr).to.equal(0)
    })
  }
})
