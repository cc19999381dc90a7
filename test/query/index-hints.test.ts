import {expect} from 'chai'
import fc from 'fast-check'
import type {Scalar} from '../../src/query/ast.js'
import {type Equality, equalities, lowerBound, momentsOf} from '../../src/query/index-hints.js'
import {parsePredicate} from '../../src/query/parser.js'
import {compile} from '../../src/query/to-function.js'
import {type Customer, customers, predicates} from './arbitraries.js'
import {customerShape, facets, noVars} from './customer-shape.js'

const parse = (text: string) => parsePredicate(text, customerShape, noVars)
const plan = (text: string): Equality[] => equalities(parse(text))

/** What an index on the path would hold for the document. */
function indexed(document: object, {path, facet}: Equality): unknown[] {
  if (facet) return [facets[path]?.(document)]
  return path.split('.').reduce<unknown[]>(
    (values, name) =>
      values.flatMap((value) => {
        const member = typeof value === 'object' && value && Object.hasOwn(value, name) ? Reflect.get(value, name) : []
        return Array.isArray(member) ? member : [member]
      }),
    [document],
  )
}

describe('query · plan', () => {
  it('finds equalities and lists that are AND-ed at the top', () => {
    expect(plan('email = "a" and version > 1 and id in ("x", "y")')).to.deep.equal([
      {path: 'email', values: ['a']},
      {path: 'id', values: ['x', 'y']},
    ])
    expect(plan('lowercaseEmail = "a"')).to.deep.equal([{path: 'lowercaseEmail', facet: true, values: ['a']}])
    expect(plan('shippingAddressIds contains all ("a", "b")')).to.have.lengthOf(2)
  })

  it('follows objects and arrays', () => {
    expect(plan('stores(key = "s") and custom(fields(x = 1))')).to.deep.equal([
      {path: 'stores.key', values: ['s']},
      {path: 'custom.fields.x', values: [1]},
    ])
  })

  it('joins alternatives of one field, and gives up on others', () => {
    expect(plan('email = "a" or email in ("b", "a")')).to.deep.equal([{path: 'email', values: ['a', 'b']}])
    expect(plan('(email = "a" and version = 1) or (version = 2 and id = "x")')).to.deep.equal([
      {path: 'version', values: [1, 2]},
    ])
    for (const text of ['email = "a" or version = 1', 'not(email = "a")', 'email != "a"', 'email not in ("a")']) {
      expect(plan(text), text).to.deep.equal([])
    }
    expect(plan('createdAt = "2026-01-01T00:00:00.000Z"')).to.deep.equal([])
    expect(plan('custom(fields(`a.b` = 1))')).to.deep.equal([])
  })

  it('names only conditions that every match fulfils', () => {
    let checked = 0
    fc.assert(
      fc.property(predicates, customers(4), (predicate, documents) => {
        const test = compile<Customer>(predicate, facets)
        for (const document of documents.filter(test)) {
          for (const equality of equalities(predicate)) {
            const values: readonly (Scalar | unknown)[] = indexed(document, equality)
            expect(values.some((value) => equality.values.includes(value as Scalar))).to.equal(true)
            checked += 1
          }
          const bound = lowerBound(predicate)
          if (bound) expect(Buffer.compare(Buffer.from(document.id), Buffer.from(bound.id))).to.be.at.least(0)
        }
      }),
      {numRuns: 3000},
    )
    expect(checked).to.be.above(100)
  })

  it('finds the greatest lower bound of the id', () => {
    const bound = (text: string) => lowerBound(parse(text))
    expect(bound('id > "b"')).to.deep.equal({id: 'b', inclusive: false})
    expect(bound('id >= "b" and (id > "a" and email = "x")')).to.deep.equal({id: 'b', inclusive: true})
    expect(bound('id >= "b" and id > "b"')).to.deep.equal({id: 'b', inclusive: false})
    expect(bound('id > "b" and id >= "b"')).to.deep.equal({id: 'b', inclusive: false})
    for (const text of ['id < "b"', 'id = "b"', 'id > "a" or version = 1', 'not(id > "a")', 'stores(key > "a")']) {
      expect(bound(text), text).to.equal(undefined)
    }
    expect(bound('addresses(id > "a")')).to.equal(undefined)
  })
})

describe('query · moments', () => {
  const iso = fc.integer({min: 0, max: 5_000}).map((ms) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString())
  const condition = fc
    .tuple(fc.constantFrom('=', '!=', '<', '<=', '>', '>='), fc.oneof(iso, fc.constant('2026-01-01T01:00:02+01:00')))
    .map(([comparison, value]) => `createdAt ${comparison} "${value}"`)
  const text = fc.letrec<{any: string}>((tie) => ({
    any: fc.oneof(
      {maxDepth: 3},
      condition,
      fc.constant('version > 1'),
      fc.tuple(tie('any'), fc.constantFrom('and', 'or'), tie('any')).map(([a, word, b]) => `(${a} ${word} ${b})`),
      tie('any').map((a) => `not (${a})`),
    ),
  })).any

  it('leaves out no match, and no more than that where it says so', () => {
    fc.assert(
      fc.property(text, iso, fc.boolean(), (where, createdAt, isNew) => {
        const predicate = parse(where)
        const matches = compile<object>(predicate, {})({id: 'x', version: isNew ? 1 : 2, createdAt})
        const {from, until, isAll} = momentsOf(predicate, 'createdAt')
        const isIn = Date.parse(createdAt) >= from && Date.parse(createdAt) <= until
        if (matches) expect(isIn, where).to.equal(true)
        if (isAll) expect(isIn, where).to.equal(matches)
      }),
    )
    expect(momentsOf(parse('createdAt > "2026-01-01T00:00:00.000Z" and version = 1'), 'createdAt')).to.deep.include({
      from: Date.UTC(2026, 0, 1) + 1,
      isAll: false,
    })
  })
})
