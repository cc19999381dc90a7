import type {Mapping} from '../mapping/mapping.js'
import {customFields, leftOut, type Preset} from './preset.js'

const salutation = ['replace:/^not_specified$//']

function address(at: number, prefix: string): Required<Pick<Mapping, 'columns' | 'fallbacks' | 'transforms'>> {
  const to = (member: string): string => `addresses.${at}.${member}`
  return {
    columns: {
      [`${prefix}_title`]: to('title'),
      [`${prefix}_first_name`]: to('firstName'),
      [`${prefix}_last_name`]: to('lastName'),
      [`${prefix}_company`]: to('company'),
      [`${prefix}_department`]: to('department'),
      [`${prefix}_street`]: to('streetName'),
      [`${prefix}_additional_address_line1`]: to('additionalStreetInfo'),
      [`${prefix}_additional_address_line2`]: to('additionalAddressInfo'),
      [`${prefix}_zipcode`]: to('postalCode'),
      [`${prefix}_city`]: to('city'),
      [`${prefix}_country_state`]: to('state'),
      [`${prefix}_country`]: to('country'),
      [`${prefix}_phone_number`]: to('phone'),
    },
    fallbacks: {[to('externalId')]: `${prefix}_id`, [to('salutation')]: `${prefix}_salutation`},
    transforms: {[to('country')]: 'country', [to('salutation')]: salutation},
  }
}

const billing = address(0, 'billing')
const shipping = address(1, 'shipping')

export const shopware6: Preset = {
  label: 'Shopware 6',
  header: [['customer_number', 'billing_street', 'billing_zipcode']],
  mapping: {
    optionalColumns: true,
    columns: {
      id: ['key', 'externalId'],
      customer_number: 'customerNumber',
      email: 'email',
      salutation: 'salutation',
      title: 'title',
      first_name: 'firstName',
      last_name: 'lastName',
      company: 'companyName',
      birthday: 'dateOfBirth',
      vat_ids: 'vatId',
      password: 'passwordHash',
      ...billing.columns,
      ...shipping.columns,
    },
    fallbacks: {...billing.fallbacks, ...shipping.fallbacks},
    constants: {defaultBillingAddress: 0, defaultShippingAddress: 1},
    transforms: {
      salutation,
      dateOfBirth:
        'date:yyyy-mm-dd|yyyy-mm-dd hh:mi:ss|yyyy-mm-dd hh:mi:ss.ff|yyyy-mm-ddThh:mi:ss.ffzz|yyyy-mm-ddThh:mi:sszz',
      vatId: ['replace:/[\\[\\]" ]//', 'replace:/[|]/,/', 'part:1:,'],
      ...billing.transforms,
      ...shipping.transforms,
    },
    leftOut: leftOut({
      'of the shop alone': ['payment_method', 'account_type', 'remote_address', 'custom_fields', 'legacy_encoder'],
      'a secret of the shop': ['legacy_password', 'hash'],
      "map it with 'language=locale', if the project has its languages": ['language'],
    }),
  },
  custom: customFields({
    active: ['active', 'yes-no'],
    guest: ['guest', 'yes-no'],
    newsletter: ['newsletter', 'yes-no'],
    tags: ['tags', 'split:|'],
    affiliate_code: ['affiliateCode', 'text'],
    campaign_code: ['campaignCode', 'text'],
  }),
  groups: {columns: {customer_group: 'customerGroup.key'}, transforms: {'customerGroup.key': 'slug-key'}},
  stores: {columns: {sales_channel: 'stores.0.key'}, transforms: {'stores.0.key': 'slug-key'}},
}
