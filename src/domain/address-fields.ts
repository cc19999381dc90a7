import type {Field} from './field.js'
import {Country, Key, Text} from './rules.js'

/**
 * The plain members of an address. Everything that handles them loops over this table, so that a new member is one row.
 * Source: API › BaseAddress.
 */
export const addressFields = [
  {name: 'key', label: 'key', schema: Key, personal: 'key', common: true},
  {name: 'title', label: 'title', schema: Text, personal: 'telling'},
  {name: 'salutation', label: 'salutation', schema: Text, personal: 'telling'},
  {name: 'firstName', label: 'first name', schema: Text, personal: 'name', searched: true},
  {name: 'lastName', label: 'last name', schema: Text, personal: 'name', searched: true},
  {
    name: 'streetName',
    label: 'street',
    schema: Text,
    personal: 'street',
    searched: true,
    aliases: ['street', 'address'],
    common: true,
  },
  {
    name: 'streetNumber',
    label: 'house number',
    schema: Text,
    personal: 'shape',
    aliases: ['housenumber'],
    common: true,
  },
  {name: 'additionalStreetInfo', label: 'additional street info', schema: Text, personal: 'telling'},
  {
    name: 'postalCode',
    label: 'postal code',
    schema: Text,
    personal: 'postalCode',
    searched: true,
    aliases: ['zip', 'zipcode', 'postcode'],
    common: true,
  },
  {name: 'city', label: 'city', schema: Text, personal: 'city', searched: true, aliases: ['town'], common: true},
  {name: 'region', label: 'region', schema: Text, personal: 'city', aliases: ['region']},
  {name: 'state', label: 'state', schema: Text, personal: 'city', aliases: ['state']},
  {name: 'country', label: 'country', schema: Country, personal: 'nothing', required: true, common: true},
  {name: 'company', label: 'company', schema: Text, personal: 'company', searched: true},
  {name: 'department', label: 'department', schema: Text, personal: 'telling'},
  {name: 'building', label: 'building', schema: Text, personal: 'telling'},
  {name: 'apartment', label: 'apartment', schema: Text, personal: 'shape'},
  {name: 'pOBox', label: 'PO box', schema: Text, personal: 'shape'},
  {
    name: 'phone',
    label: 'phone',
    schema: Text,
    personal: 'phone',
    searched: true,
    aliases: ['phone', 'phone1', 'phonenumber', 'telephone'],
    common: true,
  },
  {name: 'mobile', label: 'mobile', schema: Text, personal: 'phone', searched: true, aliases: ['mobile']},
  {name: 'email', label: 'email', schema: Text, personal: 'email', searched: true},
  {name: 'fax', label: 'fax', schema: Text, personal: 'phone', searched: true, aliases: ['fax']},
  {name: 'additionalAddressInfo', label: 'additional address info', schema: Text, personal: 'telling'},
  {name: 'externalId', label: 'id in another system', schema: Text, personal: 'key'},
] as const satisfies readonly Field[]

export type AddressField = (typeof addressFields)[number]['name']

/** Names of the free-text members, in the order of the API. */
export const addressTextMembers: readonly AddressField[] = addressFields
  .filter(({schema}) => (schema as unknown) === Text)
  .map(({name}) => name)
