import * as v from 'valibot'
import {limits} from '../work/limits.js'
import type {Field} from './field.js'
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
export const addressFields = [
  {name: 'key', label: 'key', schema: Key, personal: 'key'},
  {name: 'title', label: 'title', schema: AddressText, personal: 'telling'},
  {name: 'salutation', label: 'salutation', schema: AddressText, personal: 'telling'},
  {name: 'firstName', label: 'first name', schema: AddressText, personal: 'name', searched: true},
  {name: 'lastName', label: 'last name', schema: AddressText, personal: 'name', searched: true},
  {
    name: 'streetName',
    label: 'street',
    schema: AddressText,
    personal: 'street',
    searched: true,
    aliases: ['street', 'address'],
  },
  {
    name: 'streetNumber',
    label: 'house number',
    schema: AddressText,
    personal: 'shape',
    aliases: ['housenumber'],
  },
  {name: 'additionalStreetInfo', label: 'additional street info', schema: AddressText, personal: 'telling'},
  {
    name: 'postalCode',
    label: 'postal code',
    schema: AddressText,
    personal: 'postalCode',
    searched: true,
    aliases: ['zip', 'zipcode', 'postcode'],
  },
  {name: 'city', label: 'city', schema: AddressText, personal: 'city', searched: true, aliases: ['town']},
  {name: 'region', label: 'region', schema: AddressText, personal: 'city', aliases: ['region']},
  {name: 'state', label: 'state', schema: AddressText, personal: 'city', aliases: ['state']},
  {name: 'country', label: 'country', schema: Country, personal: 'nothing', required: true},
  {name: 'company', label: 'company', schema: AddressText, personal: 'company', searched: true},
  {name: 'department', label: 'department', schema: AddressText, personal: 'telling'},
  {name: 'building', label: 'building', schema: AddressText, personal: 'telling'},
  {name: 'apartment', label: 'apartment', schema: AddressText, personal: 'shape'},
  {name: 'pOBox', label: 'PO box', schema: AddressText, personal: 'shape'},
  {
    name: 'phone',
    label: 'phone',
    schema: AddressText,
    personal: 'phone',
    searched: true,
    aliases: ['phone', 'phone1', 'phonenumber', 'telephone'],
  },
  {name: 'mobile', label: 'mobile', schema: AddressText, personal: 'phone', searched: true, aliases: ['mobile']},
  {name: 'email', label: 'email', schema: AddressText, personal: 'email', searched: true},
  {name: 'fax', label: 'fax', schema: AddressText, personal: 'phone', searched: true, aliases: ['fax']},
  {name: 'additionalAddressInfo', label: 'additional address info', schema: AddressText, personal: 'telling'},
  {name: 'externalId', label: 'id in another system', schema: AddressText, personal: 'key'},
] as const satisfies readonly Field[]

export type AddressField = (typeof addressFields)[number]['name']
