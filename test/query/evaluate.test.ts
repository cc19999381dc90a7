import {expect} from 'chai'
import fc from 'fast-check'
import {parsePredicate} from '../../src/query/parser.js'
import {QueryError} from '../../src/query/query-error.js'
import {compile} from '../../src/query/to-function.js'
import {circles, customers, point, predicates} from './arbitraries.js'
import {customerShape, customShapes, facets, noVars} from './customer-shape.js'
import {naive} from './naive.js'
import {printPredicate} from './print.js'

const matches = (text: string, document: object, vars: Record<string, string[]> = {}): boolean =>
  compile(parsePredicate(text, customerShape, new Map(Object.entries(vars)), customShapes), facets)(document)

const ada = {
  id: 'ada',
  version: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  email: 'Ada@Example.org',
  isEmailVerified: false,
  dateOfBirth: '1985-05-07',
  customerGroup: {typeId: 'customer-group', id: 'vip'},
  stores: [
    {typeId: 'store', key: 'berlin'},
    {typeId: 'store', key: 'paris'},
  ],
  addresses: [
    {id: 'a1', city: 'Berlin', country: 'DE'},
    {id: 'a2', city: 'Paris', country: 'FR'},
  ],
  shippingAddressIds: ['a1', 'a2'],
  custom: {type: {typeId: 'type', id: 't'}, fields: {size: 5, tags: ['x', 'y'], code: '5', gone: null}},
}

