import {expect} from 'chai'
import {checkRows} from '../../../src/transfer/check/checked-rows.js'
import {InputError} from '../../../src/transfer/files/input-error.js'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import {templateFor} from '../../../src/transfer/template.js'
import {checker} from '../checker.js'
import {failureOf, inOne, scratch} from '../scratch.js'

const {check, one, draft} = checker()
const files = scratch()
const keys = async (text: string, given: Parameters<typeof check>[1]) =>
  (await check(text, given)).rows.map((row) => row.draft.key ?? row.issues[0]?.message)
const refused = (text: string, given: Parameters<typeof check>[1]) => failureOf<InputError>(check(text, given))

describe('transfer · rows of a JSON document', () => {
  const list = '[{"key":"aa","email":"a@x.de"},{"key":"bb","email":"b@x.de"}]'

  it('are those of the one list of objects beside counters', async () => {
    for (const text of [
      `{"items":${list},"search_criteria":{"filter_groups":[]},"total_count":2}`,
      `{"@context":"/c","@id":"/customers","@type":"hydra:Collection","hydra:member":${list},"hydra:totalItems":2}`,
      `{"total":2,"data":\n${list},"meta":{"pages":1}}`,
      `{"customers":${list}}`,
    ]) {
      expect(await keys(text, {name: 'a.json'}), text).to.deep.equal(['aa', 'bb'])
    }
    expect(await keys(`{"items":${list}}`, {name: 'unnamed'})).to.deep.equal(['aa', 'bb'])
    expect(await keys('{"items":[],"total_count":0}', {name: 'a.json'})).to.deep.equal([])
  })

  it('are those that the map names, also further in', async () => {
    expect(
      await keys(`{"email":"shop@x.de","people":${list}}`, {name: 'a.json', mapping: {rows: 'people'}}),
    ).to.have.length(2)
    const nested = `{"data":{"shop":{"email":"s@x.de"},"customers":${list}}}`
    expect(await keys(nested, {name: 'a.json', mapping: {rows: 'data.customers'}})).to.deep.equal(['aa', 'bb'])
    expect((await refused(nested, {name: 'a.json', mapping: {rows: 'items'}})).message).to.include("no list 'items'")
    expect((await refused('key,email\n', {mapping: {rows: 'items'}})).message).to.include('is a table')
  })

  it('may be those of a report on it, which is a table', async () => {
    const originals = await files.source('a.json', `{"items":${list}}`)
    const sources = await files.source('failed.csv', 'key,email,_line\nbb,b@x.de,1\n')
    const {pieces} = await checkRows({
      ...{sources, originals, mapping: {rows: 'items'}},
      ...({match: 'key', mode: 'upsert', seed: 7, today: '2026-11-24', isOurs: async () => true} as const),
    })
    expect((await inOne(pieces)).map(({draft}) => draft.key)).to.deep.equal(['bb'])
  })

  it('are the document itself if it says that it is a customer, and asked for if it may be either', async () => {
    expect(await draft('{"key":"aa","email":"a@x.de","addresses":[{"country":"DE"}]}', {name: 'a.json'})).to.include({
      key: 'aa',
    })
    expect(
      await keys('{"orders":[{"id":1}],"email":"a@x.de","key":"aa"}\n{"orders":[],"email":"b@x.de","key":"bb"}', {
        name: 'a.jsonl',
      }),
    ).to.deep.equal(['aa', 'bb'])
    for (const text of ['{"orders":[{"id":1}],"email":"a@x.de"}', `{"items":${list},"others":[{"key":"cc"}]}`]) {
      expect((await refused(text, {name: 'a.json'})).remedy, text).to.include('"rows"')
    }
  })

  it('never lose an element of a list that is mapped to one place', async () => {
    const text = '[{"key":"aa","email":"a@x.de","names":["Ada","May"],"mails":[{"v":"x@x.de"},{"v":"y@x.de"}]}]'
    const map = (columns: Mapping['columns'], transforms = {}) => ({
      name: 'a.json',
      mapping: {columns, transforms} as Mapping,
    })
    for (const columns of [
      {'names.*': 'firstName'},
      {'mails.*.v': 'email'},
      {'a.*.b.*.c': 'addresses.*.city'},
    ] as Mapping['columns'][]) {
      expect(await refused(text, map(columns)), JSON.stringify(columns)).to.be.instanceOf(InputError)
    }
    expect(await draft(text, map({'names.*': 'firstName'}, {firstName: 'join: '}))).to.include({firstName: 'Ada May'})
    const mails = '[{"key":"aa","mails":[{"v":"x@x.de"},{"v":"y@x.de"}]}]'
    expect(await draft(mails, map({'mails.*.v': 'email'}, {email: 'first'}))).to.include({email: 'x@x.de'})
    expect((await refused('key,email,City 1\n', {mapping: {columns: {'City *': 'firstName'}}})).message).to.include(
      'several values',
    )
    expect(await draft('key,E-Mail *\naa,a@x.de\n', {mapping: {columns: {'E-Mail *': 'email'}}})).to.include({
      email: 'a@x.de',
    })
  })
})

