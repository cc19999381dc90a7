import {expect} from 'chai'
import fc from 'fast-check'
import {JsonText} from '../../../src/domain/json-text.js'
import {compile} from '../../../src/query/to-function.js'
import {lacks, literalsOf} from '../../../src/store/lowdb/line/unparsed.js'
import {customers, predicates} from '../../query/arbitraries.js'
import {facets} from '../../query/customer-shape.js'
import {equals} from '../contract/subject.js'

/** The JSON of a document as a scan sees it. */
const passed = (doc: object): string => JsonText.of(JSON.stringify(doc)).bytes

describe('store · literals of a scan', () => {
  it('are in the JSON of every document that matches', () => {
    let matches = 0
    fc.assert(
      fc.property(predicates, customers(4), (predicate, documents) => {
        const test = compile(predicate, facets)
        for (const document of documents.filter((candidate) => test(candidate))) {
          matches += 1
          expect(lacks(passed(document), literalsOf(predicate))).to.equal(false)
        }
      }),
      {numRuns: 500},
    )
    expect(matches).to.be.above(20)
  })

  it('are found however they are written', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), (name) => {
        const document = {id: 'ada', version: 1, name}
        const entry = passed(document)
        expect(lacks(entry, literalsOf(equals('name', name)))).to.equal(false)
        expect(document).to.deep.equal(JSON.parse(JSON.stringify(document)))
      }),
    )
  })

  it('spare the parsing of a document without them, and of no other', () => {
    const entry = passed({name: 'Ada "Countess" Lovelace', age: 36})
    expect(lacks(entry, literalsOf(equals('name', 'Ada')))).to.equal(true)
    expect(lacks(entry, literalsOf(equals('name', 'Ada "Countess" Lovelace')))).to.equal(false)
    expect(lacks(entry, literalsOf(equals('age', 37)))).to.equal(false)
    expect(lacks(entry, literalsOf(equals('lowercaseName', 'ada', 'lowercaseName')))).to.equal(false)
    expect(lacks(entry, literalsOf({op: 'not', term: equals('name', 'Bob')}))).to.equal(false)
    expect(lacks(entry, literalsOf({op: 'or', terms: [equals('name', 'Bob'), equals('age', 36)]}))).to.equal(false)
    expect(lacks(entry, literalsOf({op: 'and', terms: [equals('age', 36), equals('name', 'Bob')]}))).to.equal(true)
  })
})
