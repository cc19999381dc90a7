import {mkdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {readAudit} from '../../src/cli/audit.js'
import {Desk} from './run.js'

interface Created {
  readonly customer: {readonly id: string; readonly version: number}
}

const ofJson = <T>(value: unknown): T => value as T

describe('cli · customers', () => {
  const desk = new Desk()
  after(() => desk.remove())

  const make = async (key: string, ...more: string[]): Promise<Created['customer']> => {
    const argv = [
      'customers',
      'create',
      '--email',
      `${key}@example.com`,
      '--key',
      key,
      '--external-auth',
      '--json',
      ...more,
    ]
    const {code, json, stderr} = await desk.run(argv)
    expect(code, stderr).to.equal(0)
    return ofJson<Created>(json).customer
  }

  it('creates, shows and names the target of the write on stderr', async () => {
    const argv = [
      'customers',
      'create',
      '--email',
      'first@example.com',
      '--password-stdin',
      '--set',
      'addresses.0.country=DE',
    ]
    const {code, stdout, stderr} = await desk.run(argv, {stdin: 'geheim-123\n'})
    expect(code, stderr).to.equal(0)
    expect(stdout).to.match(/^created \S+: version 1\n$/)
    expect(stderr).to.equal('target: local (local)\n')
    const shown = await desk.run(['customers', 'get', 'FIRST@example.com'])
    expect(shown.stdout).to.include('first@example.com').and.include('DE').and.not.include('geheim')
  })

  it('finds a customer by every form of reference', async () => {
    const {id} = await make('ref-all', '--customer-number', '4711')
    for (const ref of [
      id,
      `id=${id}`,
      'key=ref-all',
      'email=REF-ALL@example.com',
      'ref-all@example.com',
      'number=4711',
    ]) {
      const {code, json} = await desk.run(['customers', 'get', ref, '--json'])
      expect(code, ref).to.equal(0)
      expect(json, ref).to.have.property('id', id)
    }
  })

  it('reads several, from arguments or from stdin', async () => {
    const [one, two] = [await make('many-1'), await make('many-2')]
    const both = await desk.run(['customers', 'get', 'key=many-1', 'key=many-2', '-o', 'ids'])
    expect(both.stdout).to.equal(`${one.id}\n${two.id}\n`)
    const piped = await desk.run(['customers', 'get', '-', '-o', 'ids'], {stdin: `key=many-2\n${one.id}\n`})
    expect(piped.stdout).to.equal(`${two.id}\n${one.id}\n`)
  })

  it('takes a reference literally, whatever it looks like', async () => {
    await make('literal')
    for (const ref of [
      'email=x" or 1=1',
      'number=" or email is defined or email="',
      'email=literal@example.com" or "a"="a',
    ]) {
      expect((await desk.run(['customers', 'get', ref])).code, ref).to.equal(3)
    }
    expect((await desk.run(['customers', 'get', 'key=a b'])).code).to.equal(6)
    expect((await desk.run(['customers', 'get', ''])).code).to.equal(2)
  })

  it('sends only what differs, and says what changed', async () => {
    const {id} = await make(
      'change',
      '--first-name',
      'Ada',
      '--set',
      'addresses.0.country=GB',
      '--set',
      'addresses.0.key=home',
    )
    const argv = [
      'customers',
      'update',
      'key=change',
      '--set',
      'firstName=Augusta',
      '--set',
      'addresses.home.city=London',
    ]
    const plan = await desk.run([...argv, '--dry-run', '--json'])
    expect(plan.json).to.deep.include({dryRun: true, id, version: 1})
    expect(plan.json)
      .to.have.property('differences')
      .that.deep.include({path: 'firstName', before: 'Ada', after: 'Augusta'})
    expect(plan.json).to.have.property('messages').that.deep.equals(['CustomerFirstNameSet', 'CustomerAddressChanged'])
    const done = await desk.run(argv)
    expect(done.stdout).to.include(`updated ${id}: version 1 → 3`).and.include('firstName: "Ada" → "Augusta"')
    expect(done.stdout).to.include('addresses.0.city: (absent) → "London"')
    const again = await desk.run(argv)
    expect(again.stdout).to.equal(`unchanged ${id}: version 3\n`)
  })

  it('sends nothing in a dry run', async () => {
    await make('dry')
    await desk.run(['customers', 'update', 'key=dry', '--set', 'firstName=X', '--dry-run'])
    await desk.run(['customers', 'delete', 'key=dry', '--dry-run'])
    await desk.run(['customers', 'create', '--email', 'never@example.com', '--external-auth', '--dry-run'])
    expect((await desk.run(['customers', 'get', 'key=dry', '--json'])).json).to.have.property('version', 1)
    expect((await desk.run(['customers', 'exists', 'never@example.com'])).code).to.equal(3)
  })

  it('ends with code 5 on a conflict, says both versions, and starts over if asked', async () => {
    await make('conflict')
    await desk.run(['customers', 'update', 'key=conflict', '--set', 'firstName=A'])
    const stale = ['customers', 'update', 'key=conflict', '--version', '1', '--set', 'lastName=B']
    const refused = await desk.run(stale)
    expect(refused.code).to.equal(5)
    expect(refused.stderr).to.match(/1/).and.match(/2/)
    expect((await desk.run([...stale, '--on-conflict', 'retry'])).code).to.equal(0)
  })

  it('notices wrong fields, values and actions before sending, with code 6', async () => {
    await make('wrong')
    for (const argv of [
      ['--set', 'fristName=x'],
      ['--set', 'email=nonsense'],
      ['--set', 'key=a b'],
      ['--set', 'dateOfBirth=2023-02-30'],
      ['--set', 'addresses.0.city=x'],
      ['--action', '{"action":"setFristName"}'],
      ['--action', '{"action":"__proto__"}'],
      ['--actions', '[{"action":"setStores"}]'],
    ]) {
      const {code, stderr} = await desk.run(['customers', 'update', 'key=wrong', ...argv])
      expect(code, `${argv.join(' ')}: ${stderr}`).to.equal(6)
    }
    expect((await desk.run(['customers', 'update', 'key=wrong', '--set', 'fristName=x'])).stderr).to.include(
      'firstName',
    )
    expect((await desk.run(['customers', 'update', 'key=wrong'])).code).to.equal(2)
    expect((await desk.run(['customers', 'update', 'key=wrong', '--set', 'nothing'])).code).to.equal(2)
    expect((await desk.run(['customers', 'update', 'key=wrong', '--actions', '{'])).code).to.equal(2)
  })

  it('tells whether somebody exists with codes 0 and 3', async () => {
    await make('exists')
    expect((await desk.run(['customers', 'exists', 'key=exists', '--json'])).json).to.deep.equal({exists: true})
    const absent = await desk.run(['customers', 'exists', 'key=absent', '--json'])
    expect({code: absent.code, json: absent.json}).to.deep.equal({code: 3, json: {exists: false}})
    const where = ['customers', 'exists', '-w', 'key = :k', '--var', 'k=exists']
    expect((await desk.run(where)).code).to.equal(0)
  })

  it('shows the existing customer instead of a duplicate only if asked', async () => {
    const {id} = await make('twice')
    const argv = ['customers', 'create', '--email', 'twice@example.com', '--key', 'twice', '--external-auth', '--json']
    const refused = await desk.run(argv)
    expect(refused.code).to.equal(5)
    expect(refused.json).to.have.nested.property('error.code', 'DuplicateField')
    expect((await desk.run([...argv, '--if-not-exists'])).json).to.have.nested.property('customer.id', id)
  })

  it('deletes after a confirmation, with a backup', async () => {
    await make('delete')
    const silent = await desk.run(['customers', 'delete', 'key=delete'])
    expect(silent.code).to.equal(12)
    expect(silent.stderr).to.include('--yes')
    expect((await desk.run(['customers', 'delete', 'key=delete'], {answers: ['no']})).code).to.equal(2)
    const backup = join(desk.folder, 'backup.jsonl')
    const {code} = await desk.run(['customers', 'delete', 'key=delete', '--backup', backup], {answers: ['yes']})
    expect(code).to.equal(0)
    expect(JSON.parse(readFileSync(backup, 'utf8'))).to.have.property('key', 'delete')
    expect(statSync(backup).mode & 0o777).to.equal(0o600)
    expect((await desk.run(['customers', 'exists', 'key=delete'])).code).to.equal(3)
  })

  it('names the copies that erasing does not reach', async () => {
    const erase = ['customers', 'delete', 'key=erase', '--erase-personal-data', '--yes']
    await make('erase')
    expect((await desk.run(erase)).stderr).to.not.include('Not erased')
    await make('erase')
    await desk.run(['server', 'snapshot', 'save', 'kept'])
    const damaged = join(desk.folder, 'data', '.damaged-2026')
    mkdirSync(damaged)
    const backup = join(desk.folder, 'erased.jsonl')
    const {code, stderr} = await desk.run([...erase, '--backup', backup])
    expect(code, stderr).to.equal(0)
    const copies = [damaged, join(desk.folder, 'data', '.snapshots', 'kept'), backup]
    expect(stderr).to.include(`Not erased, since these are copies of your own: ${copies.join(', ')}\n`)
  })

  it('deletes nothing if more match than was said', async () => {
    await make('bulk-1', '--company', 'Bulk')
    await make('bulk-2', '--company', 'Bulk')
    const where = ['customers', 'delete', '-w', 'companyName = "Bulk"', '--yes']
    expect((await desk.run(where)).code).to.equal(2)
    expect((await desk.run([...where, '--max', '1'])).code).to.equal(2)
    expect((await desk.run([...where, '--max', '2'])).code).to.equal(0)
    expect((await desk.run(['customers', 'exists', 'key=bulk-1'])).code).to.equal(3)
  })

  it('makes up a password only where it can be handed over', async () => {
    const argv = ['customers', 'create', '--email', 'gen@example.com', '--generate-password', '--json']
    expect((await desk.run(argv)).code).to.equal(2)
    const file = join(desk.folder, 'generated')
    const {code, stdout, stderr} = await desk.run([...argv, '--secret-out', file])
    expect(code, stderr).to.equal(0)
    const password = readFileSync(file, 'utf8').trim()
    expect(password).to.have.length(20)
    expect(stdout + stderr).to.not.include(password)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('guides at a terminal, and ends by showing the equivalent command', async () => {
    const answers = ['guided@example.com', 'Gui', 'Ded', '', 'guided', 'geheim-1', 'geheim-1']
    const {code, stderr, stdout} = await desk.run(['customers', 'create'], {answers})
    expect(code, stderr).to.equal(0)
    expect(stderr).to.include('frontdesk customers create --email guided@example.com --first-name Gui')
    expect(stdout + stderr).to.not.include('geheim')
  })

  it('asks nobody in CI and ends with code 12', async () => {
    const {code, stderr} = await desk.run(['customers', 'create', '--email', 'ci@example.com'], {
      terminal: true,
      env: {CI: 'true'},
    })
    expect(code).to.equal(12)
    expect(stderr).to.include('--password-stdin')
  })

  it('finds people by whatever is known of them', async () => {
    const {id} = await make('finder', '--first-name', 'Grace', '--last-name', 'Hopper')
    for (const text of ['finder', 'FINDER@example.com', 'hopper', 'grace hopper', id]) {
      expect((await desk.run(['customers', 'find', text, '-o', 'ids'])).stdout, text).to.equal(`${id}\n`)
    }
    expect((await desk.run(['customers', 'find', 'x" or email is defined or email="'])).code).to.equal(3)
  })

  it('writes an audit line before and after each write, and never an email or a password', async () => {
    const {lines, broken} = readAudit(join(desk.folder, 'data', '_audit'))
    expect(broken).to.deep.equal([])
    expect(lines.filter(({phase}) => phase === 'intent')).to.have.length.greaterThan(5)
    expect(JSON.stringify(lines)).to.not.match(/@example\.com|geheim/)
  })
})

describe('cli · customers query', () => {
  const desk = new Desk()
  before(async () => {
    for (const key of ['q1', 'q2', 'q3']) {
      await desk.run(['customers', 'create', '--email', `${key}@example.com`, '--key', key, '--external-auth'])
    }
  })
  after(() => desk.remove())

  it('asks with predicates, variables, order and limits', async () => {
    const {json} = await desk.run([
      'customers',
      'query',
      '-w',
      'key in ("q1", "q2")',
      '-s',
      'key desc',
      '-n',
      '1',
      '--json',
    ])
    expect(json).to.deep.include({limit: 1, offset: 0, count: 1, total: 2})
    const named = await desk.run([
      'customers',
      'query',
      '-w',
      'key = :k',
      '--var',
      'k=q3',
      '--fields',
      'key',
      '--no-header',
    ])
    expect(named.stdout).to.equal('q3\n')
    expect((await desk.run(['customers', 'query', '--no-with-total', '--json'])).json).to.not.have.property('total')
  })

  it('reads everything with --all, as one document or line by line', async () => {
    const {json} = await desk.run(['customers', 'query', '--all', '--json'])
    expect(json).to.deep.include({offset: 0, count: 3, total: 3})
    const {stdout} = await desk.run(['customers', 'query', '--all', '-o', 'jsonl'])
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as {key: string}).key)
        .sort(),
    ).to.deep.equal(['q1', 'q2', 'q3'])
    const sorted = await desk.run(['customers', 'query', '--all', '-s', 'key desc', '-o', 'csv', '--fields', 'key'])
    expect(sorted.stdout).to.equal('key\r\nq3\r\nq2\r\nq1\r\n')
  })

  it('ends with code 6 for a bad predicate and 9 for a false expectation', async () => {
    expect((await desk.run(['customers', 'query', '-w', 'email='])).code).to.equal(6)
    expect((await desk.run(['customers', 'query', '-n', '501'])).code).to.equal(6)
    expect((await desk.run(['customers', 'query', '--expect-count', '3'])).code).to.equal(0)
    const failed = await desk.run(['customers', 'query', '--expect-count', '5..', '--json'])
    expect(failed.code).to.equal(9)
    expect(failed.json).to.have.nested.property('error.code', 'CountUnexpected')
    expect((await desk.run(['customers', 'get', 'key=q1', '--assert', 'key = q2'])).code).to.equal(9)
    expect((await desk.run(['customers', 'get', 'key=q1', '--assert', 'key=q1'])).code).to.equal(0)
  })

  it('masks personal data if asked, but for what is named', async () => {
    const masked = await desk.run(['customers', 'get', 'key=q1', '--redact', '--json'])
    expect(masked.json).to.have.property('email', 'q***@e***.com')
    const shown = await desk.run(['customers', 'get', 'key=q1', '--redact', '--reveal', 'email', '--json'])
    expect(shown.json).to.have.property('email', 'q1@example.com')
  })

  it('writes into a new file that only its owner can read', async () => {
    const file = join(desk.folder, 'out.csv')
    const argv = ['customers', 'query', '-o', 'csv', '--fields', 'key', '--out', file]
    const {code, stdout} = await desk.run(argv)
    expect({code, stdout}).to.deep.equal({code: 0, stdout: ''})
    expect(readFileSync(file, 'utf8')).to.include('q1')
    expect((await desk.run(argv)).code).to.equal(2)
  })
})