describe('transfer · customers that take several lines of JSON', () => {
  const mapping: Mapping = {
    continuation: 'email',
    columns: {
      id: 'key',
      firstName: ['firstName'],
      address1: 'addresses.0.streetName',
      countryCodeV2: 'addresses.0.country',
    },
    transforms: {key: ['replace:|.*/||', 'prefix:shopify-']},
    fallbacks: {'addresses.*.firstName': 'firstName'},
  }
  const line = (value: object): string => `${JSON.stringify(value)}\n`
  const ada = line({id: 'gid://shopify/Customer/1', email: 'a@x.de', firstName: 'Ada'})
  const home = (parent: string, more = {}): string =>
    line({
      id: 'gid://shopify/MailingAddress/9',
      address1: 'Main St 1',
      countryCodeV2: 'DE',
      ...more,
      __parentId: parent,
    })

  it('bring the addresses of the lines below, whose other members are those of the address', async () => {
    const text = ada + home('gid://shopify/Customer/1', {firstName: 'May'}) + home('gid://shopify/Customer/1')
    const row = await one(text, {name: 'a.jsonl', mapping})
    expect(row.issues).to.deep.equal([])
    expect(row.draft).to.deep.equal({
      ...{key: 'shopify-1', email: 'a@x.de', firstName: 'Ada'},
      addresses: [
        {streetName: 'Main St 1', country: 'DE', firstName: 'May'},
        {streetName: 'Main St 1', country: 'DE'},
      ],
    })
  })

  it('refuse a line of another parent', async () => {
    const text = ada + home('gid://shopify/Customer/1') + home('gid://shopify/Customer/2')
    const {rows} = await check(text, {name: 'a.jsonl', mapping})
    expect(rows.map(({issues}) => issues[0]?.message)).to.deep.equal([
      undefined,
      'The line has no email, so it continues the row above it; but there is none that it could continue.',
    ])
  })

  it('leave a customer without an email a row of its own, with its addresses', async () => {
    const phoneOnly = line({id: 'gid://shopify/Customer/2', phone: '030'})
    const text = ada + phoneOnly + home('gid://shopify/Customer/2') + ada.replace('/1', '/3').replace('a@', 'c@')
    const {rows} = await check(text, {name: 'a.jsonl', mapping})
    expect(rows.map(({draft, issues}) => [draft.key, ...issues.map(({message}) => message)])).to.deep.equal([
      ['shopify-1'],
      ['shopify-2', 'There is no email.'],
      ['shopify-3'],
    ])
    expect(rows.map(({draft}) => draft.addresses?.length ?? 0)).to.deep.equal([0, 1, 0])
  })
})

describe('transfer · rows that the map takes', () => {
  it('are those with the values of where; the others are left out with the reason, whatever they hold', async () => {
    const text = 'key,email,deleted,kind\naa,a@x.de,0,\nbb,nobody,1,\ncc,c@x.de,0,guest\naa,a@x.de,1,\n'
    const {rows} = await check(text, {mapping: {where: {deleted: 0, kind: ['', 'customer']}}})
    expect(rows.map((row) => row.leftOut ?? row.draft.key)).to.deep.equal([
      'aa',
      "deleted is '1', and the map takes '0'.",
      "kind is 'guest', and the map takes '', 'customer'.",
      "deleted is '1', and the map takes '0'.",
    ])
    expect(rows.flatMap(({issues}) => issues)).to.deep.equal([])
    const json = '[{"key":"aa","email":"a@x.de","user":{"enabled":true}},{"key":"bb"}]'
    const found = (await check(json, {name: 'a.json', mapping: {where: {'user.enabled': 'true'}}})).rows
    expect(found.map((row) => row.leftOut ?? row.draft.key)).to.deep.equal([
      'aa',
      "user.enabled is '', and the map takes 'true'.",
    ])
    expect((await refused('key,email\n', {mapping: {where: {deleted: '0'}}})).message).to.include("no column 'deleted'")
  })
})

