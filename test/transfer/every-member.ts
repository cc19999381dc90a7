import {cpSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {addressFields} from '../../src/domain/address-fields.js'
import {fieldRows} from '../../src/domain/customers/fields.js'
import {Text} from '../../src/domain/rules.js'

const addressTexts = addressFields.map(({name}) => name).filter((name) => name !== 'key' && name !== 'country')

/** Customers that use every member of the interface. */

/** A copy of the demo shop without its customers and what hangs on them. */
export function shopWithoutCustomers(folder: string): string {
  cpSync('fixtures/demo', folder, {recursive: true})
  for (const name of ['customers', 'quotes', 'quote-requests', 'staged-quotes', 'carts', 'business-units']) {
    rmSync(join(folder, `${name}.json`), {force: true})
  }
  return folder
}

const idOf = (folder: string, file: string): string => {
  const [first] = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as {id: string}[]
  return first?.id ?? ''
}

/** Members that take any text; the locale is a choice of the project. */
const personTexts = fieldRows.filter(({schema, caseless}) => schema === Text && !caseless).map(({name}) => name)

/** A row for each text, which stands in every place that takes any text; `at` keeps emails and keys apart. */
export function customerWith(folder: string, text: (place: string) => string, at: number): Record<string, unknown> {
  const texts = (prefix: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, text(`${prefix}${name}`)]))
  const address = (index: number) => ({
    key: `place-${at}-${index}`,
    country: index === 0 ? 'DE' : 'AT',
    ...texts(`addresses${index}`, addressTexts),
    custom: {
      type: {typeId: 'type', key: 'delivery-notes'},
      fields: {
        doorbell: text(`doorbell${index}`),
        floor: -1.5,
        neighbour: false,
        gate: 'yard',
        slots: ['09:00:00.000'],
      },
    },
  })
  return {
    key: `every-${at}`,
    email: `every-${at}@x.de`,
    ...texts('', personTexts),
    dateOfBirth: '1969-07-16',
    locale: 'de',
    isEmailVerified: at % 2 === 0,
    authenticationMode: 'ExternalAuth',
    addresses: [address(0), address(1), {country: 'FR'}],
    defaultShippingAddress: 1,
    shippingAddresses: [0, 1],
    defaultBillingAddress: 2,
    billingAddresses: [0, 2],
    customerGroup: {typeId: 'customer-group', id: idOf(folder, 'customer-groups')},
    customerGroupAssignments: [{customerGroup: {typeId: 'customer-group', id: idOf(folder, 'customer-groups')}}],
    stores: [{typeId: 'store', key: 'berlin'}],
    custom: {
      type: {typeId: 'type', key: 'profile'},
      fields: {
        subscribed: true,
        shoeSize: 42.5,
        note: text('note'),
        greeting: {en: text('greetingEn'), de: text('greetingDe')},
        tier: 'gold',
        season: 'spring',
        budget: {type: 'centPrecision', currencyCode: 'EUR', centAmount: 1234, fractionDigits: 2},
        anniversary: '2020-02-29',
        callAt: '09:30:00.000',
        lastVisit: '2020-01-01T10:00:00.000Z',
        tags: [text('tag'), 'x'],
        luckyNumbers: [7, 1.5],
        consents: ['post', 'mail'],
        seasons: ['winter'],
        mottos: [{en: text('motto')}],
        credits: [{type: 'centPrecision', currencyCode: 'EUR', centAmount: 1, fractionDigits: 2}],
        visits: ['2021-01-01'],
        slots: ['10:00:00.000'],
        calls: ['2021-01-01T10:00:00.000Z'],
        optIns: [true],
        favourites: [{typeId: 'product', id: idOf(folder, 'products')}],
      },
    },
  }
}
