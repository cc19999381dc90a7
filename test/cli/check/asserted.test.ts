import {expect} from 'chai'
import {Assertions, checkCount, parseAssertion, parseCountRange} from '../../../src/cli/input/assertions.js'
import {durationMinutes, durationMs} from '../../../src/cli/process/durations.js'
import {Failure, nearest} from '../../../src/cli/process/failure.js'

const ada = {email: 'ada@example.com', version: 3, flag: true, createdAt: '2026-01-02', custom: {fields: {points: 7}}}
/** The customer has no type, so that nothing is asked. */
const run = {asClient: () => Promise.reject(new Error('a request'))}
const holds = async (text: string): Promise<boolean> => {
  const [found] = await new Assertions([text], run).falseOf(ada)
  return found === undefined
}

describe('cli · assertions', () => {
  it('compares text, numbers, dates and switches, with or without blanks', async () => {
    for (const text of [
      'email = ada@example.com',
      'email=ada@example.com',
      'email = "ada@example.com"',
      'version > 2',
      'version<10',
      'flag = true',
      'createdAt < 2026-02-01',
      'custom.fields.points = 7',
      'key missing',
      'email exists',
      'email matches @example\\.com$',
      'key != x',
    ]) {
      expect(await holds(text), text).to.equal(true)
    }
  })

  it('tells what does not hold, with code 9', async () => {
    for (const text of [
      'email = x',
      'version > 3',
      'key exists',
      'email missing',
      'key = x',
      'key < 5',
      'email matches ^x',
    ]) {
      expect(await holds(text), text).to.equal(false)
    }
  })

  it('refuses what is no assertion as a usage error', () => {
    for (const text of ['', 'email', 'email ~ x', 'email matches (', 'version >= 1', 'version <= 1', 'version == 1']) {
      expect(() => parseAssertion(text), text)
        .to.throw(Failure)
        .with.property('ending', 'usage')
    }
  })

  it('counts exactly or within a range', () => {
    checkCount(3, parseCountRange('3'))
    checkCount(3, parseCountRange('1..3'))
    checkCount(3, parseCountRange('..3'))
    checkCount(3, parseCountRange('3..'))
    expect(() => checkCount(4, parseCountRange('1..3'))).to.throw('4 match, but 1..3 were expected')
    for (const text of ['', '..', 'a', '1-2', '-1']) expect(() => parseCountRange(text), text).to.throw(Failure)
  })
})

describe('cli · durations', () => {
  it('reads a number with its unit', () => {
    expect(['500ms', '30s', '2m', '1h', '7d'].map((text) => durationMs(text, '--x'))).to.deep.equal([
      500, 30_000, 120_000, 3_600_000, 604_800_000,
    ])
    expect(durationMinutes('90s', '--ttl')).to.equal(2)
  })

  it('refuses a bare number, since nobody knows its unit', () => {
    for (const text of ['30', '', 's', '-1s', '1.5h'])
      expect(() => durationMs(text, '--x'), text).to.throw('is not a duration')
  })
})

describe('cli · suggestions', () => {
  it('proposes what is near, nearest first, and nothing else', () => {
    const names = ['customers get', 'customers query', 'customers delete', 'token issue']
    expect(nearest('custmers get', names)).to.deep.equal(['customers get'])
    expect(nearest('customers gte', names)[0]).to.equal('customers get')
    expect(nearest('TOKEN', names)).to.deep.equal(['token issue'])
    expect(nearest('get', names)).to.deep.equal(['customers get'])
    for (const far of ['xyzzy', 'ab', '']) expect(nearest(far, names), far).to.deep.equal([])
  })
})