describe('transfer · tables with a title', () => {
  const table = 'Customers of 22.11.2026\n\nKundennr;Mail\nk-1;a@x.de\n'

  it('name the row where the header probably is, and are read from it', async () => {
    const error = await failureOf<InputError>(check(table))
    expect(error.message).to.include("'Customers of 22.11.2026' in row 1, and 2 cells in row 3")
    expect(error.remedy).to.include('--header-row 3')
    const [source] = await files.source('t.csv', table, {headerRow: 3})
    expect(source).to.include({headerRow: 3})
    const {map} = await templateFor([source as NonNullable<typeof source>])
    expect(map.columns).to.deep.equal({Kundennr: ['key', 'customerNumber'], Mail: 'email'})
    const wrong = await failureOf<InputError>(files.source('t.json', '[]', {headerRow: 3}))
    expect(wrong.message).to.include('no table')
    const [short] = await files.source('t.csv', table, {headerRow: 9})
    expect((await failureOf<InputError>(templateFor([short as NonNullable<typeof short>]))).message).to.include(
      'no row 9',
    )
  })
})

describe('transfer · templates', () => {
  const mapOf = async (name: string, text: string) => {
    const {map, left} = await templateFor(await files.source(name, text))
    return {columns: map.columns, left, transforms: map.transforms, aliases: map.aliases}
  }

  it('know headers, months and countries in seven languages', async () => {
    for (const [header, country, date] of [
      ['Vorname;Nachname;E-Mail;PLZ;Ort;Land;Geburtsdatum', 'Österreich', '7. Mai 1990'],
      ['Prénom;Nom;Courriel;Code postal;Ville;Pays;Date de naissance', 'Allemagne', '7 mai 1990'],
      ['Nombre;Apellidos;Correo electrónico;Código postal;Ciudad;País;Fecha de nacimiento', 'Alemania', '7 mayo 1990'],
      ['Nome;Cognome;Email;CAP;Città;Paese;Data di nascita', 'Germania', '7 maggio 1990'],
      ['Voornaam;Achternaam;E-mailadres;Postcode;Woonplaats;Land;Geboortedatum', 'Duitsland', '7 mei 1990'],
      ['Imię;Nazwisko;Adres e-mail;Kod pocztowy;Miasto;Kraj;Data urodzenia', 'Niemcy', '7 maja 1990'],
    ] as const) {
      const {columns, left, transforms, aliases} = await mapOf(
        'a.csv',
        `${header}\nA;B;a@x.de;1;C;${country};${date}\n`,
      )
      expect(Object.values(columns), header).to.deep.equal([
        ...['firstName', 'lastName', 'email', 'addresses.0.postalCode', 'addresses.0.city', 'addresses.0.country'],
        'dateOfBirth',
      ])
      expect({left, transforms, aliases}).to.deep.equal({
        left: [],
        transforms: {'addresses.0.country': 'country'},
        aliases: {},
      })
    }
  })

  it('read the members of JSON as columns, and say which found no place', async () => {
    const text = '{"id":25,"mail":"a@x.de","Vorname":"Ada","billing":{"shoe":42}}\n'
    const {columns, left} = await mapOf('a.jsonl', text)
    expect(columns).to.deep.equal({id: 'key', mail: 'email', Vorname: 'firstName'})
    expect(left).to.deep.equal(['billing.shoe'])
  })

  it('map a column of hashes to passwordHash, and leave the order of days to a person', async () => {
    const hash = `$2y$10$${'a'.repeat(53)}`
    const {columns, transforms} = await mapOf('a.csv', `email,password,birthday\na@x.de,${hash},05/07/1990\n`)
    expect(columns).to.include({password: 'passwordHash'})
    expect(transforms).to.deep.equal({dateOfBirth: 'date:dd/mm/yyyy|mm/dd/yyyy'})
  })
})

describe('transfer · ImpEx and flat spreadsheets', () => {
  it('are named as what they are, with the way out', async () => {
    for (const text of [
      '# SAP Commerce\n$catalog=x\n\nINSERT_UPDATE Customer;uid[unique=true];name\n;a@x.de;Ada\n',
      'INSERT_UPDATE Customer;uid\n;a@x.de\n',
    ]) {
      const error = await refused(text, {name: 'customers.impex'})
      expect(error.message).to.include('ImpEx')
      expect(error.remedy).to.include('file of their own')
    }
    expect((await refused('<?xml version="1.0"?>\n<office:document x="1"/>', {name: 'a.fods'})).message).to.include(
      '.fods',
    )
  })
})
