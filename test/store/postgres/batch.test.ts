import {expect} from 'chai'
import type pg from 'pg'
import {addressOf} from '../../../src/store/postgres/connection/address.js'
import {NotRun, runOn} from '../../../src/store/postgres/connection/batch.js'
import {Connections} from '../../../src/store/postgres/connection/connections.js'
import {Hosts} from '../../../src/store/postgres/connection/hosts.js'
import {inColumns, textArray} from '../../../src/store/postgres/connection/wire-values.js'
import {Lookups} from '../../../src/store/postgres/lookups.js'
import {type Cluster, startCluster} from './cluster.js'

describe('store · statements that are sent together', () => {
  let cluster: Cluster
  let client: pg.Client

  before(async function () {
    const started = await startCluster()
    if (!started) return this.skip()
    cluster = started
  })

  beforeEach(async () => {
    const host = {host: cluster.directory, port: 5432, ssl: false}
    client = await new Hosts({hosts: [host], mustWrite: false}).connect({
      user: 'frontdesk',
      database: 'postgres',
      pipeline: true,
    })
  })
  afterEach(() => client?.end())
  after(() => cluster?.stop())

  it('take one write and one answer, and keep their order', async () => {
    const run = runOn(client)
    // What a new connection asks for by itself has been answered before this.
    await run({text: 'SELECT 1'})
    const {stream} = (client as unknown as {connection: {stream: NodeJS.ReadWriteStream}}).connection
    let chunks = 0
    stream.on('data', () => {
      chunks += 1
    })
    const answers = await Promise.all([
      run({text: 'SELECT $1::int + 1'}, [1]),
      run({name: 'many', text: 'SELECT n, null FROM generate_series(1, $1) n'}, [3]),
      run({text: 'SET lock_timeout = 7'}),
    ])
    expect(answers.map(({rows, count, command}) => ({rows, count, command}))).to.deep.equal([
      {rows: [['2']], count: 1, command: 'SELECT'},
      {rows: ['1', '2', '3'].map((n) => [n, null]), count: 3, command: 'SELECT'},
      {rows: [], count: 0, command: 'SET'},
    ])
    expect(chunks).to.equal(1)
  })

  it('compress what they write by the fastest method that the server has', async () => {
    const text = "SELECT setting, enumvals FROM pg_settings WHERE name = 'default_toast_compression'"
    const [[setting, methods] = []] = (await runOn(client)({text})).rows
    // None before PostgreSQL 14.
    expect(setting ?? null).to.equal(methods?.includes('lz4') ? 'lz4' : (methods && 'pglz') || null)
  })

  it('end with the first that fails: those before have answered, those behind were not run', async () => {
    const run = runOn(client)
    const good = {name: 'good', text: 'SELECT 1'}
    const bad = {name: 'bad', text: 'SELECT 1 / $1::int'}
    const late = {name: 'late', text: 'SELECT 2'}
    const ends = await Promise.allSettled([
      run(good),
      run(bad, [0]),
      run({text: 'CREATE TABLE never (n int)'}),
      run(late),
    ])
    expect(ends.map(({status}) => status)).to.deep.equal(['fulfilled', 'rejected', 'rejected', 'rejected'])
    const reasons = ends.map((end) => (end.status === 'rejected' ? (end.reason as unknown) : undefined))
    expect(reasons[1]).to.include({code: '22012'})
    expect([reasons[2], reasons[3]].every((reason) => reason instanceof NotRun)).to.equal(true)
    expect((await run({text: "SELECT to_regclass('never')"})).rows).to.deep.equal([[null]])
    // Whatever of them has been prepared, the next ones run.
    const again = await Promise.all([run(good), run(bad, [1]), run(late)])
    expect(again.map(({rows}) => rows)).to.deep.equal([[['1']], [['1']], [['2']]])
  })

  it('of several requests fail alone', async () => {
    const connections = new Connections(addressOf(await cluster.database('requests')))
    const lookups = new Lookups(connections)
    const asked = (text: string) =>
      lookups
        .query(1, (run) => run({text}))
        .then(
          ({rows}) => rows[0]?.[0],
          (error: {code?: string}) => error.code,
        )
    const texts = ['SELECT 1', 'SELECT 1 / 0', 'SELECT 2', 'SELECT no_column', 'SELECT 3']
    const outcomes = await Promise.all(texts.map(asked))
    await connections.close()
    expect(outcomes).to.deep.equal(['1', '22012', '2', '42703', '3'])
  })

  it('fail together when the connection ends', async () => {
    const run = runOn(client)
    const ends = await Promise.allSettled([
      run({text: 'SELECT pg_terminate_backend(pg_backend_pid())'}),
      run({text: 'SELECT 1'}),
    ])
    expect(ends.map(({status}) => status)).to.include('rejected')
    expect(await run({text: 'SELECT 1'}).catch((error: unknown) => error)).to.be.an('error')
  })

  it('carry texts of every kind in arrays of both forms', async () => {
    const run = runOn(client)
    for (const texts of [[], ['a', null, ''], ['{"a":"b\\"c"}', 'NULL', '\u{1f600}', 'ä,b'], [null]]) {
      const asked = await Promise.all([
        run({text: 'SELECT n FROM unnest($1::text[]) n'}, [textArray(texts)]),
        run({text: 'SELECT n FROM unnest($1::text[]) n'}, [texts]),
      ])
      for (const {rows} of asked) expect(rows).to.deep.equal(texts.map((text) => [text]))
    }
    const [long, short] = ['x'.repeat(9 << 20), 'y']
    const parts = [
      ...inColumns([
        [long, null],
        [short, 'a'],
        [long, 'b'],
      ]),
    ]
    expect(parts.map((columns) => columns.map((column) => column.readInt32BE(12)))).to.deep.equal([
      [2, 2],
      [1, 1],
    ])
    const numbers = await run({text: 'SELECT sum(n) FROM unnest($1::int[]) n'}, [[1, 2, 3]])
    expect(numbers.rows).to.deep.equal([['6']])
  })
})
