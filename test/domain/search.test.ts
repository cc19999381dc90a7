import {expect} from 'chai'
import fc from 'fast-check'
import {JsonText} from '../../src/domain/json-text.js'
import {searchText, textFields} from '../../src/domain/search/search-text.js'
import {lettersIn, patternOf} from '../../src/domain/search/unparsed.js'
import {editDistance, editsFor, phoneWords, piecesOf, wordsOf} from '../../src/domain/search/words.js'

describe('search · words', () => {
  it('are the parts between blanks and punctuation, and what punctuation alone divides', () => {
    expect(wordsOf("Anna  O'Brien-Łuć")).to.deep.equal(['anna', 'o', 'brien', 'luc', 'obrienluc'])
    expect(wordsOf('hazel@example.com')).to.deep.equal(['hazel', 'example', 'com', 'hazelexamplecom'])
    expect(wordsOf(' .,- ')).to.deep.equal([])
  })

  it('are folded, in each spelling that people use', () => {
    for (const [name, ...forms] of [
      ['Müller', 'muller', 'mueller'],
      ['Mu\u0308ller', 'muller', 'mueller'],
      ['Weiß', 'weiss'],
      ['Sørensen', 'sorensen', 'soerensen'],
      ['İnci', 'inci'],
      ['Χρήστος', 'χρηστοσ'],
      ['Иванов', 'иванов'],
    ] as const) {
      expect(wordsOf(name), name).to.deep.equal(forms)
    }
    expect(wordsOf('山田')).to.include.members(['山', '田', '山田'])
  })

  it('of a telephone number are its digits as they are dialled from anywhere', () => {
    expect(phoneWords('+49 (0)30 5550')).to.include.members(['49', '30', '5550', '49305550', '305550'])
    expect(phoneWords('030 5550')).to.include.members(['030', '305550'])
  })

  it('are found in the JSON of their document, whatever divides them', () => {
    const isSeen = (pieces: readonly string[], document: object): boolean => {
      const letters = lettersIn(JsonText.of(JSON.stringify(document)).bytes)
      return !letters || letters.some((form) => patternOf(pieces).test(form))
    }
    const letter = fc.constantFrom(...'aZ09 .\'-"\\\n(0)+üßøÅİ山ж–\u0308\u0301²™')
    const value = fc.string({unit: fc.oneof(letter, letter, fc.string({unit: 'grapheme', minLength: 1, maxLength: 1}))})
    const found = fc.property(fc.array(value, {maxLength: 3}), fc.string(), (values, other) => {
      const document = {firstName: values[0] ?? '', tier: other, addresses: values.map((phone) => ({phone}))}
      for (const word of values.flatMap(phoneWords)) {
        expect(isSeen([` ${word}`], document), word).to.equal(true)
        expect(isSeen(['~~', word.slice(1, 3)], document), word).to.equal(true)
      }
    })
    fc.assert(found, {numRuns: 500})
    expect(isSeen([' hazel', ' ose'], {firstName: 'Hans', lastName: 'Rose'})).to.equal(true)
    expect(isSeen([' name', ' hansrose'], {firstName: 'Hans', lastName: 'Rose'})).to.equal(false)
    expect(isSeen([], {firstName: 'Hans'})).to.equal(false)
  })

  it('are found in one way at the most, so that a value that nearly has one takes no time', () => {
    // Where letters or zeros could stand for what divides them, too, none of these would end.
    for (const [unit, word] of [
      ['и', 'и'.repeat(60)],
      ['(0)', '0'.repeat(60)],
      ['a', 'a'.repeat(60)],
      ['. ', 'a'.repeat(60)],
      ['1-', '1'.repeat(60)],
    ] as const) {
      const letters = lettersIn(JsonText.of(JSON.stringify({phone: unit.repeat(3_000)})).bytes) ?? []
      expect(letters, unit).not.to.deep.equal([])
      for (const form of letters) expect(patternOf([` ${word}x`, ` ${word}7`]).test(form), unit).to.equal(false)
    }
  })

  it('are alike within so many edits, fewer for short ones', () => {
    expect(['an', 'ann', 'annas', 'annass'].map((word) => editsFor(word, 2))).to.deep.equal([0, 1, 1, 2])
    expect(editsFor('annass', 1)).to.equal(1)
    expect(editDistance('meyer', 'meier', 1)).to.equal(1)
    expect(editDistance('kitten', 'sitting', 2)).to.equal(undefined)
    expect(editDistance('kitten', 'sittin', 2)).to.equal(2)
    expect(editDistance('', 'ab', 2)).to.equal(2)
  })

  it('keep one of their pieces within so many edits', () => {
    expect(piecesOf('brandvold', 2)).to.deep.equal(['bra', 'ndv', 'old'])
    expect(piecesOf('hazel', 1)).to.deep.equal(['ha', 'zel'])
  })
})

describe('customers · search text', () => {
  it('begins with the time of the last change, and has a line for each value', () => {
    const text = searchText({
      id: '1A6D-x',
      lastModifiedAt: '2026-11-20T10:00:00.000Z',
      firstName: 'Hazel',
      dateOfBirth: '1984-02-29',
      addresses: [{city: 'Kiel'}, {city: 'Bad Urach'}],
      custom: {fields: {note: 'secretive'}},
    })
    const tagOf = (name: string) => textFields.find((field) => field.name === name)?.tag ?? '?'
    expect(text.split('\n').slice(1)).to.deep.equal([
      `${tagOf('id')} 1a6dx`,
      `${tagOf('firstName')} hazel`,
      `${tagOf('dateOfBirth')} 19840229`,
      `${tagOf('addresses.city')} kiel`,
      `${tagOf('addresses.city')} bad urach`,
    ])
    const later = searchText({id: 'x', lastModifiedAt: '2026-11-20T10:00:00.001Z'})
    expect(later.slice(0, 9) > text.slice(0, 9)).to.equal(true)
  })

  it('tells its fields apart', () => {
    expect(new Set(textFields.map(({tag}) => tag)).size).to.equal(textFields.length)
    expect(textFields.filter(({tag}) => tag >= '~')).to.deep.equal([])
    const houses = textFields.filter(({name}) => name === 'addresses.streetNumber')
    expect(houses.map(({inAll}) => inAll)).to.deep.equal([false])
  })
})
