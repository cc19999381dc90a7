import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {type RunningServer, startServer} from '../../../src/index.js'
import {Desk} from '../run.js'

describe('cli · a job in CI', () => {
  const desk = new Desk()
  let server: RunningServer
  before(async () => {
    server = await startServer({dataDir: desk.env['FRONTDESK_DATA_DIR'] as string, projectKey: 'demo', seedDir: 'demo'})
    desk.env['FRONTDESK_PROJECT_KEY'] = 'demo'
    process.chdir(desk.folder)
  })
  after(async () => {
    process.chdir(home)
    await server.stop()
    desk.remove()
  })
  const home = process.cwd()
  const suite = (status: number) =>
    JSON.stringify({checks: [{name: 'the look-up', raw: {path: 'customers/key=owen-pell'}, expectStatus: status}]})

  it('says in its log what failed, and replaces the report of the run before', async () => {
    writeFileSync('checks.json', suite(404))
    for (const reporter of ['junit', 'tap', 'json', 'text', 'github']) {
      for (let run = 0; run < 2; run += 1) {
        const argv = ['check', 'run', 'checks.json', '--reporter', reporter, '--out', `report.${reporter}`]
        const {code, stdout, stderr} = await desk.run(argv)
        expect([code, stdout], `${reporter}: ${stderr}`).to.deep.equal([9, ''])
        expect(stderr).to.include('FAIL  the look-up').and.include('0 passed, 1 failed')
      }
    }
    writeFileSync('package.json', '{"name": "a-shop"}')
    const other = await desk.run(['check', 'run', 'checks.json', '--reporter', 'json', '--out', 'package.json'])
    expect(other.code).to.equal(2)
    expect(readFileSync('package.json', 'utf8')).to.include('a-shop')
  })

  it('writes the findings of deprecations to its log too, run after run', async () => {
    writeFileSync('old.json', '{"anonymousCartId": "x", "email": "a@b.de", "password": "p"}')
    for (const format of ['junit', 'sarif', 'json', 'github']) {
      for (let run = 0; run < 2; run += 1) {
        const argv = ['deprecations', 'check', 'old.json', '--request', 'POST /login', '--format', format]
        const {code, stderr} = await desk.run([...argv, '--out', `found.${format}`])
        expect(code, `${format}: ${stderr}`).to.equal(9)
        expect(stderr).to.include('old.json')
      }
    }
  })

  it('reads a suite from stdin', async () => {
    const {code, stdout} = await desk.run(['check', 'run', '-'], {stdin: suite(200)})
    expect([code, stdout]).to.satisfy(([ended, text]: [number, string]) => ended === 0 && text.includes('1 passed'))
  })

  it('asks GraphQL and search by POST, as the reads that they are', async () => {
    const query = '{"query":"{customers(limit:1){total}} # no mutation"}'
    const asked = await desk.run(['api', 'POST', 'graphql', '--body', query])
    expect(asked.code, asked.stderr).to.equal(0)
    expect((asked.json as {data: object}).data).to.have.property('customers')
    expect((await desk.run(['audit', 'list', '--json'])).json).to.include({total: 0})
    const changing = await desk.run(['api', 'POST', 'graphql', '--body', '{"query":"mutation {a}"}', '--dry-run'])
    expect(changing.stdout).to.include('would send POST graphql')
  })

  it('says why a look-up by HEAD was refused, and takes a throttled project for no answer', async () => {
    const reason = async (...argv: string[]) => (await desk.run(['customers', 'exists', ...argv])).stderr
    for (const argv of [['key=owen-pell'], ['owen.pell@quayside.example'], ['-w', 'firstName = "Owen"']]) {
      await desk.run(['server', 'faults', 'set', '--status', '503', '--times', '20'])
      const {code, stderr} = await desk.run(['customers', 'exists', ...argv, '--retries', '0'])
      expect([code, stderr]).to.deep.include(7)
      expect(stderr).to.not.include('without an error body')
      await desk.run(['server', 'faults', 'clear'])
    }
    expect(await reason('-w', 'nonsense(')).to.not.include('without an error body')
    await desk.run(['server', 'faults', 'set', '--status', '429', '--times', '20'])
    const throttled = await desk.run(['check', 'smoke', '--read-only', '--retries', '0'])
    await desk.run(['server', 'faults', 'clear'])
    expect(throttled.code).to.equal(7)
    expect(throttled.stdout).to.include('1 without an answer')
  })

  it('refuses flags that have no effect', async () => {
    for (const argv of [
      ['customers', 'card', 'key=owen-pell', '--fields', 'email'],
      ['customers', 'exists', 'key=owen-pell', '-o', 'ids'],
      ['server', 'faults', '--operation', 'updateCustomerById', '--drop', 'after'],
      ['customers', 'import', '--apply', 'plan.jsonl', '--match', 'email'],
      ['customers', 'import', '--apply', 'plan.jsonl', '--password-mode', 'generate'],
      ['customers', 'create', '--email', 'x@example.com', '--external-auth', '--secret-out', 'secret'],
      ['customers', 'verify-email', 'key=owen-pell', '--show-secret'],
    ]) {
      const {code, stderr} = await desk.run(argv)
      expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(2)
    }
    expect((await desk.run(['customers', 'card', 'key=owen-pell', '--fields', 'id', '--json'])).code).to.equal(0)
  })

  it('keeps the table of failed rows beside a page of the run, also of a plan', async () => {
    writeFileSync('rows.csv', 'key,email\nrow-one,row-one@example.com\nrow-two,row-two@example.com\n')
    const how = ['--password-mode', 'external-auth']
    const planned = await desk.run(['customers', 'import', 'rows.csv', ...how, '--plan-out', 'plan.jsonl'])
    expect(planned.code, planned.stderr).to.equal(0)
    await desk.run(['customers', 'create', '--email', 'row-two@example.com', '--key', 'row-two', '--external-auth'])
    const applied = await desk.run(['customers', 'import', '--apply', 'plan.jsonl', '--report', 'run.html', '--json'])
    expect(applied.code, applied.stderr).to.equal(10)
    const {report} = applied.json as {report: string}
    expect(readFileSync(report, 'utf8')).to.include('row-two')
    expect(readFileSync(join(desk.folder, 'run.html'), 'utf8')).to.match(/^<!doctype html>/i)
    const retried = await desk.run(['customers', 'import', '--retry-failed', report, ...how, '--dry-run'])
    expect(retried.code, retried.stderr).to.not.equal(2)
  })

  it('ends the dry run of a bulk command as the run would end', async () => {
    writeFileSync('clash.csv', 'key,email\nclash-1,owen.pell@quayside.example\nclash-2,new@example.com\n')
    const dry = ['customers', 'import', 'clash.csv', '--password-mode', 'external-auth', '--dry-run']
    expect((await desk.run(dry)).code).to.equal(10)
    expect((await desk.run([...dry, '--max-failures', '0'])).code).to.equal(2)
    writeFileSync('broken.csv', 'key,email\n?,b@example.com\nclash-2,new@example.com\n')
    const broken = ['customers', 'import', 'broken.csv', '--password-mode', 'external-auth', '--dry-run']
    expect((await desk.run(broken)).code).to.equal(2)
    expect((await desk.run([...broken, '--skip-invalid'])).code).to.equal(10)
  })
})
