import {customFields, leftOut, type Preset} from './preset.js'

/** Members of an address by their names, which the cell of the default template and numbered columns share. */
const members = {
  'Address ID': 'externalId',
  'Address First Name': 'firstName',
  'Address Last Name': 'lastName',
  'Address Company': 'company',
  'Address Line 1': 'streetName',
  'Address Line 2': 'additionalStreetInfo',
  'Address City': 'city',
  'Address State': 'state',
  'Address Zip': 'postalCode',
  'Address Country': 'country',
  'Address Phone': 'phone',
} as const

const inCell = {
  ...members,
  City: 'city',
  Suburb: 'city',
  State: 'state',
  'State/Province': 'state',
  Zip: 'postalCode',
  'Zip/Postcode': 'postalCode',
  Country: 'country',
  Phone: 'phone',
} as const

const numbered = Object.entries(members).filter(([name]) => name !== 'Address ID')

export const bigcommerce: Preset = {
  label: 'BigCommerce',
  header: [
    ['Customer ID', 'Addresses'],
    ['Customer ID', 'Address Line 1 - 1'],
    ['Receive Review/Abandoned Cart Emails?'],
  ],
  mapping: {
    optionalColumns: true,
    columns: {
      'Customer ID': ['key', 'externalId'],
      Email: 'email',
      'Email Address': 'email',
      'First Name': 'firstName',
      'Last Name': 'lastName',
      Company: 'companyName',
      ...Object.fromEntries(numbered.map(([name, member]) => [`${name} - *`, `addresses.*.${member}`])),
    },
    records: {Addresses: {target: 'addresses', members: inCell}},
    fallbacks: {'addresses.*.phone': 'Phone'},
    transforms: {
      key: 'prefix:bigcommerce-',
      email: 'first',
      'addresses.*.country': 'country',
    },
    leftOut: leftOut({
      'of the shop alone': ['Login', 'Total Orders', 'Registration IP', 'Channel ID', 'Channel IDs', 'Date Modified'],
      'numbers of the shop': ['Address ID - 1', 'Address ID - 2', 'Address ID - 3', 'Address ID - 4', 'Address ID - 5'],
    }),
  },
  custom: customFields({
    Notes: ['note', 'text'],
    'Store Credit': ['storeCredit', 'text'],
    'Date Joined': ['createdInShop', 'datetime:yyyy-mm-dd hh:mi:ss|yyyy-mm-dd|m/d/yyyy|d/m/yyyy'],
    'Receive Review/Abandoned Cart Emails?': ['acceptsEmail', 'yes-no'],
    'Tax Exempt Category': ['taxExemptCategory', 'text'],
  }),
  groups: {columns: {'Customer Group': 'customerGroup.key'}, transforms: {'customerGroup.key': 'slug-key'}},
}
