import {customFields, leftOut, type Preset} from './preset.js'

/** The composite file has no id of the customer: an email is unique in a website. */
export const magento2: Preset = {
  label: 'Magento 2 (Adobe Commerce)',
  header: [
    ['email', '_website', '_store'],
    ['email', '_address_street', '_address_country_id'],
  ],
  mapping: {
    match: 'email',
    optionalColumns: true,
    continuation: 'email',
    columns: {
      email: 'email',
      prefix: 'salutation',
      firstname: 'firstName',
      middlename: 'middleName',
      lastname: 'lastName',
      dob: 'dateOfBirth',
      taxvat: 'vatId',
      password_hash: 'passwordHash',
      _address_prefix: 'addresses.0.salutation',
      _address_firstname: 'addresses.0.firstName',
      _address_lastname: 'addresses.0.lastName',
      _address_company: 'addresses.0.company',
      _address_street: ['addresses.0.streetName', 'addresses.0.additionalStreetInfo'],
      _address_postcode: 'addresses.0.postalCode',
      _address_city: 'addresses.0.city',
      _address_region: 'addresses.0.region',
      _address_country_id: 'addresses.0.country',
      _address_telephone: 'addresses.0.phone',
      _address_fax: 'addresses.0.fax',
      _address_default_billing_: 'addresses.0.isDefaultBilling',
      _address_default_shipping_: 'addresses.0.isDefaultShipping',
    },
    transforms: {
      dateOfBirth: 'date:yyyy-mm-dd|yyyy-mm-dd hh:mi:ss|m/d/yyyy',
      'addresses.0.streetName': 'part:1:\\n',
      'addresses.0.additionalStreetInfo': 'part:2-:\\n',
      'addresses.0.country': 'country',
    },
    leftOut: leftOut({
      'of the shop alone': [
        ...['store_id', 'website_id', 'created_in', 'disable_auto_group_change', 'updated_at', 'failures_num'],
        ...['first_failure', 'lock_expires', 'default_billing', 'default_shipping', 'rp_token_created_at'],
      ],
      'a secret of the shop': ['rp_token', 'password', 'confirmation'],
      'no field of an address': ['_address_middlename', '_address_suffix', '_address_vat_id', '_address_region_id'],
    }),
  },
  custom: customFields({
    gender: ['gender', 'text'],
    suffix: ['suffix', 'text'],
    created_at: ['createdInShop', 'datetime:yyyy-mm-dd hh:mi:ss'],
  }),
  groups: {columns: {group_id: 'customerGroup.key'}, transforms: {'customerGroup.key': 'prefix:magento-'}},
  stores: {columns: {_store: 'stores.0.key'}, transforms: {'stores.0.key': 'slug-key'}},
}
