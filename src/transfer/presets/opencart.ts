import {customFields, leftOut, numberedCountries, type Preset} from './preset.js'

/** Ids of the countries, as every installation begins with them; `-` for those that are none any more. */
const countries =
  'AF AL DZ AS AD AO AI AQ AG AR AM AW AU AT AZ BS BH BD BB BY BE BZ BJ BM BT BO BA BW BV BR IO BN BG BF BI KH CM CA CV ' +
  'KY CF TD CL CN CX CC CO KM CG CK CR CI HR CU CY CZ DK DJ DM DO TL EC EG SV GQ ER EE ET FK FO FJ FI - FR GF PF TF GA ' +
  'GM GE DE GH GI GR GL GD GP GU GT GN GW GY HT HM HN HK HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KI KP KR KW KG LA LV ' +
  'LB LS LR LY LI LT LU MO MK MG MW MY MV ML MT MH MQ MR MU YT MX FM MD MC MN MS MA MZ MM NA NR NP NL - NC NZ NI NE NG ' +
  'NU NF MP NO OM PK PW PA PG PY PE PH PN PL PT PR QA RE RO RU RW KN LC VC WS SM ST SA SN SC SL SG SK SI SB SO ZA GS ES ' +
  'LK SH PM SD SR SJ SZ SE CH SY TW TJ TZ TH TG TK TO TT TN TR TM TC TV UG UA AE GB US UM UY UZ VU VA VE VN VG VI WF EH ' +
  'YE - CD ZM ZW - - ME RS AX BQ CW PS SS BL MF - - XK IM - GG JE'

/** The tables of customers and of addresses, which belong together by `customer_id`. */
export const opencart: Preset = {
  label: 'OpenCart',
  header: [['customer_id', 'customer_group_id', 'firstname', 'telephone']],
  mapping: {
    optionalColumns: true,
    columns: {
      customer_id: ['key', 'externalId'],
      email: 'email',
      firstname: 'firstName',
      lastname: 'lastName',
      password: 'passwordHash',
    },
    fallbacks: {'addresses.*.phone': 'telephone', 'addresses.*.fax': 'fax'},
    transforms: {key: 'prefix:opencart-', 'addresses.*.country': ['first', 'country']},
    aliases: {'addresses.*.country': numberedCountries(countries)},
    join: {
      column: 'customer_id',
      to: 'customer_id',
      columns: {
        address_id: 'addresses.*.externalId',
        firstname: 'addresses.*.firstName',
        lastname: 'addresses.*.lastName',
        company: 'addresses.*.company',
        address_1: 'addresses.*.streetName',
        address_2: 'addresses.*.additionalStreetInfo',
        postcode: 'addresses.*.postalCode',
        city: 'addresses.*.city',
        iso_code_2: 'addresses.*.country',
        country_id: 'addresses.*.country',
        default: ['addresses.*.isDefaultShipping', 'addresses.*.isDefaultBilling'],
      },
    },
    leftOut: leftOut({
      'of the shop alone': ['store_id', 'language_id', 'cart', 'wishlist', 'address_id', 'custom_field', 'ip', 'safe'],
      'a secret of the shop': ['salt', 'token', 'code'],
    }),
  },
  custom: customFields({
    status: ['active', 'yes-no'],
    newsletter: ['newsletter', 'yes-no'],
    date_added: ['createdInShop', 'datetime:yyyy-mm-dd hh:mi:ss'],
  }),
  groups: {columns: {customer_group_id: 'customerGroup.key'}, transforms: {'customerGroup.key': 'prefix:opencart-'}},
}