describe('query · evaluation', () => {
  it('agrees with a naive evaluator', () => {
    fc.assert(
      fc.property(predicates, customers(4), (predicate, documents) => {
        const test = compile(predicate, facets)
        for (const document of documents) {
          expect(test(document), printPredicate(predicate)).to.equal(naive(predicate, document, document))
        }
      }),
      {numRuns: 3000},
    )
  })

  it('measures distances like a naive evaluator', () => {
    fc.assert(
      fc.property(circles, point, (circle, place) => {
        const document = {place}
        expect(compile(circle)(document), printPredicate(circle)).to.equal(naive(circle, document, document))
      }),
      {numRuns: 2000},
    )
    // Berlin to Paris is 878 km.
    const berlin = {custom: {fields: {place: {type: 'Point', coordinates: [13.405, 52.52]}}}}
    expect(matches('custom(fields(place within circle(2.3522, 48.8566, 877000)))', berlin)).to.equal(false)
    expect(matches('custom(fields(place within circle(2.3522, 48.8566, 879000)))', berlin)).to.equal(true)
  })

  it('prints every predicate so that it parses to the same tree', () => {
    fc.assert(
      fc.property(predicates, (predicate) => {
        const text = printPredicate(predicate)
        fc.pre(text.length <= 5000)
        expect(parsePredicate(text, customerShape, noVars, customShapes)).to.deep.equal(predicate)
      }),
      {numRuns: 2000},
    )
  })

  it('prints paths of several names as parentheses', () => {
    const field = {path: ['customerGroup', 'id'], type: 'string'} as const
    expect(printPredicate({op: 'compare', field, comparison: '=', value: 'vip'})).to.equal('customerGroup(id = "vip")')
    const term = {op: 'defined', field: {path: ['my-field'], type: 'unknown'}, negated: true} as const
    expect(printPredicate({op: 'nested', path: ['custom', 'fields'], term})).to.equal(
      'custom(fields(`my-field` is not defined))',
    )
  })

  it('holds comparisons with absent values for false, and their negation for true', () => {
    for (const condition of ['firstName = "x"', 'firstName != "x"', 'firstName < "x"', 'firstName not in ("x")']) {
      expect(matches(condition, ada), condition).to.equal(false)
      expect(matches(`not(${condition})`, ada), condition).to.equal(true)
    }
    expect(matches('firstName is not defined and not(firstName is defined)', ada)).to.equal(true)
    expect(matches('custom(fields(gone is defined))', ada)).to.equal(false)
  })

  it('compares texts by case, date-times by time, numbers by value', () => {
    expect(matches('email = "ada@example.org"', ada)).to.equal(false)
    expect(matches('lowercaseEmail = "ada@example.org"', ada)).to.equal(true)
    expect(matches('createdAt = "2026-01-01T01:00:00+01:00"', ada)).to.equal(true)
    expect(matches('createdAt >= "2026-01-01T00:00:00.001Z"', ada)).to.equal(false)
    expect(matches('dateOfBirth < "1985-05-08"', ada)).to.equal(true)
    expect(matches('version > 2.5 and version <= 3', ada)).to.equal(true)
    expect(matches('isEmailVerified = false', ada)).to.equal(true)
  })

  it('wants one element that satisfies the whole condition', () => {
    expect(matches('addresses(city = "Berlin" and country = "DE")', ada)).to.equal(true)
    expect(matches('addresses(city = "Berlin" and country = "FR")', ada)).to.equal(false)
    expect(matches('stores(key = "paris")', ada)).to.equal(true)
    expect(matches('not(stores(key = "rome"))', ada)).to.equal(true)
    expect(matches('addresses(not(city = "Berlin"))', ada)).to.equal(true)
  })

  it('looks into arrays of scalars', () => {
    expect(matches('shippingAddressIds contains any ("a2", "a3")', ada)).to.equal(true)
    expect(matches('shippingAddressIds contains all ("a2", "a3")', ada)).to.equal(false)
    expect(matches('shippingAddressIds contains all ("a2", "a1")', ada)).to.equal(true)
    expect(matches('shippingAddressIds = "a1"', ada)).to.equal(true)
    expect(matches('shippingAddressIds != "a1"', ada)).to.equal(false)
    expect(matches('custom(fields(tags contains any ("y")))', ada)).to.equal(true)
    expect(matches('custom(fields(tags is not empty))', ada)).to.equal(true)
    expect(matches('firstName is empty', ada)).to.equal(true)
  })

  it('reads each element of an array once, however many values it has to contain', () => {
    const all = Array.from({length: 200}, (_, at) => `a${at}`)
    let reads = 0
    const shippingAddressIds = new Proxy(all, {
      get(target, name) {
        reads += Number(typeof name === 'string' && /^\d+$/.test(name))
        return Reflect.get(target, name) as unknown
      },
    })
    const values = all.toReversed().map((id) => `"${id}"`)
    expect(matches(`shippingAddressIds contains all (${values.join(', ')})`, {...ada, shippingAddressIds})).to.equal(
      true,
    )
    expect(reads).to.equal(all.length)
  })

  it('takes a variable of unknown type for the text and for the number', () => {
    const size = {v: ['5']}
    expect(matches('custom(fields(size = :v))', ada, size)).to.equal(true)
    expect(matches('custom(fields(code = :v))', ada, size)).to.equal(true)
    expect(matches('custom(fields(size != :v))', ada, size)).to.equal(false)
    expect(matches('custom(fields(code > :v))', ada, {v: ['4']})).to.equal(true)
    expect(matches('custom(fields(size > :v))', ada, {v: ['4']})).to.equal(true)
    expect(matches('custom(fields(size contains all :v))', ada, size)).to.equal(true)
  })

  it('keeps hostile text in a variable a text', () => {
    const v = ['x" or email is defined or email="']
    expect(matches('email = :v', ada, {v})).to.equal(false)
    expect(matches('email = :v', {...ada, email: v[0]}, {v})).to.equal(true)
  })

  it('sees own members only', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(matches(`custom(fields(${name} is defined))`, ada), name).to.equal(false)
      const fields = Object.fromEntries([[name, 'own']])
      expect(matches(`custom(fields(${name} = "own"))`, {...ada, custom: {fields}}), name).to.equal(true)
    }
  })

  it('throws nothing but QueryError for any text', () => {
    const words = [
      'email',
      'version',
      'custom',
      '(',
      ')',
      '=',
      '!=',
      '"a"',
      '5',
      'true',
      'and',
      'or',
      'not',
      'in',
      ',',
      ':v',
    ]
    words.push('is', 'defined', 'empty', 'contains', 'any', 'within', 'circle', '`x`', '"', '`', '\\', '-', '<>', '\n')
    const soup = fc.array(fc.constantFrom(...words), {maxLength: 40}).map((parts) => parts.join(' '))
    const vars = new Map([['v', ['5']]])
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({unit: 'binary', maxLength: 80}), fc.string()), (text) => {
        try {
          parsePredicate(text, customerShape, vars)
        } catch (error) {
          expect(error).to.be.instanceOf(QueryError)
        }
      }),
      {numRuns: 5000},
    )
    for (const text of ['(', 'not(', 'addresses(', 'not ', 'email="a" or ', '"', '`', ':', '\\', 'email in (']) {
      expect(() => parsePredicate(text.repeat(5000 / text.length), customerShape, vars), text).to.throw(QueryError)
    }
  })
})
