import {customFields, leftOut, type Preset} from './preset.js'

const address = (member: string): string => `addresses.address.*.${member}`

/** Paths of elements in the XML of a customer list; `@` names an attribute. */
export const salesforce: Preset = {
  label: 'Salesforce B2C Commerce',
  header: [],
  mapping: {
    xml: {row: 'customer', names: {'custom-attribute': 'attribute-id'}},
    columns: {
      '@customer-no': ['key', 'customerNumber'],
      'profile.email': 'email',
      'credentials.login': 'email',
      'credentials.password': 'passwordHash',
      'profile.salutation': 'salutation',
      'profile.title': 'title',
      'profile.first-name': 'firstName',
      'profile.second-name': 'middleName',
      'profile.last-name': 'lastName',
      'profile.company-name': 'companyName',
      'profile.birthday': 'dateOfBirth',
      [address('@address-id')]: 'addresses.*.externalId',
      [address('@preferred')]: ['addresses.*.isDefaultShipping', 'addresses.*.isDefaultBilling'],
      [address('salutation')]: 'addresses.*.salutation',
      [address('title')]: 'addresses.*.title',
      [address('first-name')]: 'addresses.*.firstName',
      [address('last-name')]: 'addresses.*.lastName',
      [address('company-name')]: 'addresses.*.company',
      [address('address1')]: 'addresses.*.streetName',
      [address('address2')]: 'addresses.*.additionalStreetInfo',
      [address('suite')]: 'addresses.*.apartment',
      [address('postbox')]: 'addresses.*.pOBox',
      [address('city')]: 'addresses.*.city',
      [address('postal-code')]: 'addresses.*.postalCode',
      [address('state-code')]: 'addresses.*.state',
      [address('country-code')]: 'addresses.*.country',
      [address('phone')]: 'addresses.*.phone',
    },
    fallbacks: {
      'addresses.*.phone': ['profile.phone-home', 'profile.phone-business'],
      'addresses.*.mobile': 'profile.phone-mobile',
      'addresses.*.fax': 'profile.fax',
    },
    transforms: {
      key: 'prefix:sfcc-',
      email: 'first',
      dateOfBirth: 'date:yyyy-mm-dd|yyyy-mm-ddzz|yyyy-mm-ddThh:mi:ss.ffzz',
      'addresses.*.country': 'country',
    },
    leftOut: leftOut({
      'of the shop alone': [
        ...['credentials.enabled-flag', 'profile.creation-date', 'profile.last-login-time', 'profile.last-visit-time'],
      ],
      'a secret of the shop': ['credentials.password-question', 'credentials.password-answer'],
      "map it with 'profile.preferred-locale=locale' and the transform 'replace:/_/-/', if the project has its languages":
        ['profile.preferred-locale'],
    }),
  },
  custom: customFields({
    'profile.gender': ['gender', 'text'],
    'profile.job-title': ['jobTitle', 'text'],
    'profile.suffix': ['suffix', 'text'],
    note: ['note', 'text'],
  }),
  groups: {
    columns: {'customer-groups.customer-group.*.@group-id': 'customerGroupAssignments.*.customerGroup.key'},
    transforms: {'customerGroupAssignments.*.customerGroup.key': 'slug-key'},
  },
}
