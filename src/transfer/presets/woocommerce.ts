import type {Mapping} from '../mapping/mapping.js'
import {customFields, leftOut, type Preset} from './preset.js'

/** An address of the shop; names, company, phone and email alone make none. */
function address(at: number, prefix: string): Required<Pick<Mapping, 'columns' | 'fallbacks' | 'transforms'>> {
  const to = (member: string): string => `addresses.${at}.${member}`
  return {
    columns: {
      [`${prefix}address_1`]: to('streetName'),
      [`${prefix}address_2`]: to('additionalStreetInfo'),
      [`${prefix}postcode`]: to('postalCode'),
      [`${prefix}city`]: to('city'),
      [`${prefix}country`]: to('country'),
    },
    fallbacks: {
      [to('firstName')]: `${prefix}first_name`,
      [to('lastName')]: `${prefix}last_name`,
      [to('company')]: `${prefix}company`,
      [to('state')]: [`${prefix}state_code`, `${prefix}state`],
      [to('phone')]: `${prefix}phone`,
      [to('email')]: `${prefix}email`,
    },
    transforms: {[to('country')]: 'country'},
  }
}

/** What both exports have, `.` or `_` between an address and its member. */
function parts(mark: '_' | '.') {
  const [billing, shipping] = [address(0, `billing${mark}`), address(1, `shipping${mark}`)]
  const own = {email: 'email', first_name: 'firstName', last_name: 'lastName'}
  const fallbacks = {
    firstName: `billing${mark}first_name`,
    lastName: `billing${mark}last_name`,
    companyName: `billing${mark}company`,
    ...billing.fallbacks,
    ...shipping.fallbacks,
  }
  return {
    columns: {...own, ...billing.columns, ...shipping.columns},
    fallbacks,
    constants: {defaultBillingAddress: 0, defaultShippingAddress: 1},
    transforms: {...billing.transforms, ...shipping.transforms},
  }
}

const [table, rest] = [parts('_'), parts('.')]

/** Both usual exports: that of users with their meta data, and Customer/Order/Coupon Export. */
export const woocommerce: Preset = {
  label: 'WooCommerce',
  header: [['billing_address_1', 'billing_postcode', 'shipping_address_1']],
  mapping: {
    ...table,
    optionalColumns: true,
    columns: {
      customer_id: ['key', 'externalId'],
      ID: ['key', 'externalId'],
      user_email: 'email',
      user_pass: 'passwordHash',
      ...table.columns,
    },
    transforms: {key: ['first', 'prefix:woo-'], externalId: 'first', email: 'first', ...table.transforms},
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

/** Customers as the REST API answers them. */
export const woocommerceRest: Preset = {
  label: 'WooCommerce (REST)',
  header: [['billing.address_1', 'is_paying_customer']],
  mapping: {
    ...rest,
    columns: {id: ['key', 'externalId'], ...rest.columns},
    transforms: {key: 'prefix:woo-', ...rest.transforms},
    leftOut: leftOut({
      'of the shop alone': [
        ...['date_created_gmt', 'date_modified', 'date_modified_gmt', 'avatar_url', '_links', 'meta_data'],
      ],
    }),
  },
  custom: customFields({
    username: ['login', 'text'],
    role: ['roles', 'split:,'],
    date_created: ['createdInShop', 'datetime:yyyy-mm-ddThh:mi:ss'],
    is_paying_customer: ['payingCustomer', 'yes-no'],
  }),
}
