import {expect} from 'chai'
import fc from 'fast-check'
import {JsonText} from '../../../src/domain/json-text.js'
import {compile} from '../../../src/query/to-function.js'
import {Entry} from '../../../src/store/lowdb/line/entry.js'
import {lacks, literalsOf} from '../../../src/store/lowdb/line/literals.js'
import type {Document} from '../../../src/store/store.js'
import {customers, predicates} from '../../query/arbitraries.js'
import {facets} from '../../query/customer-shape.js'
import {equals} from '../contract/subject.js'

/** As a scan reads it from a large segment. */
const passed = (doc: object): Entry =>
  Entry.of(
    {kind: 'people', id: 'ada', version: 1, expect: 0, uniqueKeys: [], facets: []},
    JsonText.of(JSON.stringify(doc)),
  )

describe('store · literals of a scan', () => {
  it('are in the JSON of every document that matches', () => {
    let matches = 0
    fc.assert(
      fc.property(predicates, customers(4), (predicate, documents) => {
        const test = compile(predicate, facets)
        for (const document of documents.filter((candidate) => test(candidate))) {
          matches += 1
          expect(lacks(passed(document).text().bytes, literalsOf(predicate))).to.equal(false)
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
        expect(lacks(entry.text().bytes, literalsOf(equals('name', name)))).to.equal(false)
        expect(entry.look()).to.deep.equal(JSON.parse(JSON.stringify(document)))
      }),
    )
  })

  it('spare the parsing of a document without them, and of no other', () => {
    const entry = passed({name: 'Ada "Countess" Lovelace', age: 36})
    expect(lacks(entry.text().bytes, literalsOf(equals('name', 'Ada')))).to.equal(true)
    expect(lacks(entry.text().bytes, literalsOf(equals('name', 'Ada "Countess" Lovelace')))).to.equal(false)
    expect(lacks(entry.text().bytes, literalsOf(equals('age', 37)))).to.equal(false)
    expect(lacks(entry.text().bytes, literalsOf(equals('lowercaseName', 'ada', 'lowercaseName')))).to.equal(false)
    expect(lacks(entry.text().bytes, literalsOf({op: 'not', term: equals('name', 'Bob')}))).to.equal(false)
    expect(
      lacks(entry.text().bytes, literalsOf({op: 'or', terms: [equals('name', 'Bob'), equals('age', 36)]})),
    ).to.equal(false)
    expect(
      lacks(entry.text().bytes, literalsOf({op: 'and', terms: [equals('age', 36), equals('name', 'Bob')]})),
    ).to.equal(true)
  })

  it('leave nothing behind: what a scan looked at is frozen when it is handed out', () => {
    const entry = passed({id: 'ada', version: 1, name: {first: 'Ada'}})
    expect(entry.look()).to.deep.equal({id: 'ada', version: 1, name: {first: 'Ada'}})
    const doc = entry.doc as Document & {name: object}
    expect(Object.isFrozen(doc) && Object.isFrozen(doc.name)).to.equal(true)
    expect(entry.look()).to.equal(doc)
  })
})
