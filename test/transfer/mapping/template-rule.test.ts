import {readdirSync} from 'node:fs'
import {expect} from 'chai'
import type {Source} from '../../../src/transfer/input/row.js'
import {openSources} from '../../../src/transfer/input/source.js'
import {decisionsOf} from '../../../src/transfer/mapping/mapping.js'
import {planImport} from '../../../src/transfer/plan.js'
import {type TemplateChoice, templateFor} from '../../../src/transfer/template.js'
import {counts, importing} from '../importing.js'
import {failureOf} from '../scratch.js'

const {files, desk, imported} = importing()

/** The options of a run that do what a map says that flags decide. */
const deciding = (decide: Readonly<Record<string, string>>) => ({
  passwordMode: 'external-auth' as const,
  ...('--skip-invalid' in decide ? {skipInvalid: true} : {}),
  ...('--on-duplicate' in decide ? {onDuplicate: 'first' as const} : {}),
})

/** The rule: a map of a template imports its file, or says what a person has to decide; the import says the same. */
async function keepsTheRule(sources: readonly Source[], choice: TemplateChoice = {}): Promise<readonly string[]> {
  const {map} = await templateFor(sources, choice)
  const {decide = {}} = map
  const words = decisionsOf(map)
  const refusal = words.length > 0 ? await failureOf(planImport(desk().client, sources, {mapping: map})) : undefined
  for (const one of words) expect(refusal?.message).to.include(one)
  const open = Object.keys(decide).filter((name) => !name.startsWith('--'))
  const planned = planImport(desk().client, sources, {mapping: map, ...deciding(decide)})
  if (open.length === 0) expect((await planned).conflict).to.equal(0)
  else expect((await failureOf(planned)).message).to.include(decide[open[0] ?? ''])
  return open
}

