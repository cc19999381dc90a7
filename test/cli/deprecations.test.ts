import {execFile} from 'node:child_process'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {expect} from 'chai'
import {startServer} from '../../src/index.js'
import {Desk, root} from './run.js'

const uses = join(root, 'fixtures/deprecations/uses')
const nearMisses = join(root, 'fixtures/deprecations/near-misses')

interface Page {
  readonly count: number
  readonly results: readonly Record<string, unknown>[]
}

describe('cli · deprecations', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const file = (name: string, text: string): string => {
    mkdirSync(join(desk.folder, 'files'), {recursive: true})
    const path = join(desk.folder, 'files', name)
    writeFileSync(path, text)
    return path
  }

  const page = async (...argv: string[]): Promise<Page> => (await desk.run([...argv, '--json'])).json as Page

  describe('list', () => {
    it('prints every row with the same members', async () => {
      const {count, results} = await page('deprecations', 'list')
      expect(count).to.equal(127)
      expect(results).to.have.length(127)
      for (const row of results) {
        expect(Object.keys(row)).to.deep.equal([
          'id',
          'area',
          'item',
          'kind',
          'alternative',
          'deprecated',
          'removed',
          'source',
          'status',
        ])
      }
    })

    it('filters, and shows people a table', async () => {
      const {results} = await page('deprecations', 'list', '--area', 'customers', '--kind', 'rest')
      expect(results.map(({id}) => id)).to.deep.equal(['customers-change-name', 'customers-anonymous-cart-id'])
      for (const kind of ['rest', 'graphql', 'scope']) {
        const found = (await page('deprecations', 'list', '--kind', kind)).results
        expect(new Set(found.map((row) => row['kind'])), kind).to.deep.equal(new Set([kind]))
      }
      const {stdout} = await desk.run(['deprecations', 'list', '--search', 'import sink'])
      expect(stdout)
        .to.match(/^id +item +deprecated/)
        .and.include('import-sink  Import Sink')
      expect((await page('deprecations', 'list', '--search', 'nothing like it')).count).to.equal(0)
    })

    it('tells the status on a day', async () => {
      const {results} = await page('deprecations', 'list', '--as-of', '2025-11-01', '--status', 'upcoming')
      expect(results.map(({id, status}) => `${id} ${status}`)).to.deep.equal(['recurrence-policies-scopes upcoming'])
    })

    it('refuses what is no day, area or status', async () => {
      for (const argv of [
        ['--as-of', 'yesterday'],
        ['--since', '2023-02-30'],
        ['--before', '2023'],
        ['--area', 'Custmers'],
        ['--status', 'gone'],
      ]) {
        const {code, stdout, stderr} = await desk.run(['deprecations', 'list', ...argv])
        expect({code, stdout}, argv.join(' ')).to.deep.equal({code: 2, stdout: ''})
        expect(stderr).not.to.match(/\n\s+at /)
      }
      expect((await desk.run(['deprecations', 'list', '--area', 'Custmers'])).stderr).to.include('Customers')
    })

    it('loads neither server, HTTP client nor a prompt library', async () => {
      const coverage = join(desk.folder, 'coverage')
      await promisify(execFile)(process.execPath, [join(root, 'bin/dev.js'), 'deprecations', 'list', '--json'], {
        env: {...process.env, ...desk.env, NODE_V8_COVERAGE: coverage},
        maxBuffer: 16 * 1024 * 1024,
      })
      const loaded = readdirSync(coverage)
        .map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {result: {url: string}[]})
        .flatMap(({result}) => result.map(({url}) => url))
      expect(loaded.some((url) => url.endsWith('src/deprecations/list.ts'))).to.equal(true)
      // The port of the store is a contract: two error classes. What is behind it is what must not load.
      const heavy =
        /\/src\/(server|secrets)\/|\/src\/store\/(?!store\.ts)|node_modules\/(undici|inquirer|@inquirer|graphql|pg|bcryptjs)\//
      expect(loaded.filter((url) => heavy.test(url))).to.deep.equal([])
    })
  })

  describe('list --seen', () => {
    it('needs a running server', async () => {
      expect((await desk.run(['deprecations', 'list', '--seen'])).code).to.equal(13)
    })

    it('tells what the running server met, and how often', async () => {
      const dataDir = join(desk.folder, 'served')
      const server = await startServer({dataDir, projectKey: 'shop', settings: {passwordCost: 4}})
      try {
        const seen = () => page('deprecations', 'list', '--seen', '--data', dataDir)
        expect(await seen()).to.deep.equal({count: 0, results: []})
        const {clientId, clientSecret} = server.client
        const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
        const grant = new URLSearchParams({grant_type: 'client_credentials'})
        const token = await fetch(`${server.authUrl}/oauth/token`, {
          method: 'POST',
          headers: {authorization: basic},
          body: grant,
        })
        const {access_token: access} = (await token.json()) as {access_token: string}
        const post = async (path: string, body: object) => {
          const headers = {authorization: `Bearer ${access}`, 'content-type': 'application/json'}
          const url = `${server.apiUrl}/shop/${path}`
          const reply = await fetch(url, {method: 'POST', headers, body: JSON.stringify(body)})
          return (await reply.json()) as {customer: {id: string}}
        }
        const {customer} = await post('customers', {email: 'a@example.com', password: 'secret'})
        const actions = [{action: 'changeName', firstName: 'Ada', lastName: 'Lovelace'}]
        await post(`customers/${customer.id}`, {version: 1, actions})
        const {results} = await seen()
        expect(results.map(({id, uses}) => `${id} ${uses}`)).to.deep.equal(['customers-change-name 1'])
      } finally {
        await server.stop()
      }
    })
  })

  it('shows one deprecation, or the nearest with code 3', async () => {
    const {code, stdout} = await desk.run(['deprecations', 'get', 'change-history-set-name-change'])
    expect(code).to.equal(0)
    expect(stdout).to.include('announced 2023-07-18, performed 2023-10-18')
    const missing = await desk.run(['deprecations', 'get', 'import-snk'])
    expect(missing.code).to.equal(3)
    expect(missing.stderr).to.include('Did you mean import-sink?')
    const {json} = await desk.run(['deprecations', 'get', 'custom-objects-query-all', '--json'])
    expect(json).to.deep.include({deprecated: null, removed: null, dates: {}, status: 'removed'})
  })

  it('lists the changed scopes', async () => {
    const {count, results} = await page('deprecations', 'scopes')
    expect(count).to.equal(19)
    expect(results[1]).to.include({type: 'CartDiscount', operation: 'query', current: 'view_cart_discounts'})
  })

  describe('check', () => {
    const check = (argv: readonly string[], stdin?: string) =>
      desk.run(['deprecations', 'check', ...argv], stdin === undefined ? {} : {stdin})

    it('ends with 9 over the uses and with 0 over the near misses', async () => {
      const found = await check([uses, '--json'])
      expect(found.code).to.equal(9)
      expect((found.json as Page).count).to.be.greaterThan(120)
      const clean = await check([nearMisses])
      expect(clean.code).to.equal(0)
      expect(clean.stdout).to.match(/^\d+ files with \d+ entries read, 0 findings\n$/)
    })

    it('fails on what --fail-on names', async () => {
      const text = '{"anonymousCartId": "1", "email": "ada@example.com"}'
      const codes = await Promise.all(
        ['removed', 'deprecated', 'none'].map(async (on) => (await check(['-', '--fail-on', on], text)).code),
      )
      expect(codes).to.deep.equal([0, 9, 0])
      expect((await check(['-', '--fail-on', 'removed'], '{"destination": {"type": "IronMQ"}}')).code).to.equal(9)
      expect((await check(['-', '--fail-on', 'removed'], '{"actions": [{"action": "setSKU"}]}')).code).to.equal(9)
    })

    it('takes a payload from stdin with the request that sends it', async () => {
      const {code, json} = await check(['-', '--request', 'POST /orders', '--json'], '{"id": "1", "version": 2}')
      expect(code).to.equal(9)
      expect((json as Page).results[0]).to.deep.include({
        path: 'stdin',
        line: 1,
        column: 2,
        ruleId: 'orders-from-cart-id',
        severity: 'warning',
        date: '2020-12-22',
      })
      expect((await check(['-', '--request', 'POST /me/orders'], '{"id": "1", "version": 2}')).code).to.equal(0)
    })

    it('takes URLs, documents and scopes, and weighs them together', async () => {
      const url = 'GET https://api.europe-west1.gcp.commercetools.com/shop/carts?customerId=1'
      expect((await check(['--url', url])).stdout).to.include('carts-customer-id-query')
      expect(await check(['--url', '::::'])).to.include({code: 2})
      expect((await check(['--graphql', '{ category(id: "1") { productCount } }'])).code).to.equal(9)
      expect((await check(['--scopes', 'view_recurring_orders:shop'])).code).to.equal(9)
      expect((await check(['--scopes', 'view_orders:shop'])).code).to.equal(0)
      const both = await check(['--scopes', 'view_orders:shop', '--graphql', '{ states { total } }'])
      expect(both.stdout).to.include('graphql-scope-state-query')
    })

    it('judges as of a day and leaves out ignored rules', async () => {
      const text = '{"anonymousCartId": "1", "email": "ada@example.com"}'
      expect((await check(['-', '--as-of', '2021-01-11'], text)).code).to.equal(0)
      expect((await check(['-', '--as-of', '2021-01-12'], text)).code).to.equal(9)
      expect((await check(['-', '--ignore', 'customers-anonymous-cart-id'], text)).code).to.equal(0)
    })

    it('prints every form, and one JSON document for --json in every end', async () => {
      for (const format of ['text', 'json', 'sarif', 'github', 'junit']) {
        const {code, stdout} = await check([uses, '--format', format])
        expect(code, format).to.equal(9)
        expect(stdout, format).to.include('import-sink')
      }
      const {json, stderr} = await check(['gone', '--json'])
      expect(json).to.have.nested.property('error.exitCode', 2)
      expect(stderr).to.equal('')
    })

    it('refuses what it cannot check, with code 2 and no trace', async () => {
      const mistakes: (readonly [readonly string[], string?])[] = [
        [[]],
        [['gone']],
        [['-', '--request', 'nonsense'], '{}'],
        [['-', '--request', 'POST /carts'], 'no json'],
        [['--graphql', 'query {']],
        [['--graphql', '@gone.graphql']],
        [['-', '--ignore', 'import-snk'], '{}'],
        [['-', '--as-of', 'tomorrow'], '{}'],
        [['-', '-o', 'csv'], '{}'],
        [[file('bad.json', '{')]],
      ]
      for (const [argv, stdin] of mistakes) {
        const {code, stdout, stderr} = await check(argv, stdin)
        expect({code, stdout}, argv.join(' ')).to.deep.equal({code: 2, stdout: ''})
        expect(stderr, argv.join(' '))
          .to.match(/^Error: /)
          .and.not.match(/\n\s+at /)
      }
    })
  })
})
