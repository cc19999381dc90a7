import {expect} from 'chai'
import {unusualValues} from '../../../src/domain/customers/unusual.js'
import {countryCodes} from '../../../src/transfer/mapping/country-names.js'
import {dateReader} from '../../../src/transfer/mapping/dates.js'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import type {PresetName} from '../../../src/transfer/presets/preset-names.js'
import {presetMapping, presetNamed} from '../../../src/transfer/presets/presets.js'
import {checker} from '../checker.js'

const {check, one} = checker()

describe('transfer · values as other systems write them', () => {
  it('are countries in their own language, as ISO 3166 turns its names, and parts of the United Kingdom', async () => {
    const codesOf = await countryCodes()
    for (const [code, ...names] of [
      ['SE', 'Sverige'],
      ['DK', 'Danmark'],
      ['NO', 'Norge'],
      ['HU', 'Magyarország'],
      ['GB', 'England', 'Northern Ireland', 'United Kingdom of Great Britain and Northern Ireland'],
      ['IR', 'Iran, Islamic Republic of', 'Iran (Islamic Republic of)'],
      ['BO', 'Bolivia, Plurinational State of'],
      ['NL', 'Netherlands, Kingdom of the'],
      ['CD', 'Congo, The Democratic Republic of the'],
      ['VG', 'Virgin Islands, British'],
      ['GB', 'Großbritannien', 'GROSSBRITANNIEN'],
      ['GM', 'Gambia', 'The Gambia', 'GAMBIA, The'],
    ])
      for (const name of names) expect(codesOf(name), name).to.deep.equal([code])
    for (const name of ['Korea', 'Korea (Democratic Republic)', 'Atlantis, Republic of', 'Republic of', ''])
      expect(codesOf(name), name).to.deep.equal([])
  })

  it('are the days of a spreadsheet', () => {
    const read = (text: string, kind: 'date' | 'datetime' = 'date') =>
      Object.values(dateReader(kind, 'serial')(text))[0]
    expect(['33000', '61', '36526.0'].map((text) => read(text))).to.deep.equal([
      '1990-05-07',
      '1900-03-01',
      '2000-01-01',
    ])
    expect(read('33000.75', 'datetime')).to.equal('1990-05-07T18:00:00.000Z')
    for (const text of ['0', '-1', '1990-05-07', '1e3', '9999999'])
      expect(read(text), text).to.include('is not a date of the form')
  })

  it('are noted where an email is none', () => {
    for (const email of ['y@example,com', 'mailto:z@example.com', '<a@example.com>', 'a@example.com;b@example.com'])
      expect(unusualValues({email}, '2026-11-28'), email).to.have.length(1)
    expect(unusualValues({email: "o'neil+shop@example.co.uk"}, '2026-11-28')).to.deep.equal([])
  })

  it('are no hashes where they are masked', async () => {
    const {draft, issues} = await one('key,email,passwordHash\naa,a@x.de,*****\n')
    expect(issues).to.deep.equal([])
    expect(draft).not.to.have.property('passwordHash')
  })

  it('say what to do about dates, languages, countries and names that are used twice', async () => {
    const table =
      'key,email,dateOfBirth,locale,addresses.0.city\naa,a@x.de,15/05/1985,,\nbb,b@x.de,,de_DE,\ncc,c@x.de,,,Ulm\n'
    const {rows} = await check(`${table}dd,d@x.de,,,\ndd,e@x.de,,,\n,f@x.de,,,\n`)
    const said = rows.flatMap(({issues}) => issues.map(({message, fix = ''}) => `${message} ${fix}`))
    expect(said).to.have.length(5)
    for (const [at, words] of [
      'dateOfBirth=date:dd/mm/yyyy',
      'locale=replace:/_/-/',
      'addresses.*.country=default:CODE',
      '--on-duplicate',
      '--match',
    ].entries())
      expect(said[at], words).to.include(words)
  })
})

describe('transfer · rows as other systems write them', () => {
  const preset = (name: PresetName): {mapping: Mapping; match: 'key' | 'email'} => {
    const mapping = presetMapping(presetNamed(name))
    return {mapping, match: mapping.match === 'email' ? 'email' : 'key'}
  }

  it('say an address once, though several lines have it', async () => {
    const header = 'email,_website,_store,firstname,_address_street,_address_city,_address_country_id\n'
    const lines = 'a@x.de,base,default,Ada,S 1,Bonn,DE\n,,,,S 1,Bonn,DE\n,,,,S 2,Bonn,DE\n,,,,S 2,Bonn,DE\n'
    const {draft} = await one(header + lines, preset('magento2'))
    expect(draft.addresses?.map(({streetName}) => streetName)).to.deep.equal(['S 1', 'S 2'])
  })

  it('divide a name in one text only where its parts are missing, and take no email for one', async () => {
    const names = async (members: string) => {
      const {draft} = await one(`{"user_id":"auth0|1","email":"a@x.de",${members}}`, {
        ...preset('auth0'),
        name: 'a.jsonl',
      })
      return [draft.firstName, draft.lastName]
    }
    expect(await names('"name":"Xenia van der Hart"')).to.deep.equal(['Xenia', 'van der Hart'])
    expect(await names('"name":"Xenia Hart","given_name":"Anna Maria"')).to.deep.equal(['Anna Maria', 'Hart'])
    expect(await names('"name":"a@x.de"')).to.deep.equal([undefined, undefined])
  })

  it('give the phones of a profile to one address', async () => {
    const address = (id: string) =>
      `<address address-id="${id}"><city>Ulm</city><country-code>DE</country-code></address>`
    const profile = '<profile><email>a@x.de</email><phone-home>1</phone-home><phone-mobile>2</phone-mobile></profile>'
    const {draft} = await one(
      `<customers><customer customer-no="01">${profile}<addresses>${address('a')}${address('b')}</addresses></customer></customers>`,
      {...preset('salesforce'), name: 'a.xml'},
    )
    expect(draft.addresses?.map(({phone, mobile}) => [phone, mobile])).to.deep.equal([
      ['1', '2'],
      [undefined, undefined],
    ])
  })

  it('have an element of XML that is always empty, and lists without what is empty', async () => {
    const mapping = {rows: 'c', columns: {no: 'key', mail: 'email', fax: 'lastName', 'tel.*': 'firstName'}}
    const row = '<c><no>aa</no><mail>a@x.de</mail><fax/><tel/><tel>1</tel><tel/></c>'
    const transforms = {firstName: 'join:+'}
    const {draft} = await one(`<cs>${row}</cs>`, {mapping: {...mapping, transforms}, name: 'a.xml'})
    expect(draft).to.include({firstName: '1'}).and.not.have.property('lastName')
  })
})
