import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'chai'
import {Desk} from '../run.js'

describe('cli · customers find, who is written otherwise', () => {
  const desk = new Desk()
  after(() => desk.remove())
  const keysOf = async (text: string): Promise<readonly unknown[]> => {
    const {json} = await desk.run(['customers', 'find', text, '--json'])
    return ((json as {results?: {key: string}[]}).results ?? []).map(({key}) => key)
  }

  it('finds what is written otherwise before whoever is alike', async () => {
    const people = [
      {
        ...{key: 'lueden', firstName: 'Jürgen', lastName: 'Müller-Lüdenscheidt', customerNumber: 'K 10 023'},
        companyName: 'Weiß & Söhne GmbH',
        addresses: [
          {country: 'DE', streetName: 'Große Straße', streetNumber: '12 b', postalCode: '50667', city: 'Köln'},
        ],
      },
      {
        ...{
          key: 'muller',
          firstName: 'Hans',
          lastName: 'Muller',
          customerNumber: 'K 10 024',
          companyName: 'Weißer Söller GmbH',
        },
        addresses: [
          {country: 'DE', streetName: 'Große Straße', streetNumber: '12 c', postalCode: '50667', city: 'Köln'},
        ],
      },
      {
        ...{key: 'obrien', firstName: 'Sinéad', lastName: "O'Brien"},
        addresses: [
          {country: 'IE', streetName: 'Baker Lane', streetNumber: '12/3', postalCode: 'SW1A 1AA', city: 'Dublin'},
        ],
      },
      {
        ...{key: 'oliver', firstName: 'Brien', lastName: 'Oliver'},
        addresses: [
          {country: 'IE', streetName: 'Baker Lane', streetNumber: '13', postalCode: 'SW1A 1AB', city: 'Dublin'},
        ],
      },
      ...[
        {key: 'cruz', firstName: 'María', lastName: 'de la Cruz'},
        {key: 'delgado', firstName: 'Cruz', lastName: 'Delgado'},
        {key: 'mac', firstName: 'Fergus', lastName: 'MacDonald'},
        {key: 'mack', firstName: 'Donald', lastName: 'Mack'},
        {key: 'lukasz', firstName: 'Łukasz', lastName: 'Żółkiewski'},
        {key: 'gul', firstName: 'Gülşah', lastName: 'Yıldırım'},
      ],
      {
        ...{key: 'baecker', firstName: 'Ute', lastName: 'Groß', companyName: 'Gebr. Bäcker GmbH & Co. KG'},
        addresses: [{country: 'DE', streetName: 'Hauptstr.', streetNumber: '7', postalCode: '80331', city: 'München'}],
      },
    ]
    const lines = people.map((one) => JSON.stringify({...one, email: `${one.key}@people.example`})).join('\n')
    const file = join(desk.folder, 'people.jsonl')
    writeFileSync(file, lines)
    const imported = await desk.run(['customers', 'import', file, '--password-mode', 'external-auth', '--yes'])
    expect(imported.code, imported.stderr).to.equal(0)
    for (const [key, texts] of [
      ['lueden', ['Mueller-Luedenscheidt', 'müllerlüdenscheidt', 'jurgen muller', 'ludenscheit', 'weiss und söhne']],
      ['lueden', ['große straße 12b', 'Grosse Str. 12 b', '12 b große straße köln', 'K10023', 'k 10023', 'K-10-023']],
      ['obrien', ["O'Brien", 'obrien', 'o brien', 'O’Brien', 'baker lane 12/3', 'SW1A1AA sinead', 'SW1A1AA']],
      ['cruz', ['de la cruz', 'delacruz', 'dela cruz', 'maria delacruz']],
      ['mac', ['macdonald', 'mac donald', 'mcdonald', 'mc donald', 'fergus mac donald']],
      ['lukasz', ['lukasz zolkiewski', 'zolkiewsky']],
      ['gul', ['gulsah yildirim', 'YILDIRIM']],
      ['baecker', ['gebrüder bäcker', 'baecker gmbh und co kg', 'hauptstraße 7', '80331 muenchen gross']],
    ] as const)
      for (const text of texts) expect((await keysOf(text))[0], text).to.equal(key)
    for (const [key, texts] of [
      ['lueden', ['große straße 12c', 'K10024', 'weiss und sohm']],
      ['obrien', ['baker lane 13', 'baker lane 12/4', 'SW1A1AB']],
      ['cruz', ['delarosa', 'cruz delgado']],
    ] as const)
      for (const text of texts) expect(await keysOf(text), text).to.not.include(key)
  })
})
