import {customFields, leftOut, type Preset} from './preset.js'

/** Columns of the present export, and of those before 2022, whose address has no prefix. */
export const shopify: Preset = {
  label: 'Shopify',
  header: [
    ['Customer ID', 'Default Address Address1'],
    ['Accepts Email Marketing', 'Total Spent'],
    ['Accepts Marketing', 'Province Code', 'Total Spent'],
  ],
  mapping: {
    optionalColumns: true,
    columns: {
      'Customer ID': ['key', 'externalId'],
      Email: 'email',
      'First Name': 'firstName',
      'Last Name': 'lastName',
      'Default Address Address1': 'addresses.0.streetName',
      Address1: 'addresses.0.streetName',
      'Default Address Address2': 'addresses.0.additionalStreetInfo',
      Address2: 'addresses.0.additionalStreetInfo',
      'Default Address City': 'addresses.0.city',
      City: 'addresses.0.city',
      'Default Address Zip': 'addresses.0.postalCode',
      Zip: 'addresses.0.postalCode',
      'Default Address Country Code': 'addresses.0.country',
      'Country Code': 'addresses.0.country',
      Country: 'addresses.0.country',
    },
    fallbacks: {
      'addresses.0.firstName': 'First Name',
      'addresses.0.lastName': 'Last Name',
      'addresses.0.company': ['Default Address Company', 'Company'],
      'addresses.0.state': ['Default Address Province Code', 'Province Code', 'Province'],
      'addresses.0.phone': ['Default Address Phone', 'Phone'],
    },
    constants: {defaultShippingAddress: 0, defaultBillingAddress: 0},
    transforms: {
      // Shopify writes an apostrophe before whatever a spreadsheet would take for a number.
      key: ["strip:'", 'prefix:shopify-'],
      externalId: "strip:'",
      'addresses.0.streetName': ['first', "strip:'"],
      'addresses.0.additionalStreetInfo': ['first', "strip:'"],
      'addresses.0.city': 'first',
      'addresses.0.postalCode': ['first', "strip:'"],
      'addresses.0.country': ['first', 'country'],
      'addresses.0.phone': "strip:'",
    },
    leftOut: leftOut({'counted from orders': ['Total Spent', 'Total Orders']}),
  },
  custom: customFields({
    Tags: ['tags', 'split:,'],
    Note: ['note', 'text'],
    'Accepts Email Marketing': ['acceptsEmail', 'yes-no'],
    'Accepts SMS Marketing': ['acceptsSms', 'yes-no'],
    'Accepts Marketing': ['acceptsMarketing', 'yes-no'],
    'Tax Exempt': ['taxExempt', 'yes-no'],
  }),
}
