import {customFields, leftOut, numberedCountries, type Preset} from './preset.js'

/** Ids of the countries that every installation begins with. Later ones differ between versions of the shop. */
const countries =
  'DE AT BE CA CN ES FI FR GR IT JP LU NL PL PT CZ GB SE CH DK US HK NO AU SG IE NZ KR IL ZA NG CI TG BO MU RO SK DZ AS ' +
  'AD AO AI AG AR AM AW AZ BS BH BD BB BY BZ BJ BM BT BW BR BN BF MM BI KH CM CV CF TD CL CO KM CD CG CR HR CU CY DJ DM ' +
  'DO TL EC EG SV GQ ER EE ET FK FO FJ GA GM GE GH GD GL GI GP GU GT GG GN GW GY HT HM VA HN IS IN ID IR IQ IM JM JE JO ' +
  'KZ KE KI KP KW KG LA LV LB LS LR LY LI LT MO MK MG MW MY MV ML MT MH MQ MR HU YT MX FM MD MC MN ME MS MA MZ NA NR NP'

/** The tables of customers and of addresses, which belong together by `id_customer`. */
export const prestashop: Preset = {
  label: 'PrestaShop',
  header: [['id_customer', 'passwd', 'id_default_group']],
  mapping: {
    optionalColumns: true,
    where: {deleted: '0', is_guest: '0'},
    columns: {
      id_customer: ['key', 'externalId'],
      email: 'email',
      firstname: 'firstName',
      lastname: 'lastName',
      company: 'companyName',
      birthday: 'dateOfBirth',
      passwd: 'passwordHash',
    },
    transforms: {key: 'prefix:prestashop-', 'addresses.*.country': ['first', 'country']},
    aliases: {
      dateOfBirth: {'0000-00-00': ''},
      'addresses.*.country': numberedCountries(countries),
    },
    join: {
      column: 'id_customer',
      to: 'id_customer',
      where: {deleted: '0'},
      columns: {
        id_address: 'addresses.*.externalId',
        firstname: 'addresses.*.firstName',
        lastname: 'addresses.*.lastName',
        company: 'addresses.*.company',
        address1: 'addresses.*.streetName',
        address2: 'addresses.*.additionalStreetInfo',
        postcode: 'addresses.*.postalCode',
        city: 'addresses.*.city',
        iso_code: 'addresses.*.country',
        id_country: 'addresses.*.country',
        phone: 'addresses.*.phone',
        phone_mobile: 'addresses.*.mobile',
        other: 'addresses.*.additionalAddressInfo',
      },
    },
    leftOut: leftOut({
      'of the shop alone': [
        ...['id_shop_group', 'id_shop', 'id_lang', 'id_risk', 'active', 'optin', 'date_upd', 'show_public_prices'],
        ...['ip_registration_newsletter', 'newsletter_date_add', 'outstanding_allow_amount', 'max_payment_days'],
        'last_passwd_gen',
      ],
      'a secret of the shop': ['secure_key', 'reset_password_token', 'reset_password_validity'],
    }),
  },
  custom: customFields({
    id_gender: ['gender', 'text'],
    newsletter: ['newsletter', 'yes-no'],
    note: ['note', 'text'],
    website: ['website', 'text'],
    siret: ['siret', 'text'],
    ape: ['ape', 'text'],
    date_add: ['createdInShop', 'datetime:yyyy-mm-dd hh:mi:ss'],
  }),
  groups: {columns: {id_default_group: 'customerGroup.key'}, transforms: {'customerGroup.key': 'prefix:prestashop-'}},
}
