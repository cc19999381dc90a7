import {expect} from 'chai'
import {searchText} from '../../src/domain/customers/search.js'
import {satisfies, searchWords} from '../../src/domain/search/words.js'

const hazel = {
  id: '1a6d66fe-b045-4294-88fa-3a4ddaf9d263',
  email: 'hazel.brandvold@example.com',
  key: 'hazel-brandvold',
  customerNumber: 'D-1001',
  externalId: 'crm-000481',
  vatId: 'DE 0000 00017',
  title: 'Dr.',
  firstName: 'Hazel',
  middleName: 'Ottilie',
  lastName: 'Brandvold',
  companyName: 'Harrow Mill GmbH',
  custom: {fields: {note: 'secretive'}},
  addresses: [
    {city: 'Kiel', postalCode: '01069', country: 'DE', phone: '+49 (0)30 5550 1170', streetName: 'Uferstraße'},
    {city: 'Berlin', country: 'DE', mobile: '+49-431-555011', company: 'Seilerei Łódź'},
  ],
}

const finds = (customer: object & {id: string}, text: string): boolean => {
  const words = searchWords(text)
  return words.length > 0 && satisfies(customer.id, searchText(customer), words)
}

describe('customers · search text', () => {
  it('is found by any part, in any order, without case, accents and punctuation', () => {
    for (const text of [
      'brandv',
      'HAZEL.brandvold',
      'hazel@',
      'brandvold@example.com',
      'Kiel',
      'ottilie',
      'Dr. Hazel Ottilie Brandvold',
      'Brandvold, Hazel',
      'Brandvold,Hazel',
      'harrow mill gmbh',
      'harrowmill',
      'd-1001',
      'd1001',
      'CRM-000481',
      'de000000017',
      '1a6d66fe',
      '1A6D66FE-b045-4294-88fa-3a4ddaf9d263',
      '+49 30 5550 1170',
      '030 5550 1170',
      '03055501170',
      '0049431555011',
      '555011',
      '01069 berlin',
      'lodz',
      'ŁÓDŹ',
      'haz lod kiel',
    ]) {
      expect(finds(hazel, text), text).to.equal(true)
    }
  })

  it('is not found by what only some words have, by other parts of an id, or by what is not searched', () => {
    for (const text of ['hazel miller', 'b045-4294', '66fe', 'uferstr', 'secretive', '', ' .,- ', '0049431555012']) {
      expect(finds(hazel, text), text).to.equal(false)
    }
  })

  it('knows how names are written without their special letters', () => {
    const named = (lastName: string) => ({id: 'x', email: 'x@example.com', lastName})
    for (const [name, ...texts] of [
      ['Müller', 'muller', 'mueller', 'MÜLLER', 'Mu\u0308ller'],
      ['Mueller', 'müller', 'mueller'],
      ['Weiß', 'weiss', 'WEISS', 'weiß'],
      ['Sørensen', 'sorensen', 'soerensen'],
      ['Ångström', 'angstrom', 'aangstroem'],
      ['O’Brien', "o'brien", 'obrien'],
      ['van Dijk', 'vandijk', 'dijk van', 'Van-Dijk'],
      ['Žofia Novák', 'zofia novak'],
      ['İnci', 'inci'],
      ['Ægir', 'aegir'],
      ['Χρήστος', 'χρηστοσ', 'ΧΡΗΣΤΟΣ'],
      ['Иванов', 'иван'],
      ['山田', '田'],
      ['Samuel', 'el'],
    ] as const) {
      for (const text of texts) expect(finds(named(name), text), `${name} by ${text}`).to.equal(true)
    }
  })

  it('holds what repeats once', () => {
    expect(searchText(hazel).split('\n')).to.include('hazelbrandvoldexamplecom').and.not.include('hazel')
    expect(searchText({id: 'x'})).to.equal('')
  })

  it('bounds the number of words', () => {
    expect(searchWords('a b c d e f g h i j k l m')).to.have.length(10)
  })
})
