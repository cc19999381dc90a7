import {expect} from 'chai'
import {parsePage, readVars} from '../../src/query/page.js'
import {QueryError} from '../../src/query/query-error.js'

const params = (entries: Record<string, string[]>) => new Map(Object.entries(entries))

describe('query · page', () => {
  it('has defaults', () => {
    expect(parsePage(params({}))).to.deep.equal({limit: 20, offset: 0, withTotal: true})
  })

  it('reads the ends of the ranges', () => {
    expect(parsePage(params({limit: ['0'], offset: ['10000'], withTotal: ['false']}))).to.deep.equal({
      limit: 0,
      offset: 10_000,
      withTotal: false,
    })
    expect(parsePage(params({limit: ['500']}))).to.include({limit: 500})
  })

  it('refuses anything but a decimal integer in range', () => {
    for (const text of [
      '-1',
      '501',
      '1.5',
      'abc',
      '',
      '1e3',
      '0x10',
      ' 1',
      '1 ',
      '1\n',
      '+1',
      '٣',
      '9'.repeat(400),
      'NaN',
    ]) {
      expect(() => parsePage(params({limit: [text]})), text).to.throw(
        QueryError,
        /^Malformed parameter: limit: The limit parameter must be in the range of \[0\.\.500\]$/,
      )
    }
    for (const text of ['10001', '-1']) {
      expect(() => parsePage(params({offset: [text]})), text).to.throw(
        QueryError,
        /^Malformed parameter: offset: The offset parameter must be in the range of \[0\.\.10000\]$/,
      )
    }
  })

  it('refuses different values and a withTotal that is not true or false', () => {
    expect(() => parsePage(params({limit: ['1', '2']}))).to.throw(QueryError, 'different values')
    expect(() => parsePage(params({offset: ['1', '2']}))).to.throw(QueryError, 'different values')
    expect(() => parsePage(params({withTotal: ['true', 'false']}))).to.throw(QueryError, 'different values')
    for (const text of ['yes', 'TRUE', '', '1']) {
      expect(() => parsePage(params({withTotal: [text]})), text).to.throw(
        QueryError,
        'Malformed parameter: withTotal: ',
      )
    }
  })
})

describe('query · variables', () => {
  it('collects the values by name', () => {
    const vars = readVars(params({'var.a': ['1', '2'], 'var.B2': ['x'], where: ['y'], variable: ['z']}))
    expect([...vars]).to.deep.equal([
      ['a', ['1', '2']],
      ['B2', ['x']],
    ])
  })

  it('refuses names that are not letters and digits', () => {
    for (const name of ['var.', 'var.__proto__', 'var.a-b', 'var.ä', 'var.a\n', 'var.a.b']) {
      expect(() => readVars(params({[name]: ['x']})), name).to.throw(QueryError, `Malformed parameter: ${name}: `)
    }
  })
})
