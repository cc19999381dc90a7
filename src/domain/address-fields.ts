import * as v from 'valibot'
import {limits} from '../work/limits.js'
import {type Field, fieldsFrom} from './field.js'
import {Country, Key, rule, Text} from './rules.js'

const {addressCharacters} = limits

/** The platform names no length; what an address is made of is short. */
const AddressText = v.pipe(
  Text,
  rule(
    (text: string) => text.length <= addressCharacters,
    `A text of an address has at most ${addressCharacters} characters.`,
  ),
)

/** The plain members of an address: what handles them loops over this table. Source: API › BaseAddress. */
export const addressFields = fieldsFrom<Field>({schema: AddressText})([
  {name: 'key', schema: Key, personal: 'key'},
  {name: 'title', personal: 'telling'},
  {name: 'salutation', personal: 'telling'},
  {name: 'firstName', personal: 'name', searched: true},
  {name: 'lastName', personal: 'name', searched: true},
  {name: 'streetName', label: 'street', personal: 'street', searched: true, aliases: ['street', 'address']},
  {name: 'streetNumber', label: 'house number', personal: 'shape', searched: 'alone', aliases: ['housenumber']},
  {name: 'additionalStreetInfo', personal: 'telling'},
  {name: 'postalCode', personal: 'postalCode', searched: true, aliases: ['zip', 'zipcode', 'postcode']},
  {name: 'city', personal: 'city', searched: true, aliases: ['town']},
  {name: 'region', personal: 'city', aliases: ['region']},
  {name: 'state', personal: 'city', aliases: ['state']},
  {name: 'country', schema: Country, personal: 'nothing', required: true},
  {name: 'company', personal: 'company', searched: true},
  {name: 'department', personal: 'telling'},
  {name: 'building', personal: 'telling'},
  {name: 'apartment', personal: 'shape'},
  {name: 'pOBox', label: 'PO box', personal: 'shape'},
  {name: 'phone', personal: 'phone', searched: true, aliases: ['phone', 'phone1', 'phonenumber', 'telephone']},
  {name: 'mobile', personal: 'phone', searched: true, aliases: ['mobile']},
  {name: 'email', personal: 'email', searched: true},
  {name: 'fax', personal: 'phone', searched: true, aliases: ['fax']},
  {name: 'additionalAddressInfo', personal: 'telling'},
  {name: 'externalId', label: 'id in another system', personal: 'key'},
])
