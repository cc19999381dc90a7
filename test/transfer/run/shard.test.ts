import {expect} from 'chai'
import {isInShard, parsedShard} from '../../../src/transfer/check/shard.js'
import {type ImportOptions, importCustomers} from '../../../src/transfer/import.js'
import {InvalidRows} from '../../../src/transfer/run/validation.js'
import {quickRuntime} from '../desk.js'
import {importing} from '../importing.js'
import {failureOf} from '../scratch.js'

const {files, desk, imported} = importing()
const shards = ['1/3', '2/3', '3/3']

const row = (at: number, more: object = {}): object => ({
  key: `part-${at}`,
  email: `part-${at}@x.de`,
  authenticationMode: 'ExternalAuth',
  ...more,
})
const text = (rows: readonly object[]): string => rows.map((one) => JSON.stringify(one)).join('\n')

describe('transfer · shards', () => {
  /** The shards of one file at once, in one folder of jobs. */
  async function atOnce(rows: readonly object[], jobs: string, options: Partial<ImportOptions> = {}) {
    const path = files.write('all.jsonl', text(rows))
    return Promise.all(
      shards.map(async (shard, at) => {
        const sources = await files.reopened(path)
        const own = {jobsDir: files.path(jobs), target: 'test', runtime: quickRuntime(at + 1)}
        return importCustomers(desk().client, sources, {...own, ...options, shard})
      }),
    )
  }

  it('write every row of a file exactly once between them, three at once on one server', async () => {
    const before = (await desk().customers()).length
    const results = await atOnce(
      Array.from({length: 300}, (_, at) => row(at)),
      'jobs-three',
    )
    expect(results.map(({shard}) => shard)).to.deep.equal(shards)
    expect(results.reduce((sum, {created}) => sum + created, 0)).to.equal(300)
    expect(results.reduce((sum, {read}) => sum + read, 0)).to.equal(300)
    for (const {read, created} of results) expect([read, created]).to.deep.equal([created, read])
    // A hash that sends everything to one shard would be no help.
    for (const {read} of results) expect(read).to.be.within(60, 140)
    expect((await desk().customers()).length - before).to.equal(300)
    expect(new Set(results.map(({job}) => job))).to.have.length(3)
  })

  it('see the whole file: a value that another shard has is a duplicate in all of them', async () => {
    const twins = Array.from({length: 30}, (_, at) => row(1000 + at, {email: `twin-${at % 29}@x.de`}))
    const path = files.write('twins.jsonl', text(twins))
    for (const shard of shards) {
      const options = {jobsDir: files.path('jobs-twins'), target: 'test', shard}
      const error = await failureOf<InvalidRows>(importCustomers(desk().client, await files.reopened(path), options))
      expect(error, shard).to.be.instanceOf(InvalidRows)
      expect(error.issues.map(({line, code}) => [line, code])).to.deep.equal([[30, 'DuplicateField']])
    }
    const results = await atOnce(twins, 'jobs-twins', {skipInvalid: true})
    expect(results.map(({failed}) => failed).toSorted()).to.deep.equal([0, 0, 1])
    expect(results.reduce((sum, {created}) => sum + created, 0)).to.equal(29)
  })

  it('take rows without the matched member, too, each exactly once', async () => {
    const results = await atOnce(
      Array.from({length: 40}, (_, at) => ({email: `keyless-${at}@x.de`})),
      'jobs-keyless',
      {skipInvalid: true},
    )
    expect(results.reduce((sum, {failed}) => sum + failed, 0)).to.equal(40)
  })

  it('are resumed as they were begun, each on its own', async () => {
    const rows = Array.from({length: 20}, (_, at) => row(2000 + at))
    const [first] = await atOnce(rows, 'jobs-again')
    const [again] = await atOnce(rows, 'jobs-again', {resume: true})
    expect(again?.job).to.equal(first?.job)
    const whole = await imported(text(rows), {name: 'a.jsonl'})
    expect(whole.unchanged).to.equal(20)
    expect(whole).not.to.have.property('shard')
  })

  it('go by what customers are found by, with its case as in matching, and stay the same for good', () => {
    const at = (match: 'key' | 'email', value: string): number =>
      [1, 2, 3, 4, 5, 6, 7, 8].findIndex((index) =>
        isInShard({index, count: 8}, {draft: {[match]: value}, number: 1}, match),
      )
    expect(at('email', 'ADA@Example.com')).to.equal(at('email', 'ada@example.com'))
    expect(at('key', 'ADA')).not.to.equal(at('key', 'ada'))
    expect(['ada', 'bob', 'eve', 'mia'].map((key) => at('key', key))).to.deep.equal([5, 2, 1, 4])
  })

  it('are refused unless they are a part of a whole', async () => {
    expect(parsedShard('2/8')).to.deep.equal({index: 2, count: 8})
    for (const bad of [
      '0/3',
      '4/3',
      '1/0',
      '1',
      '1/',
      '/3',
      '-1/3',
      '1/3/5',
      '1.5/3',
      ' 1/3',
      '01/3',
      '1/1001',
      'a/b',
      '',
    ]) {
      expect(parsedShard(bad), bad).to.equal(undefined)
    }
    expect(await failureOf(imported(text([row(1)]), {shard: '4/3'}))).to.have.property('name', 'InputError')
  })
})