describe('transfer · the map of a template imports its file', () => {
  it('holds for every export of a known shop, with its preset and without', async () => {
    for (const name of readdirSync('fixtures/shops').filter((name) => !/type\.json$/.test(name))) {
      const sources = (await openSources([`fixtures/shops/${name}`])).list
      await keepsTheRule(sources)
      const open = await keepsTheRule(sources, {withoutPreset: true})
      // Addresses without their customers, a table without a header, and addresses in two forms.
      if (!/refused|addresses|firebase.csv|cognito.csv/.test(name)) expect(open, name).to.deep.equal([])
    }
  })

  const shapes: readonly (readonly [file: string, text: string, says: object, found: object])[] = [
    [
      'users.json',
      '{"users": {"57d6": {"email": "u1@x.de"}, "57d7": {"email": "u2@x.de", "firstName": "Bo"}}}',
      {rows: 'users.*', columns: {email: 'email', firstName: 'firstName', '@name': 'key'}},
      {key: '57d7', firstName: 'Bo'},
    ],
    [
      'firebase.json',
      JSON.stringify({
        users: [
          {
            ...{localId: 'abC1', email: 'f1@x.de', emailVerified: true, displayName: 'Ludwig van Beethoven'},
            ...{passwordHash: `${'a'.repeat(86)}==`, salt: 'c2FsdA==', createdAt: '1486324170000', phoneNumber: '+49'},
          },
        ],
      }),
      {
        columns: {
          email: 'email',
          emailVerified: 'isEmailVerified',
          displayName: ['firstName', 'lastName'],
          localId: 'key',
        },
        leftOut: ['passwordHash', 'salt', 'phoneNumber'],
      },
      {key: 'abC1', firstName: 'Ludwig', lastName: 'van Beethoven', isEmailVerified: true, addresses: []},
    ],
    [
      'cognito.csv',
      'cognito:username,given_name,email,email_verified,phone_number,address\n' +
        'cog-1,Ann,c1@x.de,TRUE,+49,"{""street_address"":""Weg 1"",""locality"":""Bonn"",""country"":""Germany""}"\n',
      {},
      {
        key: 'cog-1',
        isEmailVerified: true,
        addresses: [{streetName: 'Weg 1', city: 'Bonn', country: 'DE', phone: '+49'}],
      },
    ],
    [
      'stripe.csv',
      'id,Email,Name,Address Line1,Address City,Address State,Address Country,Address Zip,Tax ID,Created (UTC)\n' +
        'cus_1,s1@x.de,"Berg, Ann van der",1 Mill,Leeds,,GB,LS1,GB1,2024-01-02 03:04\n',
      {},
      {
        ...{key: 'cus_1', firstName: 'Ann', lastName: 'van der Berg', vatId: 'GB1'},
        addresses: [{streetName: '1 Mill', city: 'Leeds', country: 'GB', postalCode: 'LS1'}],
      },
    ],
    [
      'mailchimp.csv',
      'Email Address,Address,Birthday\nm1@x.de,123 Main St  Apt 4  Atlanta  GA  30303  US,02/29\n',
      {match: 'email', leftOut: ['Birthday']},
      {
        addresses: [
          {streetName: '123 Main St Apt 4', city: 'Atlanta', state: 'GA', postalCode: '30303', country: 'US'},
        ],
      },
    ],
    [
      'entra.csv',
      'userPrincipalName,displayName,surname,mail,givenName,id,streetAddress,country,city,telephoneNumber,companyName\n' +
        'ann@on.x.de,Ann Lee,Lee,e1@x.de,Ann,8a1c2b34-0001,Weg 1,Germany,Bonn,+49,ACME\n',
      {},
      {
        key: '8a1c2b34-0001',
        lastName: 'Lee',
        addresses: [{streetName: 'Weg 1', country: 'DE', city: 'Bonn', phone: '+49'}],
      },
    ],
    [
      'oscommerce.csv',
      'customers_id,customers_firstname,customers_dob,customers_email_address,customers_password,entry_city,entry_country\n' +
        `7,Ann,0000-00-00 00:00:00,o1@x.de,${'d9'.repeat(16)}:1c,Bonn,Germany\n`,
      {leftOut: ['customers_password']},
      {key: 'shop-7', firstName: 'Ann', addresses: [{city: 'Bonn', country: 'DE'}]},
    ],
    [
      'xero.csv',
      '*ContactName,AccountNumber,EmailAddress,POAddressLine1,POCity,POCountry,SAAddressLine1,SACity,SACountry\n' +
        'ACME,A10,x1@x.de,PO Box 1,Wien,Austria,Weg 2,Bonn,Germany\n',
      {},
      {
        ...{key: 'A10', customerNumber: 'A10'},
        addresses: [
          {streetName: 'PO Box 1', city: 'Wien', country: 'AT'},
          {streetName: 'Weg 2', city: 'Bonn', country: 'DE'},
        ],
      },
    ],
    [
      'woo.csv',
      'user_email,display_name,billing_address_1,billing_city,billing_country,ship_to_name,ship_to_city,ship_to_country\n' +
        'w1@x.de,Ann Lee,Weg 1,Bonn,DE,Bo von Au,Ulm,DE\n',
      {match: 'email', constants: {defaultBillingAddress: 0, defaultShippingAddress: 1}},
      {
        lastName: 'Lee',
        addresses: [
          {streetName: 'Weg 1', city: 'Bonn', country: 'DE'},
          {firstName: 'Bo', lastName: 'von Au', city: 'Ulm', country: 'DE'},
        ],
      },
    ],
  ]

  it('holds for other shapes, and a second import changes nothing', async () => {
    for (const [name, text, says, found] of shapes) {
      const sources = await files.source(name, text)
      expect(await keepsTheRule(sources, {withoutPreset: true}), name).to.deep.equal([])
      const {map} = await templateFor(sources, {withoutPreset: true})
      const {leftOut = {}, ...mapping} = map
      expect({...mapping, leftOut: Object.keys(leftOut)}, name).to.deep.include(says)
      const options = {name, mapping: map, match: map.match ?? 'key', ...deciding(map.decide ?? {})} as const
      const first = counts(await imported(text, options))
      expect(first, name).to.deep.equal({read: first['read'], created: first['read']})
      expect(counts(await imported(text, options)), name).to.deep.equal({read: first['read'], unchanged: first['read']})
      const email = /[a-z]\d@x\.de/g
      const last = [...text.matchAll(email)].at(-1)?.[0]
      const customer = (await desk().customers()).find((one) => one.email === last)
      const addresses = customer?.addresses.map(({id: _, ...address}) => address)
      expect({...customer, addresses}, name).to.deep.include(found)
    }
  })
})
