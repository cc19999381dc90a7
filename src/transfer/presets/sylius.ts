import {customFields, leftOut, type Preset} from './preset.js'

const ofDefault = (member: string): string => `defaultAddress.${member}`

/** Collections of the API have links to addresses; the table of addresses has them all. */
export const sylius: Preset = {
  label: 'Sylius',
  header: [['@id', 'fullName', 'subscribedToNewsletter']],
  mapping: {
    columns: {
      id: ['key', 'externalId'],
      email: 'email',
      firstName: 'firstName',
      lastName: 'lastName',
      birthday: 'dateOfBirth',
      'user.verified': 'isEmailVerified',
      [ofDefault('firstName')]: 'addresses.0.firstName',
      [ofDefault('lastName')]: 'addresses.0.lastName',
      [ofDefault('company')]: 'addresses.0.company',
      [ofDefault('street')]: 'addresses.0.streetName',
      [ofDefault('postcode')]: 'addresses.0.postalCode',
      [ofDefault('city')]: 'addresses.0.city',
      [ofDefault('countryCode')]: 'addresses.0.country',
      [ofDefault('provinceName')]: 'addresses.0.state',
    },
    fallbacks: {'addresses.0.phone': [ofDefault('phoneNumber'), 'phoneNumber'], 'addresses.*.phone': 'phoneNumber'},
    transforms: {key: 'prefix:sylius-', 'addresses.*.country': 'country'},
    join: {
      column: 'customer_id',
      to: 'id',
      columns: {
        id: 'addresses.*.externalId',
        first_name: 'addresses.*.firstName',
        last_name: 'addresses.*.lastName',
        company: 'addresses.*.company',
        street: 'addresses.*.streetName',
        postcode: 'addresses.*.postalCode',
        city: 'addresses.*.city',
        country_code: 'addresses.*.country',
        province_name: 'addresses.*.state',
        phone_number: 'addresses.*.phone',
      },
    },
    leftOut: leftOut({
      'of the shop alone': ['@id', '@type', 'fullName', 'user', 'orders'],
      'links; add the table of addresses by --join-file': ['defaultAddress', 'addresses'],
    }),
  },
  custom: customFields({
    gender: ['gender', 'text'],
    subscribedToNewsletter: ['newsletter', 'yes-no'],
    createdAt: ['createdInShop', 'datetime:yyyy-mm-ddThh:mi:sszz|yyyy-mm-dd hh:mi:ss'],
  }),
  groups: {columns: {group: 'customerGroup.key'}, transforms: {'customerGroup.key': 'replace:|.*/||'}},
}
