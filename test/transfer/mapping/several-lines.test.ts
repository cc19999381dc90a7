import {readFileSync} from 'node:fs'
import {expect} from 'chai'
import type {Mapping} from '../../../src/transfer/mapping/mapping.js'
import {checker} from '../checker.js'
import {counts, importing} from '../importing.js'

const {check, draft, one} = checker()

describe('transfer · customers that take several lines', () => {
  const mapping: Mapping = {
    continuation: 'email',
    columns: {
      City: 'addresses.0.city',
      Land: 'addresses.0.country',
      Bill: 'addresses.0.isDefaultBilling',
      Name: 'firstName',
    },
    fallbacks: {'addresses.*.lastName': 'Phone'},
    match: 'email',
  }
  const header = 'email,Name,City,Land,Bill,Phone\n'

  it('adds the addresses of the lines below to the row above them', async () => {
    const text = `${header}a@x.de,Ada,Bonn,DE,0,1\n,,Wien,AT,1,\n,,Linz,AT,0,3\nb@x.de,Bea,,,0,\n`
    const {rows} = await check(text, {mapping, match: 'email'})
    expect(rows.map(({issues}) => issues)).to.deep.equal([[], []])
    expect(rows.map((row) => row.place.line)).to.deep.equal([2, 5])
    expect(rows[0]?.draft).to.deep.equal({
      email: 'a@x.de',
      firstName: 'Ada',
      addresses: [
        {city: 'Bonn', country: 'DE', lastName: '1'},
        {city: 'Wien', country: 'AT'},
        {city: 'Linz', country: 'AT', lastName: '3'},
      ],
      defaultBillingAddress: 1,
    })
    expect(rows[1]?.draft).to.deep.equal({email: 'b@x.de', firstName: 'Bea'})
  })

  it('names the column also for the addresses of further lines', async () => {
    const text = `${header}a@x.de,Ada,Bonn,DE,,\n,,Ulm,Germany,,\n`
    expect((await check(text, {mapping, match: 'email'})).rows[0]?.issues[0]?.column).to.equal('Land')
  })

  it('refuses a line that has no row above it, brings more than addresses, or is wrong in itself', async () => {
    const text = `${header},,Wien,AT,,\na@x.de,Ada,,,,\n,Eve,Wien,AT,,\nb@x.de,,Bonn,DE,1,\n,,Ulm,Germany,1,\n`
    const {rows} = await check(text, {mapping, match: 'email'})
    const said = rows.map(({place, issues}) => [place.line, ...issues.map(({message}) => message)])
    expect(said).to.deep.equal([
      [2, 'The line has no email, so it continues the row above it; but there is none that it could continue.'],
      [3],
      [4, "The line has no email, and more than an address ('Name'): it is a row of its own."],
      [5, 'Two addresses of the row are its defaultBillingAddress.', said[3]?.[2]],
    ])
    expect(said[3]?.[2]).to.include("'Germany' is not valid for addresses.1.country")
  })

  it('leaves the row above a line without its email as it is, and gives it none of the addresses below', async () => {
    const text = `${header}a@x.de,Ada,Bonn,DE,,\n,Eve,Wien,AT,,\n,,Linz,AT,,\nb@x.de,Bea,,,,\n`
    const {rows} = await check(text, {mapping, match: 'email'})
    expect(rows.map(({draft, issues}) => draft.email ?? issues[0]?.code)).to.deep.equal([
      ...['a@x.de', 'RequiredField', 'RequiredField', 'b@x.de'],
    ])
    expect(rows[0]?.draft.addresses).to.deep.equal([{city: 'Bonn', country: 'DE'}])
  })

  describe('in reports', () => {
    const {imported, files, desk} = importing()

    it('writes every line of a failed row, so that the report can be imported', async () => {
      const text = `${header}a@x.de,Ada,Bonn,DE,0,\n,,Wien,Austria,1,\nb@x.de,Bea,Ulm,DE,,\n`
      const options = {mapping, match: 'email', passwordMode: 'external-auth', skipInvalid: true} as const
      const result = await imported(text, {...options, report: files.path('failed.csv')})
      expect(counts(result)).to.deep.equal({read: 2, created: 1, failed: 1})
      const lines = readFileSync(result.report ?? '', 'utf8')
        .trim()
        .split('\r\n')
      expect(lines[0]).to.match(/^email,Name,City,Land,Bill,Phone,_line,/)
      expect(lines.slice(1).map((line) => line.split(',').slice(0, 7).join(','))).to.deep.equal([
        'a@x.de,Ada,Bonn,DE,0,,2',
        ',,Wien,Austria,1,,3',
      ])
      const again = await imported(
        readFileSync(result.report ?? '', 'utf8').replace('Wien,Austria', 'Wien,AT'),
        options,
      )
      expect(counts(again)).to.deep.equal({read: 1, created: 1})
      const ada = (await desk().customers()).find(({email}) => email === 'a@x.de')
      expect(ada?.addresses.map(({city}) => city)).to.deep.equal(['Bonn', 'Wien'])
      expect(ada?.defaultBillingAddressId).to.equal(ada?.addresses[1]?.id)
    })
  })
})

describe('transfer · cells that hold records', () => {
  const mapping: Mapping = {
    records: {
      Addresses: {
        target: 'addresses',
        members: {'Address ID': '', Street: 'streetName', City: 'city', Country: 'country'},
      },
    },
    transforms: {'addresses.*.country': 'country'},
    fallbacks: {'addresses.*.lastName': 'lastName'},
  }
  const header = 'key,email,lastName,Addresses\n'

  it('reads each record by the names of its members, whatever separators the values hold', async () => {
    const cell =
      'Address ID: 1, Street: 5 Main St, Flat 2, City: Bonn, Country: Germany|Address ID: 2, Street: , City: Wien, Country: Austria'
    expect(await draft(`${header}k1,a@x.de,King,"${cell}"\nk2,b@x.de,,\n`, {mapping})).to.deep.include({
      addresses: [
        {streetName: '5 Main St, Flat 2', city: 'Bonn', country: 'DE', lastName: 'King'},
        {city: 'Wien', country: 'AT', lastName: 'King'},
      ],
    })
  })

  it('takes any name before a colon as that of a member, and lists those that the map does not know', async () => {
    const cell = 'Address ID: 1, City: Bonn, Country Code: DE, Building Type: Flat 3, Country: Germany'
    const {rows, notes} = await check(`${header}k1,a@x.de,,"${cell}"\n`, {mapping})
    expect(rows[0]?.issues).to.deep.equal([])
    expect(rows[0]?.draft.addresses).to.deep.equal([{city: 'Bonn', country: 'DE'}])
    const [ignored] = [...notes.ignored.values()]
    expect([...(ignored ?? [])]).to.deep.equal(['Addresses › Country Code', 'Addresses › Building Type'])
  })

  it('refuses a cell of another form, and a value that its member cannot have', async () => {
    const said = async (cell: string) =>
      (await one(`${header}k1,a@x.de,,"${cell}"\n`, {mapping})).issues.map(({message}) => message)
    expect(await said('5 Main St, Bonn')).to.deep.equal([
      "'5 Main St, Bonn' is not of the form 'Address ID: …, Street: …'.",
    ])
    expect((await said('City: Bonn, Country: Atlantis'))[0]).to.include("'Atlantis' is not a country")
    expect((await said('City: Bonn'))[0]).to.equal('There is no addresses.0.country.')
  })
})
