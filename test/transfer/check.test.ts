import {expect} from 'chai'
import fc from 'fast-check'
import {SeenValues} from '../../src/transfer/check/seen-values.js'
import {bareDigests, bcryptHash, otherHashes, plainPasswords} from '../fixtures/foreign-hashes.js'
import {checker} from './checker.js'
import {failureOf} from './scratch.js'

const {check, one, draft, json} = checker()
const base = {key: 'ada', email: 'ada@example.com'}

describe('transfer · exported customers', () => {
  const exported = {
    ...base,
    id: 'c1',
    version: 3,
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: {clientId: 'x'},
    password: '****abc=',
    addresses: [
      {id: 'a1', country: 'DE'},
      {id: 'a2', country: 'FR'},
    ],
    shippingAddressIds: ['a2'],
    defaultShippingAddressId: 'a2',
    billingAddressIds: [],
    customerGroup: {typeId: 'customer-group', id: 'g1', obj: {id: 'g1', name: 'VIP'}},
  }

  it('become drafts: indices for ids, no server-owned members, no mask', async () => {
    const row = await json(exported)
    expect(row.issues).to.deep.equal([])
    expect(row.draft).to.deep.equal({
      ...base,
      addresses: exported.addresses,
      shippingAddresses: [1],
      defaultShippingAddress: 1,
      billingAddresses: [],
      customerGroup: {typeId: 'customer-group', id: 'g1'},
    })
    const {notes} = await check(JSON.stringify([exported]), {name: 'a.json'})
    expect(notes.maskedPasswords).to.equal(1)
    expect([...notes.ignored.values()].flatMap((columns) => [...columns])).to.deep.equal([])
  })

  it('must not name addresses that the row does not have, nor say a role twice, nor have a text for a list', async () => {
    expect((await json({...exported, shippingAddressIds: 'a2'})).issues[0]?.message).to.include('is not a list')
    expect((await json({...exported, billingAddressIds: ['a9']})).issues[0]?.message).to.include("'a9'")
    expect((await json({...exported, shippingAddresses: [0]})).issues[0]?.message).to.include('shippingAddressIds')
  })
})

