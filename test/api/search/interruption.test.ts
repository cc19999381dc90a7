import {expect} from 'chai'
import fc from 'fast-check'
import {Pattern} from '../../../src/api/search/pattern.js'
import {customerSearch} from '../../../src/api/search/search.js'
import {searchPieces, searchText} from '../../../src/domain/search/search-text.js'
import {editDistance} from '../../../src/domain/search/words.js'
import {Effort} from '../../../src/effort.js'
import {cachedCandidate} from '../../../src/store/adapter/cached-candidate.js'
import {Ranking} from '../../../src/store/adapter/ranking.js'
import type {Document} from '../../../src/store/store.js'

const texts = {version: 1, piecesOf: searchPieces}

describe('search · a customer of the largest size', () => {
  const addresses = Array.from({length: 500}, (_, at) => ({
    country: 'DE',
    city: `${'x'.repeat(900)} ${at}`,
    streetName: Array.from({length: 200}, (__, word) => `a${(word * 500 + at).toString(36)}`).join(' '),
  }))
  const firstName = 'x'.repeat(65_536)
  const customer = {
    id: 'fat',
    version: 1,
    firstName,
    email: 'fat@example.com',
    lastModifiedAt: '',
    addresses,
  } as Document

  /** How often the ranking of the customer is interrupted, and what comes of it. */
  function ranked(query: object, sort: readonly object[] = []) {
    const request = {query, sort: sort as [], limit: 20, offset: 0, groupKeys: new Map<string, string>()}
    const ranking = new Ranking(customerSearch(request))
    const candidate = cachedCandidate(customer, texts, new Effort())
    // The making of its text is not counted here.
    while (!candidateText(candidate));
    let interruptions = 0
    while (interruptions < 20_000 && ranking.add(candidate) === undefined) interruptions += 1
    return {interruptions, total: ranking.matches().total}
  }
  const candidateText = (candidate: {text(): string}): boolean => {
    try {
      return candidate.text() !== ''
    } catch {
      return false
    }
  }
  const times = (count: number, one: object): object[] => Array.from({length: count}, () => one)

  it('has its text made in pieces', () => {
    const candidate = cachedCandidate(customer, texts, new Effort())
    let interruptions = 0
    while (!candidateText(candidate)) interruptions += 1
    expect(interruptions).to.be.greaterThan(50)
    expect(candidate.text()).to.equal(searchText(customer))
  })

  it('is looked at by slices in one search of many expressions, whatever they are', () => {
    const wildcard = {wildcard: {field: 'addresses.city', value: `*${'?'.repeat(240)}-`}}
    const periodic = {wildcard: {field: 'addresses.city', value: `*${'x?'.repeat(120)}-*`}}
    const letters = [...'abcdefghijklmnopqrstuvwxyz'].join(' ')
    const prefixes = {fullTextPrefix: {field: 'all', value: letters, mustMatch: 'any'}}
    const fuzzy = {fuzzy: {field: 'all', level: 2, value: `${'x'.repeat(240)}`}}
    const cases: [object, number, number][] = [
      [{and: [{exists: {field: 'email'}}, {not: times(47, wildcard)}]}, 60, 1],
      [{not: times(2, periodic)}, 200, 1],
      [{or: times(5, prefixes)}, 100, 1],
      [{not: times(40, fuzzy)}, 20, 1],
      // One expression, which measures the distance of many words.
      [{not: [{fuzzy: {field: 'all', level: 2, value: 'a1b2c3d4'}}]}, 20, 1],
      // A step of more than a slice, within others.
      [{not: times(2, {wildcard: {field: 'firstName', value: `*${'x?'.repeat(120)}-*`}})}, 0, 1],
    ]
    for (const [query, least, total] of cases) {
      const found = ranked(query)
      expect(found.interruptions, JSON.stringify(query).slice(0, 80)).to.be.greaterThan(least)
      expect(found.total).to.equal(total)
    }
  })

  it('is looked at by slices where keys of its order have filters', () => {
    const filter = {fullTextPrefix: {field: 'all', value: 'a b c d e f', mustMatch: 'any'}}
    const found = ranked({exists: {field: 'email'}}, times(2, {field: 'addresses.city', order: 'asc', filter}))
    expect(found.interruptions).to.be.greaterThan(20)
    expect(found.total).to.equal(1)
  })
})

describe('search · many customers', () => {
  it('is interrupted after as much work as with one', () => {
    const query = {fuzzy: {field: 'all', level: 2, value: 'abcdef ghijkl mnopqr', mustMatch: 'any'}}
    const ranking = new Ranking(customerSearch({query, limit: 20, offset: 0, groupKeys: new Map()}))
    const firstName = Array.from({length: 100}, (_, at) => `ghijk${at}`).join(' ')
    const document = {id: 'one', version: 1, firstName, addresses: []} as Document
    let interruptions = 0
    for (let at = 0; at < 1_000; at += 1) {
      const candidate = cachedCandidate(document, texts, new Effort())
      candidate.text()
      while (ranking.add(candidate) === undefined) interruptions += 1
    }
    expect(ranking.matches().total).to.equal(1_000)
    expect(interruptions).to.be.within(100, 1_000)
  })
})

describe('search · a pattern', () => {
  it('fits what the same expression of JavaScript does', () => {
    const letter = fc.constantFrom('a', 'b', '\u{1f600}', 'ä')
    const pattern = fc.array(fc.oneof(letter, fc.constantFrom('*', '?')), {maxLength: 9})
    fc.assert(
      fc.property(pattern, fc.array(letter, {maxLength: 12}), (signs, letters) => {
        const source = signs.map((sign) => (sign === '*' ? '.*' : sign === '?' ? '.' : sign)).join('')
        const text = letters.join('')
        expect(new Pattern(signs.join('')).fits(text)).to.equal(new RegExp(`^${source}$`, 'su').test(text))
      }),
      {numRuns: 2_000},
    )
  })
})

describe('search · the distance of two words', () => {
  const whole = (a: string, b: string): number => {
    const row = Array.from({length: b.length + 1}, (_, at) => at)
    for (let at = 1; at <= a.length; at += 1) {
      let diagonal = row[0] as number
      row[0] = at
      for (let column = 1; column <= b.length; column += 1) {
        const above = row[column] as number
        const changed = diagonal + Number(a[at - 1] !== b[column - 1])
        row[column] = Math.min(changed, above + 1, (row[column - 1] as number) + 1)
        diagonal = above
      }
    }
    return row[b.length] as number
  }

  it('is that of the whole table, up to the limit', () => {
    const word = fc.string({unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10})
    fc.assert(
      fc.property(word, word, fc.constantFrom(0, 1, 2), (a, b, most) => {
        const distance = whole(a, b)
        expect(editDistance(a, b, most)).to.equal(distance <= most ? distance : undefined)
      }),
      {numRuns: 3_000},
    )
  })
})
