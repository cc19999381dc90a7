import type {Mapping} from '../mapping/mapping.js'
import {customFields, leftOut, type Preset} from './preset.js'

/** An address of the shop; names, company, phone and email alone make none. */
function address(at: number, prefix: string): Required<Pick<Mapping, 'columns' | 'fallbacks' | 'transforms'>> {
  const to = (member: string): string => `addresses.${at}.${member}`
  return {
    columns: {
      [`${prefix}_address_1`]: to('streetName'),
      [`${prefix}_address_2`]: to('additionalStreetInfo'),
      [`${prefix}_postcode`]: to('postalCode'),
      [`${prefix}_city`]: to('city'),
      [`${prefix}_country`]: to('country'),
    },
    fallbacks: {
      [to('firstName')]: `${prefix}_first_name`,
      [to('lastName')]: `${prefix}_last_name`,
      [to('company')]: `${prefix}_company`,
      [to('state')]: [`${prefix}_state_code`, `${prefix}_state`],
      [to('phone')]: `${prefix}_phone`,
      [to('email')]: `${prefix}_email`,
    },
    transforms: {[to('country')]: 'country'},
  }
}

const billing = address(0, 'billing')
const shipping = address(1, 'shipping')

/** Both usual exports: that of users with their meta data, and Customer/Order/Coupon Export. */
export const woocommerce: Preset = {
  label: 'WooCommerce',
  about:
    'users with billing_ and shipping_ columns, as Import Export Suite and Customer/Order/Coupon Export write them',
  header: [['billing_address_1', 'billing_postcode', 'shipping_address_1']],
  mapping: {
    optionalColumns: true,
    columns: {
      customer_id: ['key', 'externalId'],
      ID: ['key', 'externalId'],
      user_email: 'email',
      email: 'email',
      first_name: 'firstName',
      last_name: 'lastName',
      user_pass: 'passwordHash',
      ...billing.columns,
      ...shipping.columns,
    },
    fallbacks: {
      firstName: 'billing_first_name',
      lastName: 'billing_last_name',
      companyName: 'billing_company',
      ...billing.fallbacks,
      ...shipping.fallbacks,
    },
    constants: {defaultBillingAddress: 0, defaultShippingAddress: 1},
    transforms: {
      key: ['first', 'prefix:woo-'],
      externalId: 'first',
      email: 'first',
      ...billing.transforms,
      ...shipping.transforms,
    },
    leftOut: leftOut({
      'counted from orders': ['total_spent', 'order_count', 'orders', 'last_order_date', 'last_order', 'aov'],
      'of the shop alone': [
        ...['user_nicename', 'display_name', 'nickname', 'user_status', 'user_url', 'description', 'wp_capabilities'],
        ...['wp_user_level', 'rich_editing', 'syntax_highlighting', 'admin_color', 'use_ssl', 'last_update'],
        ...['show_admin_bar_front', 'show_welcome_panel', 'dismissed_wp_pointers', 'billing_full_name'],
        ...['shipping_full_name', 'shipping_method', 'wc_last_active'],
      ],
      'a secret of the shop': ['session_tokens', 'user_activation_key'],
      "map it with 'locale=locale' and the transform 'replace:/_/-/', if the project has its languages": ['locale'],
    }),
  },
  custom: customFields({
    user_login: ['login', 'text'],
    roles: ['roles', 'split:,'],
    user_registered: ['createdInShop', 'first', 'datetime:yyyy-mm-dd hh:mi:ss|yyyy-mm-dd'],
    date_registered: ['createdInShop', 'first', 'datetime:yyyy-mm-dd hh:mi:ss|yyyy-mm-dd'],
    paying_customer: ['payingCustomer', 'yes-no'],
  }),
}
