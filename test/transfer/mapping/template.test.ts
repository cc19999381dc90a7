import {expect} from 'chai'
import {nameParts} from '../../../src/transfer/mapping/transforms.js'
import {type TemplateChoice, templateFor} from '../../../src/transfer/template.js'
import {importing} from '../importing.js'
import {failureOf} from '../scratch.js'

const {files, imported} = importing()

describe('transfer · what a template says', () => {
  const mapOf = async (text: string, name = 'a.csv', choice: TemplateChoice = {}) =>
    (await templateFor(await files.source(name, text), choice)).map

  it('takes a unique id for the key, and says why it takes the email', async () => {
    for (const [text, key, why] of [
      ['user_id,email\nauth0|1,a@x.de\n', 'user_id', undefined],
      ['Kundennummer;Email\nK-1;a@x.de\n', 'Kundennummer', undefined],
      [
        'id,email,,name\n1,a@x.de,,A\n1,b@x.de,,B\n',
        undefined,
        ['id', 'of 2 rows, 2 have a value, 1 of them again: customers are found by email'],
      ],
      [
        'customer_id,email\n,a@x.de\n,b@x.de\n',
        undefined,
        ['customer_id', 'of 2 rows, 0 have a value, 0 of them again: customers are found by email'],
      ],
      ['login,email\na@x.de,a@x.de\n', undefined, undefined],
      ['group_id,email\n1,a@x.de\n', undefined, undefined],
    ] as const) {
      const {columns, match, leftOut = {}} = await mapOf(`\uFEFF${text}`)
      const keys = Object.entries(columns).flatMap(([column, targets]) =>
        [targets].flat().includes('key') ? column : [],
      )
      expect(keys, text).to.deep.equal(key === undefined ? [] : [key])
      expect(match, text).to.equal(key === undefined ? 'email' : undefined)
      if (why) expect(leftOut).to.deep.include({[why[0]]: why[1]})
    }
  })

  it('leaves to a person what the file does not tell', async () => {
    const {decide = {}} = await mapOf(
      'Email;Straße;PLZ;Ort;Geburtsdatum\na@x.de;Weg 1;53111;Bonn;1/2/1990\na@x.de;;;;\n;Weg 2;;;\n',
    )
    expect(decide).to.have.keys(
      'addresses.0.country',
      'dateOfBirth',
      '--on-duplicate',
      '--skip-invalid',
      '--password-mode',
    )
    expect(decide['--on-duplicate']).to.include('of 3 emails, 1 come again')
    expect(decide['--skip-invalid']).to.include('There is no email. (line 4)')
    expect((await mapOf('name,city\nA,Bonn\n')).decide).to.have.keys('email')
  })

  it('keeps a phone alone in a custom field of a type, and reads counts of milliseconds as births', async () => {
    const text = 'email,Phone,birthday\na@x.de,1,-315532800000\n'
    expect((await mapOf(text)).leftOut).to.have.keys('Phone')
    expect(await mapOf(text, 'a.csv', {customType: 'crm'})).to.deep.include({
      columns: {email: 'email', Phone: 'custom.fields.phone', birthday: 'dateOfBirth'},
      constants: {'custom.type.key': 'crm'},
      transforms: {dateOfBirth: 'date:ms'},
    })
  })

  it('takes an address out of a cell of JSON, whatever lists stand beside it', async () => {
    const cells = ['{"zip":"1","city":"Bonn","tags":["a","b"],"seen":[{"n":1}]}', '{"zip":"2","city":"Ulm","tags":[]}']
    const rows = cells.map((cell, at) => `n${at}@x.de,"${cell.replaceAll('"', '""')}"\n`)
    const {columns, transforms} = await mapOf(`email,billing\n${rows.join('')}`)
    expect({columns, transforms}).to.deep.equal({
      columns: {email: 'email', billing: ['addresses.0.postalCode', 'addresses.0.city']},
      transforms: {'addresses.0.postalCode': 'json:zip', 'addresses.0.city': 'json:city'},
    })
  })

  it('divides names, and shows ten of them', async () => {
    for (const [text, first, last] of [
      ['Anna Maria Au', 'Anna', 'Maria Au'],
      ['Goethe, Johann Wolfgang von', 'Johann Wolfgang', 'von Goethe'],
      ['Maria de la Cruz', 'Maria', 'de la Cruz'],
      ['von der Leyen', '', 'von der Leyen'],
      ['Dr. Ada King', 'Dr. Ada', 'King'],
      ['Cher', 'Cher', ''],
    ] as const)
      expect(nameParts(text), text).to.deep.equal({first, last})
    const rows = Array.from({length: 12}, (_, at) => `n${at}@x.de,Ada L${at}\n`).join('')
    const {events} = await imported(`email,name\n${rows}`, {
      mapping: {
        columns: {email: 'email', name: ['firstName', 'lastName']},
        transforms: {firstName: 'name:first', lastName: 'name:last'},
        match: 'email',
      },
      match: 'email',
      passwordMode: 'external-auth',
    })
    const note = events.find((event) => event.type === 'unusual')
    expect(note).to.include({kind: 'divided', column: 'name', rows: 12})
    expect(note).to.have.property('samples').with.length(10).and.include('Ada | L9')
  })

  it('refuses within a second what cannot be read, with what it saw', async () => {
    for (const [name, text, seen] of [
      ['a.json', '[{"email": "a@x.de"}, {"email": "b', /a\.json/],
      ['a.jsonl', '{"email": "a@x.de"}\n{"email": "b', /line 2: The row is not valid JSON/],
      ['a.csv', 'email,name\na@x.de,"A', /a\.csv/],
      ['b.csv', 'email,name\na@x.de,A\n\nid,sum,day\n1,2,3\n', /line 5: The row has 3 cells; the header has 2|line 4/],
      ['b.json', '[]', /no rows/],
      ['c.csv', '', /a?c\.csv/],
      ['d.csv', `a${',a'.repeat(199_999)}\n`, /200000 columns; 10000 are the most/],
      [
        'd.json',
        JSON.stringify([Object.fromEntries(Array.from({length: 40_000}, (_, at) => [`c${at}`, 1]))]),
        /more than 10000/,
      ],
    ] as const) {
      const start = process.cpuUsage()
      const refused = await failureOf(files.source(name, text).then((sources) => templateFor(sources)))
      expect(refused.message, name).to.match(seen)
      expect(process.cpuUsage(start).user / 1000, name).to.be.below(1000)
    }
  })
})