describe('transfer · checks', () => {
  it('are made once: rows that were found valid are mapped again and no more', async () => {
    const text = 'key,Mail\nada,ada@example.com\nada,nobody\n'
    const mapping = {columns: {Mail: 'email'}}
    const checked = (await check(text, {mapping})).rows
    const again = (await check(text, {mapping, areValid: true})).rows
    expect(again.map(({draft, place: {line}, columns}) => ({draft, line, columns}))).to.deep.equal(
      checked.map(({draft, place: {line}, columns}) => ({draft, line, columns})),
    )
    expect(checked.map(({issues}) => issues.length)).to.deep.equal([0, 1])
    expect(again.map(({issues}) => issues.length)).to.deep.equal([0, 0])
  })

  it('refuses a locale that is no language tag, whatever languages the project has', async () => {
    const {issues} = await json({...base, locale: 'german!'})
    expect(issues.map(({column, code}) => [column, code])).to.deep.equal([['locale', 'InvalidInput']])
  })

  it('finds every error of a row with its column', async () => {
    const text = 'key,Mail,dateOfBirth,addresses.0.country,defaultBillingAddress\n a,nobody ,1990,Germany,4\n'
    const {issues, place} = await one(text, {mapping: {columns: {Mail: 'email'}}})
    expect(place.line).to.equal(2)
    expect(issues.map(({column}) => column)).to.have.members(['key', 'Mail', 'dateOfBirth', 'addresses.0.country'])
    expect(issues.every(({code}) => code === 'InvalidField')).to.equal(true)
    expect((await json({...base, firstName: [5]})).issues[0]?.message).to.include('expected string, found an array')
    expect((await json({...base, defaultBillingAddress: 0})).issues[0]?.code).to.equal('InvalidOperation')
    expect(
      (
        await json({
          ...base,
          addresses: [
            {key: 'k1', country: 'DE'},
            {key: 'k1', country: 'DE'},
          ],
        })
      ).issues[0]?.column,
    ).to.equal('addresses.1.key')
  })

  it('finds what no body may hold, in cells and in the JSON of cells', async () => {
    const long = 'x'.repeat(65_537)
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`
    const text = [
      'key,email,password,Given,custom.type.key,custom.fields.a',
      `long-1,a@x.de,pw,${long},,`,
      `long-2,b@x.de,${long},B,,`,
      `deep-1,c@x.de,pw,C,extras,${deep}`,
      'proto-1,d@x.de,pw,D,extras,"{""__proto__"":1}"',
      'fine-1,e@x.de,pw,E,extras,"[1]"',
    ].join('\n')
    const {rows} = await check(text, {mapping: {columns: {Given: 'firstName'}}})
    expect(rows.map(({issues}) => issues[0]?.column)).to.deep.equal([
      'Given',
      'password',
      undefined,
      undefined,
      undefined,
    ])
    expect(rows.map(({issues}) => issues.length)).to.deep.equal([1, 1, 1, 1, 0])
    expect(rows[0]?.issues[0]?.message).to.equal('firstName is longer than 65536 characters.')
    const document = JSON.stringify({key: 'doc-1', email: 'f@x.de', password: 'pw', firstName: long, obj: long})
    const row = await one(document, {name: 'a.jsonl'})
    expect(row.issues.map(({column}) => column)).to.deep.equal(['firstName'])
  })

  it('applies the limits of our server to no other', async () => {
    const foreign = await check(`key,email,firstName\nlong-1,a@x.de,${'x'.repeat(65_537)}\n`, {isOurs: false})
    expect(foreign.rows[0]?.issues).to.deep.equal([])
    const row = {key: 'wide-1', email: 'a@x.de', custom: {type: {key: 'list'}, fields: {a: Array(10_001).fill(1)}}}
    expect((await one(JSON.stringify(row), {name: 'a.jsonl', isOurs: false})).issues).to.deep.equal([])
    const [issue] = (await one(JSON.stringify(row), {name: 'a.jsonl'})).issues
    expect(issue?.message).to.equal('The row has more than 10000 members and elements.')
  })

  it('never shows a password in an issue', async () => {
    const {issues} = await json({...base, password: {secret: 's3cret'}, passwordHash: ['s3cret']})
    expect(issues).to.have.lengthOf(2)
    expect(JSON.stringify(issues)).not.to.include('s3cret')
  })

  it('refuses a password that looks like a hash, and shows the way', async () => {
    for (const hash of [bcryptHash, ...Object.values(otherHashes).flat(), ...bareDigests]) {
      const [issue] = (await json({...base, password: hash})).issues
      expect(issue?.message, hash).to.include('looks like a hash')
      expect(issue?.fix).to.include('passwordHash').and.include('--password-mode reset-links')
      expect(JSON.stringify(issue)).not.to.include(hash)
    }
    for (const password of plainPasswords) expect((await json({...base, password})).issues, password).to.deep.equal([])
  })

  it('refuses a table at once that lacks a column every row needs', async () => {
    expect((await failureOf(check('email\na@x.de\n'))).message).to.include(
      "mapped to 'key', which identifies customers",
    )
    expect((await failureOf(check('key\nada\n'))).message).to.include("mapped to 'email'")
    expect(await draft('key,firstName\nada,Ada\n', {mode: 'update'})).to.deep.equal({key: 'ada', firstName: 'Ada'})
  })

  it('finds keys, numbers and emails that repeat, and says where they were first', async () => {
    const text = 'key,email,customerNumber\nk1,a@x.de,1\nk1,b@x.de,2\nk3,A@X.de,3\nk4,d@x.de,1\n'
    const {rows} = await check(text)
    expect(rows.map(({issues}) => issues.map(({column}) => column))).to.deep.equal([
      [],
      ['key'],
      ['email'],
      ['customerNumber'],
    ])
    expect(rows[2]?.issues[0]?.message).to.equal("The email 'A@X.de' is already used on line 2.")
  })

  it('lets customers of different stores share an email, and no global one beside them', async () => {
    const repeats = async (...stores: string[]): Promise<boolean[]> => {
      const lines = stores.map((store, at) => `k-${at},a@x.de,${store}\n`)
      const {rows} = await check(`key,email,stores.0.key\n${lines.join('')}`)
      return rows.map(({issues}) => issues.length > 0)
    }
    expect(await repeats('berlin', 'paris')).to.deep.equal([false, false])
    expect(await repeats('berlin', 'berlin')).to.deep.equal([false, true])
    expect(await repeats('', 'paris')).to.deep.equal([false, true])
    expect(await repeats('berlin', '')).to.deep.equal([false, true])
  })

  it('needs two external ids to differ only where rows are matched by them', async () => {
    const text = 'key,email,externalId\nk1,a@x.de,1\nk2,b@x.de,1\n'
    expect((await check(text)).rows[1]?.issues).to.deep.equal([])
    expect((await check(text, {match: 'externalId'})).rows[1]?.issues[0]?.column).to.equal('externalId')
  })

  it('finds repeats of lines far above', async () => {
    const row = (at: number) => `${JSON.stringify({key: `k-${at}`, email: `k${at}@x.de`, customerNumber: `n-${at}`})}\n`
    const rows = Array.from({length: 2500}, (_, at) => row(at))
    const repeated = [row(7), row(1200)]
    const checked = (await check(`${rows.join('')}${repeated.join('')}`, {name: 'a.jsonl'})).rows
    expect(checked.flatMap(({issues, number}) => (issues.length > 0 ? number : []))).to.deep.equal([2501, 2502])
    expect(checked.at(-1)?.issues[0]?.message).to.equal("The key 'k-1200' is already used on line 1201.")
  })

  it('remembers values exactly as a set does', () => {
    fc.assert(
      fc.property(fc.array(fc.string({maxLength: 3}), {maxLength: 3000}), fc.nat(), (texts, seed) => {
        const seen = new SeenValues(seed)
        const lines = new Map<string, number>()
        for (const [at, text] of texts.entries()) {
          expect(seen.find(text)?.line).to.equal(lines.get(text))
          seen.add(text, {line: at + 1, source: 0})
          if (!lines.has(text)) lines.set(text, at + 1)
        }
      }),
      {numRuns: 20},
    )
    const many = new SeenValues(1)
    for (let at = 1; at <= 100_000; at += 1) many.add(`key-${at}`, {line: at, source: 3, marked: at % 2 === 0})
    expect(many.find('key-77777')).to.deep.equal({line: 77_777, source: 3, marked: false})
    expect(many.find('key-4')).to.deep.equal({line: 4, source: 3, marked: true})
    expect(many.find('key-0')).to.equal(undefined)
    // With 32 of the 64 bits some of so many others would be taken for one of them.
    const others = Array.from({length: 300_000}, (_, at) => `other-${at}`)
    expect(others.filter((text) => many.find(text))).to.deep.equal([])
  })
})
