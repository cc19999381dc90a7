import {expect} from 'chai'
import fc from 'fast-check'
import type {Scalar} from '../../src/query/ast.js'
import {type Equality, equalities, lowerBound} from '../../src/query/index-hints.js'
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
