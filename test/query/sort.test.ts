import {expect} from 'chai'
import fc from 'fast-check'
import type {SortKey} from '../../src/query/ast.js'
import {Best} from '../../src/query/best.js'
import {QueryError} from '../../src/query/query-error.js'
import {parseSort, readersOf} from '../../src/query/sort.js'
import {compareText} from '../../src/query/text-order.js'
import {customers, sortKeys} from './arbitraries.js'
import {customerShape, facets} from './customer-shape.js'
import {naiveText} from './naive.js'
import {comparator} from './order.js'

const parse = (...texts: string[]): SortKey[] => parseSort(texts, customerShape)

const sorted = (documents: {id: string}[], ...texts: string[]): string[] =>
  [...documents].sort(comparator(parse(...texts), facets)).map(({id}) => id)

describe('query · text order', () => {
  it('orders like UTF-8 bytes', () => {
    const unit = fc.constantFrom('a', 'b', '\u007f', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}')
    fc.assert(
      fc.property(fc.string({unit, maxLength: 5}), fc.string({unit, maxLength: 5}), (a, b) => {
        expect(Math.sign(compareText(a, b))).to.equal(Math.sign(naiveText(a, b)))
      }),
      {numRuns: 2000},
    )
  })
})

describe('query · sort', () => {
  it('reads paths, directions and derived values', () => {
    expect(parse('createdAt')).to.deep.equal([{field: {path: ['createdAt'], type: 'datetime'}, direction: 'asc'}])
    expect(parse(' customerGroup.id  DESC ')).to.deep.equal([
      {field: {path: ['customerGroup', 'id'], type: 'string'}, direction: 'desc'},
    ])
    expect(parse('custom.fields.my-field asc', 'custom.fields.`2nd` desc')).to.have.deep.nested.property(
      '[1].field.path',
      ['custom', 'fields', '2nd'],
    )
    expect(parse('lowercaseEmail')).to.have.nested.property('[0].field.facet', 'lowercaseEmail')
  })

  it('lists the sortable fields for one that is not', () => {
    for (const name of ['password', 'passwordHash', '__proto__', 'constructor', 'stores', 'addresses']) {
      expect(() => parse(`${name} asc`), name).to.throw(
        QueryError,
        `Malformed parameter: sort: Invalid query field '${name}' in sort path. Sortable fields are: \`createdAt\`, ` +
          '`custom`, `customerGroup`, `dateOfBirth`, `email`, `firstName`, `id`, `isEmailVerified`, `lastName`, ' +
          '`lowercaseEmail`, `version`.',
      )
    }
    expect(() => parse('customerGroup.name')).to.throw(QueryError, 'Sortable fields are: `id`, `typeId`.')
    expect(() => parse('stores.key')).to.throw(QueryError, "Invalid query field 'stores'")
    expect(() => parse('customerGroup')).to.throw(QueryError, "Invalid query field 'customerGroup'")
    expect(() => parse('email.x')).to.throw(QueryError, "Invalid query field 'x'")
    expect(() => parse('custom.fields')).to.throw(QueryError, "Invalid query field 'fields'")
  })

  it('refuses what is not a sort expression', () => {
    for (const text of ['', ' ', 'id; select', 'id sideways', 'id asc desc', 'id,email', 'id..x', '.', "'id'"]) {
      expect(() => parse(text), text).to.throw(QueryError, /^Malformed parameter: sort: /)
    }
    expect(() => parse(...Array.from({length: 11}, () => 'id'))).to.throw(QueryError, 'at most 10 times')
    expect(() => parse('a'.repeat(501))).to.throw(QueryError, 'at most 500 characters')
  })

  it('throws nothing but QueryError for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({unit: 'binary'})), (text) => {
        try {
          parse(text)
        } catch (error) {
          expect(error).to.be.instanceOf(QueryError)
        }
      }),
    )
  })

  it('puts absent values last ascending and first descending, and breaks ties by id', () => {
    const documents = [{id: 'c'}, {id: 'b', version: 1}, {id: 'a', version: 1}, {id: 'd', version: 2}, {id: 'B'}]
    expect(sorted(documents, 'version asc')).to.deep.equal(['a', 'b', 'd', 'B', 'c'])
    expect(sorted(documents, 'version desc')).to.deep.equal(['B', 'c', 'd', 'a', 'b'])
    expect(sorted(documents)).to.deep.equal(['B', 'a', 'b', 'c', 'd'])
    expect(sorted(documents, 'version desc', 'id desc')).to.deep.equal(['c', 'B', 'd', 'b', 'a'])
  })

  it('orders date-times by time and values of another type like absent ones', () => {
    const documents = [
      {id: 'later', createdAt: '2026-01-01T01:00:00.000Z'},
      {id: 'sooner', createdAt: '2026-01-01T01:30:00.000+01:00'},
      {id: 'never', createdAt: 'yesterday'},
    ]
    expect(sorted(documents, 'createdAt')).to.deep.equal(['sooner', 'later', 'never'])
  })

  it('is a total order', () => {
    fc.assert(
      fc.property(sortKeys, customers(5), (keys, documents) => {
        const compare = comparator(keys, facets)
        for (const a of documents) {
          for (const b of documents) {
            expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).to.equal(0)
            if (a !== b) expect(compare(a, b)).not.to.equal(0)
            for (const c of documents)
              if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).to.be.at.most(0)
          }
        }
      }),
    )
  })

  it('finds a page as a full sort does', () => {
    fc.assert(
      fc.property(sortKeys, customers(12), fc.nat({max: 14}), fc.nat({max: 14}), (keys, documents, offset, limit) => {
        const expected = [...documents].sort(comparator(keys, facets)).slice(offset, offset + limit)
        const best = new Best(offset + limit, readersOf(keys, facets), (one) => one)
        for (const document of documents) best.add(document)
        expect(best.from(offset)).to.deep.equal(expected)
      }),
      {numRuns: 1000},
    )
  })

  it('reads of what comes behind a page no more keys than tell', () => {
    const read: string[] = []
    const key = (name: string) => ({
      read: ({id}: {id: string}) => {
        read.push(`${name} ${id}`)
        return id.charAt(0)
      },
      sign: 1,
    })
    const best = new Best(1, [key('first'), key('second')], (one: {id: string}) => one)
    for (let at = 0; at < 600; at += 1) best.add({id: `a${at}`})
    read.length = 0
    best.add({id: 'b'})
    expect(read).to.deep.equal(['first b'])
  })

  it('orders a long page and keeps no more than it needs', () => {
    const documents = Array.from({length: 2_000}, (_, at) => ({id: String((at * 7919) % 2_000).padStart(4, '0')}))
    const best = new Best(150, [], (one: {id: string}) => one)
    for (const document of documents) best.add(document)
    const ids = best.from(100).map(({id}) => id)
    expect(ids).to.deep.equal(Array.from({length: 50}, (_, at) => String(at + 100).padStart(4, '0')))
  })

  it('orders fewer results by many keys', () => {
    const keys = (count: number) => Array.from({length: count}, () => 'id')
    const most = {offset: 10_000, limit: 500}
    expect(parseSort(keys(5), customerShape, most)).to.have.lengthOf(5)
    expect(() => parseSort(keys(6), customerShape, most)).to.throw(QueryError, '6 sort keys order at most 8750 results')
    expect(parseSort(keys(10), customerShape, {offset: 4_750, limit: 500})).to.have.lengthOf(10)
    expect(() => parseSort(keys(10), customerShape, {offset: 4_751, limit: 500})).to.throw(QueryError)
  })
})
