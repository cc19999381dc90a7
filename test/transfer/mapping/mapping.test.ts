import {expect} from 'chai'
import {InputError} from '../../../src/transfer/files/input-error.js'
import {type Mapping, mappingOf, withTexts} from '../../../src/transfer/mapping/mapping.js'
import {checker} from '../checker.js'
import {failureOf} from '../scratch.js'

const {check, one, draft, json} = checker()

describe('transfer · mapping', () => {
  it('puts columns, constants and transforms in their place, and lists what it ignores', async () => {
    const mapping: Mapping = {
      columns: {Id: 'key', Mail: ['email', 'addresses.0.email'], Born: 'dateOfBirth', Land: 'addresses.0.country'},
      constants: {'addresses.0.city': 'Bonn', isEmailVerified: 'true', defaultShippingAddress: 0},
      transforms: {key: 'slug-key', email: ['lower'], dateOfBirth: 'date:d.m.yyyy', 'addresses.0.country': 'country'},
      aliases: {'addresses.0.country': {Holland: 'NL'}},
    }
    const text = 'Id,Mail,Born,Land,Shoe\nÄda King!,ADA@Example.com,1.12.1990,holland,42\n'
    expect(await draft(text, {mapping})).to.deep.equal({
      key: 'ada-king',
      email: 'ada@example.com',
      dateOfBirth: '1990-12-01',
      isEmailVerified: true,
      defaultShippingAddress: 0,
      addresses: [{email: 'ADA@Example.com', country: 'NL', city: 'Bonn'}],
    })
    const {notes} = await check(text, {mapping})
    expect([...notes.ignored.values()].map((columns) => [...columns])).to.deep.equal([['Shoe']])
  })

  it('reads countries by name and code, and names the ones that are unknown or ambiguous', async () => {
    const mapping: Mapping = {transforms: {'addresses.0.country': 'country'}}
    const names = [
      "Côte d'Ivoire",
      'IVORY COAST',
      'gb',
      'DEU',
      'Germany',
      'South Korea',
      'Congo',
      'Atlantis',
      'The Gambia',
      'États-Unis',
      'Stati Uniti',
      'Vereinigte Staaten',
      'Estados Unidos',
      'Verenigde Staten',
      'Stany Zjednoczone',
    ]
    const text = `key,email,addresses.0.country\n${names.map((name, at) => `key-${at},${at}@x.de,${name}\n`).join('')}`
    const {rows} = await check(text, {mapping})
    const countries = rows.map(({draft: {addresses}, issues}) => addresses?.[0]?.country ?? issues[0]?.message)
    expect(countries.slice(0, 6)).to.deep.equal(['CI', 'CI', 'GB', 'DE', 'DE', 'KR'])
    expect(countries[6]).to.include("'Congo' can be CD or CG")
    expect(countries[7]).to.include("'Atlantis'")
    expect(countries[8]).to.equal('GM')
    expect(countries.slice(9)).to.deep.equal(['US', 'US', 'US', 'US', 'US', 'US'])
    const aliases = {'addresses.0.country': {Congo: 'CG', Atlantis: null}}
    const filled = (await check(text, {mapping: {...mapping, aliases}})).rows
    expect(filled[6]?.draft.addresses?.[0]?.country).to.equal('CG')
    expect(filled[7]?.issues[0]?.message, 'an alias that is not filled in yet').to.include("'Atlantis'")
  })

  const idle: readonly (readonly [string, Mapping])[] = [
    ['transforms', {transforms: {dateOfBirth: 'date:d.m.yyyy'}}],
    ['aliases', {aliases: {'addresses.*.country': {Holland: 'NL'}}}],
    ['transforms', {columns: {City: 'addresses.0.city'}, transforms: {'addresses.1.city': 'trim'}}],
    ['transforms', {constants: {locale: 'de'}, transforms: {title: 'trim'}}],
  ]
  for (const [section, mapping] of idle) {
    it(`refuses ${section} of what nothing fills: ${JSON.stringify(mapping)}`, async () => {
      const text = 'key,email,City\nk1,a@x.de,Bonn\n'
      const refused = await failureOf(check(text, {mapping}))
      expect(refused).to.be.instanceOf(InputError)
      expect(refused.message).to.match(new RegExp(`' in ${section} of the map has no effect: nothing fills it`))
      expect((await check(text, {mapping: {...mapping, optionalColumns: true}})).rows).to.have.length(1)
    })
  }

  it('takes transforms of what a column, a constant, a fallback, a default or another list fills', async () => {
    const mapping: Mapping = {
      columns: {City: 'addresses.0.city'},
      constants: {locale: 'DE', 'addresses.0.country': 'DE'},
      fallbacks: {title: 'Town'},
      transforms: {
        'addresses.*.city': 'trim',
        locale: 'lower',
        title: 'trim',
        email: 'lower',
        companyName: 'default:none',
      },
    }
    const text = 'key,email,City,Town\nk1,A@x.de,Bonn,Sir\n'
    expect(await draft(text, {mapping})).to.include({locale: 'de', title: 'Sir', email: 'a@x.de', companyName: 'none'})
  })

  it('refuses dates that do not exist or have another form', async () => {
    const mapping: Mapping = {transforms: {dateOfBirth: 'date:dd-mm-yyyy'}}
    const {rows} = await check('key,email,dateOfBirth\nk1,a@x.de,31-02-2000\nk2,b@x.de,2000-01-01\n', {mapping})
    expect(rows.map(({issues}) => issues[0]?.column)).to.deep.equal(['dateOfBirth', 'dateOfBirth'])
    expect(rows[0]?.issues[0]?.message).to.include("'31-02-2000'")
  })

  it('closes gaps between addresses and moves the indices with them', async () => {
    const text = 'key,email,addresses.0.country,addresses.2.country,defaultShippingAddress\nada,a@x.de,,DE,2\n'
    expect(await draft(text)).to.deep.equal({
      key: 'ada',
      email: 'a@x.de',
      addresses: [{country: 'DE'}],
      defaultShippingAddress: 0,
    })
    expect((await one(text.replace('DE,2', 'DE,0'))).issues[0]?.message).to.equal('The row has no address 0.')
  })

  it('reads custom fields by the JSON they look like, and anything else as text', async () => {
    const text =
      'key,email,custom.type.key,custom.fields.points,custom.fields.zip,custom.fields.text,custom.fields.price\n' +
      'ada,a@x.de,extras,5,01234,"""5""","{""centAmount"":1,""currencyCode"":""EUR""}"\n'
    const {custom} = (await draft(text)) as {custom: {fields: object}}
    expect(custom.fields).to.deep.equal({
      points: 5,
      zip: '01234',
      text: '5',
      price: {centAmount: 1, currencyCode: 'EUR'},
    })
  })

  it('takes members of JSON rows by name or path', async () => {
    const mapping: Mapping = {columns: {'First Name': 'firstName', 'profile.mail': 'email', id: 'key'}}
    const row = await json({id: 'ada', 'First Name': 'Ada', profile: {mail: 'a@x.de', age: 3}, tags: []}, {mapping})
    expect(row.issues).to.deep.equal([])
    expect(row.draft).to.deep.equal({key: 'ada', firstName: 'Ada', email: 'a@x.de'})
  })

  it('refuses targets, transforms, constants and columns that cannot be', async () => {
    for (const [mapping, words] of [
      [{columns: {a: 'nonsense'}}, 'nonsense'],
      [{columns: {a: 'addresses.0.__proto__'}}, '__proto__'],
      [{columns: {a: 'custom.fields.__proto__'}}, '__proto__'],
      [{columns: {a: 'addresses.100000.city'}}, 'addresses.100000'],
      [{columns: {a: 'addresses'}}, 'addresses'],
      [{columns: {key: 'key', b: 'key'}}, "both 'key' and 'b'"],
      [{columns: {gone: 'firstName'}}, "no column 'gone'"],
      [{transforms: {key: 'upper'}}, 'upper'],
      [{transforms: {dateOfBirth: 'date:yyyy'}}, 'yyyy'],
      [{constants: {password: 'x'}}, 'password'],
      [{constants: {isEmailVerified: 'perhaps'}}, 'perhaps'],
    ] as const) {
      const error = await failureOf(check('key,email\nada,a@x.de\n', {mapping}))
      expect(error, words).to.be.instanceOf(InputError)
      expect(error.message).to.include(words)
    }
  })

  it('takes no filter without a value', () => {
    expect(() => mappingOf('{"where": {"group": []}}', 'm.json')).to.throw("'where.group' of the map file m.json")
  })

  it('reads map files and flags, and says what is wrong with them', () => {
    const file = mappingOf('{"columns": {"A": "key"}, "constants": {"locale": "de"}}', 'm.json')
    const texts = {columns: ['B=C=email', 'A=externalId'], constants: ['title='], transforms: ['email=lower']}
    expect(withTexts(file, texts)).to.deep.equal({
      columns: {A: ['externalId'], 'B=C': ['email']},
      constants: {locale: 'de', title: ''},
      transforms: {email: ['lower']},
    })
    for (const text of [
      '[]',
      '{',
      '{"columns": []}',
      '{"columns": {"a": 1}}',
      '{"colums": {}}',
      '{"aliases": {"a": "b"}}',
    ]) {
      expect(() => mappingOf(text, 'm.json'), text).to.throw(InputError, 'm.json')
    }
    expect(() => withTexts({}, {columns: ['nothing']})).to.throw(InputError, 'SOURCE=TARGET')
  })
})
