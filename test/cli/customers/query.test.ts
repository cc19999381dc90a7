import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

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

  it('says by line and column what of a predicate is wrong, without an arrow that one line cannot show', async () => {
    const {stderr, code} = await desk.run(['customers', 'query', '-w', 'lastName == "M"'])
    expect(code).to.equal(6)
    expect(stderr).to.include("Invalid input '='").and.include('(line 1, column 11).\n').and.not.include('^')
  })

  it('says of a page behind the last customer how many there are', async () => {
    const {stderr} = await desk.run(['customers', 'query', '--offset', '30', '-o', 'table'])
    expect(stderr).to.include('0 of 3 shown: --all shows the rest.')
    expect((await desk.run(['customers', 'query', '--offset', '2', '-o', 'table'])).stderr).to.not.include('shown')
  })
})
