import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect} from 'chai'
import type {Summary} from '../../../src/cli/check/runner.js'
import {Desk, type Ended, type RunOptions} from '../run.js'
import {exampleOf} from './harness.js'

describe('cli · check run', () => {
  const desk = new Desk()
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-suites-'))
  before(async () => {
    const seeded = await desk.run(['server', 'seed', 'fixtures/demo', '--project-key', 'demo'])
    expect(seeded.code, seeded.stderr).to.equal(0)
  })
  after(() => {
    desk.remove()
    rmSync(folder, {recursive: true, force: true})
  })

  const demo = {env: {FRONTDESK_PROJECT_KEY: 'demo'}}
  const suite = (checks: unknown): string => {
    const path = join(folder, 'suite.json')
    writeFileSync(path, typeof checks === 'string' ? checks : JSON.stringify(checks))
    return path
  }
  const run = (checks: readonly object[], argv: readonly string[] = [], options: RunOptions = demo): Promise<Ended> =>
    desk.run(['check', 'run', suite({checks}), ...argv], options)
  const hazel = {name: 'hazel', get: {resource: 'customers', ref: 'key=hazel-brandvold'}}
  const wrong = {...hazel, name: 'wrong', assert: ['firstName = Nobody', 'lastName exists', 'version < 0']}

  it('finds the sample suite true of the demo project, by its own example', async () => {
    const {code, stdout, stderr} = await desk.run(await exampleOf('check:run'), demo)
    expect(code, stdout + stderr).to.equal(0)
    expect(stdout).to.include('10 passed, 0 failed')
    const bailing = await desk.run(await exampleOf('check:run', 1), demo)
    expect(bailing.code).to.equal(0)
    expect(bailing.stdout).to.include('<testsuites tests="10" failures="0"')
  })

  it('ends with code 9 and tells each assertion that is false, and what is there instead', async () => {
    const {code, json} = await run([hazel, wrong], ['--json'])
    expect(code).to.equal(9)
    const {ok, passed, failed, checks} = json as Summary
    expect({ok, passed, failed}).to.deep.equal({ok: false, passed: 1, failed: 1})
    expect(checks[1]?.failures).to.deep.equal([
      'firstName = Nobody is false: it is Hazel.',
      'version < 0 is false: it is 14.',
    ])
  })

  it('masks what is personal in the reasons with --redact', async () => {
    const {stdout} = await run([wrong], ['--redact'])
    expect(stdout).to.include('firstName = Nobody is false').and.not.include('Hazel')
  })

  it('counts what a query found, and asserts over every result', async () => {
    const query = {resource: 'customers', limit: 3, sort: ['id asc']}
    const {json} = await run(
      [
        {name: 'many', query, expectCount: '10..'},
        {name: 'three', query, expectCount: 3},
        {name: 'all', query, assert: ['version > 0']},
        {name: 'none', query: {...query, where: ['key = "hazel-brandvold"']}, assert: ['key missing']},
      ],
      ['--json'],
    )
    expect((json as Summary).checks.map(({result}) => result)).to.deep.equal(['passed', 'failed', 'passed', 'failed'])
    expect((json as Summary).checks[1]?.failures[0]).to.match(/^\d+ match, but 3 were expected\.$/)
  })

  it('takes a refusal for a false check, unless that status is expected', async () => {
    const {code, json} = await run(
      [
        {name: 'predicate', query: {resource: 'customers', where: ['nonsense']}},
        {name: 'absent', get: {resource: 'customers', ref: 'number=none-such'}},
        {name: 'unexpected', raw: {path: 'customers/key=hazel-brandvold'}, expectStatus: 404},
        {name: 'expected', raw: {path: 'customers/key=none-such'}, expectStatus: 404},
        {name: 'no such path', raw: {path: 'no/such/path'}, expectStatus: 404},
        {name: 'there', exists: {resource: 'carts', ref: 'key=hazel-current'}},
        {name: 'not there', exists: {resource: 'carts', where: ['key = "none-such"']}},
      ],
      ['--json'],
    )
    expect(code).to.equal(9)
    const failed = (json as Summary).checks.filter(({result}) => result === 'failed').map(({name}) => name)
    expect(failed).to.deep.equal(['predicate', 'absent', 'unexpected', 'not there'])
  })

  it('never lets a value become part of a predicate', async () => {
    const ref = 'email=x" or version > 0 or email = "x'
    const {json} = await run([{name: 'injected', exists: {resource: 'customers', ref}}], ['--json'])
    expect((json as Summary).checks[0]?.failures).to.deep.equal(['exists = true is false: it is false.'])
  })

  it('stops at the first false check with --bail, and repeats with --repeat', async () => {
    const bailed = (await run([hazel, wrong, {...hazel, name: 'last'}], ['--bail', '--json'])).json as Summary
    expect(bailed.checks.map(({result}) => result)).to.deep.equal(['passed', 'failed', 'skipped'])
    const repeated = (await run([hazel], ['--repeat', '3', '--json'])).json as Summary
    expect(repeated.checks.map(({name}) => name)).to.deep.equal([1, 2, 3].map((round) => `hazel (round ${round})`))
  })

  it('ends with the code of the error, the rest skipped, where no answer can be had', async () => {
    const env = {FRONTDESK_API_URL: 'http://127.0.0.1:9', FRONTDESK_CLIENT_ID: 'a', FRONTDESK_CLIENT_SECRET: 'b'}
    const argv = ['--json', '--retries', '0', '--project-key', 'demo']
    const {code, json} = await run([hazel, wrong], argv, {env})
    expect(code).to.equal(7)
    expect((json as Summary).checks.map(({result}) => result)).to.deep.equal(['error', 'skipped'])
  })

  it('refuses a bad suite with code 2 and the path of every problem, before anything is sent', async () => {
    const bad: readonly (readonly [unknown, string])[] = [
      ['nonsense', 'is not JSON'],
      ['[]', 'at checks: '],
      [{}, 'checks'],
      [{checks: []}, 'checks: There is no check.'],
      [{checks: [{name: 'x'}]}, 'checks[0]: A check has exactly one of'],
      [{checks: [{...hazel, raw: {path: 'x'}}]}, 'checks[0]: A check has exactly one of'],
      [{checks: [hazel, {...hazel, name: 'b', assert: ['a = 1', 'email']}]}, 'checks[1].assert[1]'],
      [{checks: [{name: 'x', get: {resource: 'customers', ref: 'key=!'}}]}, 'checks[0].get.ref'],
      [{checks: [{name: 'x', get: {resource: 'orders', ref: 'a'}}]}, 'checks[0].get.resource'],
      [{checks: [{name: 'x', raw: {path: '../other/customers'}}]}, 'checks[0].raw.path'],
      [{checks: [{name: 'x', raw: {path: 'https://elsewhere.example'}}]}, 'checks[0].raw.path'],
      [{checks: [{name: 'x', query: {resource: 'carts'}, expectCount: '1-2'}]}, 'checks[0].expectCount'],
      [{checks: [{...hazel, expectCount: 1}]}, 'needs a `query`'],
      [{checks: [{...hazel, asserts: []}]}, 'checks[0].asserts'],
      [{checks: [hazel, hazel]}, 'checks[1]: Another check has this name.'],
    ]
    for (const [content, expected] of bad) {
      const {code, stderr} = await desk.run(['check', 'run', suite(content)], demo)
      expect(code, expected).to.equal(2)
      expect(stderr).to.include(expected)
    }
    const several = await desk.run(['check', 'run', suite({checks: [{name: ''}, {name: 1}]}), '--json'], demo)
    expect(several.json).to.have.nested.property('error.details').with.length.greaterThan(1)
    expect((await desk.run(['check', 'run', join(folder, 'none.json')], demo)).code).to.equal(2)
    expect((await desk.run(['check', 'run', suite({checks: [hazel]}), '-o', 'csv'], demo)).code).to.equal(2)
  })
})
