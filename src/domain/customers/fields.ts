import {spelt} from '../equal.js'
import {type Field, fieldsFrom, byField as objectByField} from '../field.js'
import {Email, Key, LenientDate, Text} from '../rules.js'

/** A plain member of a customer: the field unit, with what its action, flag and views need. */
export interface CustomerField extends Field {
  /**
   * An action `set…` of this field is derived: it sets the member and removes it when the value is left out, and may tell
   * so by a message `Customer…Set`. Absent: an action of its own sets it, because it follows further rules.
   */
  readonly setter?: 'told' | 'silent'
  /** Customers may set and change it themselves, on `/me`. */
  readonly my?: true
  readonly fixed?: true
  readonly caseless?: true
  readonly identifies?: true
  /** Part of the displayed name, in the order of the table. */
  readonly namePart?: true
  /** The flag of `customers create`; the name in kebab case if absent. */
  readonly flag?: string
  /** Placeholder of the flag's value in help. */
  readonly helpValue?: string
  /** Label in cards; the general label if absent. */
  readonly header?: string
}

/** The plain members of a customer: what handles them loops over this table. Source: API › Customer. */
export const fieldRows = fieldsFrom<CustomerField>({schema: Text, searched: true})([
  {
    name: 'key',
    schema: Key,
    personal: 'key',
    identifies: true,
    helpValue: 'KEY',
    aliases: ['id', 'customerid', 'customerkey'],
  },
  {name: 'customerNumber', personal: 'key', identifies: true, fixed: true, header: 'number', aliases: ['number']},
  {
    name: 'externalId',
    label: 'id in another system',
    personal: 'key',
    identifies: true,
    setter: 'told',
    header: 'external id',
  },
  {
    name: 'email',
    label: 'email address',
    schema: Email,
    personal: 'email',
    identifies: true,
    required: true,
    my: true,
    helpValue: 'ADDRESS',
    header: 'email',
    aliases: ['mail', 'emailaddress'],
  },
  {name: 'salutation', personal: 'telling', setter: 'silent', my: true},
  {name: 'title', personal: 'telling', setter: 'told', my: true, namePart: true},
  {name: 'firstName', personal: 'name', setter: 'told', my: true, namePart: true, aliases: ['givenname', 'forename']},
  {name: 'middleName', personal: 'name', setter: 'silent', my: true, namePart: true},
  {name: 'lastName', personal: 'name', setter: 'told', my: true, namePart: true, aliases: ['surname', 'familyname']},
  {
    name: 'dateOfBirth',
    schema: LenientDate,
    leaf: 'date',
    personal: 'date',
    searched: false,
    setter: 'told',
    my: true,
    helpValue: 'YYYY-MM-DD',
    header: 'born',
    aliases: ['birthday', 'birthdate', 'dob'],
  },
  {
    name: 'companyName',
    personal: 'company',
    setter: 'told',
    my: true,
    flag: 'company',
    header: 'company',
    aliases: ['company', 'organization', 'organisation'],
  },
  {name: 'vatId', label: 'VAT id', personal: 'shape', setter: 'silent', my: true, aliases: ['vat', 'vatnumber']},
  {
    name: 'locale',
    label: 'preferred language',
    personal: 'nothing',
    searched: false,
    my: true,
    caseless: true,
    helpValue: 'TAG',
    header: 'locale',
    aliases: ['language'],
  },
])

export type CustomerFieldName = (typeof fieldRows)[number]['name']

/** Members by which people identify a customer beside its email: messages repeat them. */
export const userIdentifiers = fieldRows.flatMap(({name, identifies, required}) =>
  identifies && !required ? [name] : [],
)

export const byCustomerField = <T>(
  make: (field: CustomerField & {readonly name: CustomerFieldName}) => T,
): Record<CustomerFieldName, T> => objectByField(fieldRows, make)

/** The flag of a field, without its dashes: `first-name`. */
export const flagOf = ({name, flag}: CustomerField): string => flag ?? spelt(name, '-')
