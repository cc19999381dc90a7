import {type Field, byField as objectByField} from '../field.js'
import {Email, Key, LenientDate, Text} from '../rules.js'

/** A plain member of a customer: the field unit, with what its action, flag and views need. */
export interface CustomerField extends Field {
  /**
   * An action `set…` of this field is derived: it sets the member and removes it when the value is left out. Absent:
   * an action of its own sets it, because it follows further rules.
   */
  readonly set?: {readonly message?: string}
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
const customerFields = [
  {
    name: 'key',
    label: 'key',
    schema: Key,
    personal: 'key',
    searched: true,
    identifies: true,
    helpValue: 'KEY',
    aliases: ['id', 'customerid', 'customerkey'],
  },
  {
    name: 'customerNumber',
    label: 'customer number',
    schema: Text,
    personal: 'key',
    searched: true,
    identifies: true,
    fixed: true,
    header: 'number',
    aliases: ['number'],
  },
  {
    name: 'externalId',
    label: 'id in another system',
    schema: Text,
    personal: 'key',
    searched: true,
    identifies: true,
    set: {message: 'CustomerExternalIdSet'},
    header: 'external id',
  },
  {
    name: 'email',
    label: 'email address',
    schema: Email,
    personal: 'email',
    searched: true,
    identifies: true,
    required: true,
    my: true,
    helpValue: 'ADDRESS',
    header: 'email',
    aliases: ['mail', 'emailaddress'],
  },
  {name: 'salutation', label: 'salutation', schema: Text, personal: 'telling', searched: true, set: {}, my: true},
  {
    name: 'title',
    label: 'title',
    schema: Text,
    personal: 'telling',
    searched: true,
    set: {message: 'CustomerTitleSet'},
    my: true,
    namePart: true,
  },
  {
    name: 'firstName',
    label: 'first name',
    schema: Text,
    personal: 'name',
    searched: true,
    set: {message: 'CustomerFirstNameSet'},
    my: true,
    namePart: true,
    aliases: ['givenname', 'forename'],
  },
  {
    name: 'middleName',
    label: 'middle name',
    schema: Text,
    personal: 'name',
    searched: true,
    set: {},
    my: true,
    namePart: true,
  },
  {
    name: 'lastName',
    label: 'last name',
    schema: Text,
    personal: 'name',
    searched: true,
    set: {message: 'CustomerLastNameSet'},
    my: true,
    namePart: true,
    aliases: ['surname', 'familyname'],
  },
  {
    name: 'dateOfBirth',
    label: 'date of birth',
    schema: LenientDate,
    leaf: 'date',
    personal: 'date',
    set: {message: 'CustomerDateOfBirthSet'},
    my: true,
    helpValue: 'YYYY-MM-DD',
    header: 'born',
    aliases: ['birthday', 'birthdate', 'dob'],
  },
  {
    name: 'companyName',
    label: 'company name',
    schema: Text,
    personal: 'company',
    searched: true,
    set: {message: 'CustomerCompanyNameSet'},
    my: true,
    flag: 'company',
    header: 'company',
    aliases: ['company', 'organization', 'organisation'],
  },
  {
    name: 'vatId',
    label: 'VAT id',
    schema: Text,
    personal: 'shape',
    searched: true,
    set: {},
    my: true,
    aliases: ['vat', 'vatnumber'],
  },
  {
    name: 'locale',
    label: 'preferred language',
    schema: Text,
    personal: 'nothing',
    my: true,
    caseless: true,
    helpValue: 'TAG',
    header: 'locale',
    aliases: ['language'],
  },
] as const satisfies readonly CustomerField[]

export type CustomerFieldName = (typeof customerFields)[number]['name']

/** The rows without their literal types, for loops. */
export const fieldRows: readonly (CustomerField & {readonly name: CustomerFieldName})[] = customerFields

/** Members by which people identify a customer beside its email: messages repeat them. */
export const userIdentifiers = fieldRows.flatMap(({name, identifies, required}) =>
  identifies && !required ? [name] : [],
)

export const byCustomerField = <T>(
  make: (field: CustomerField & {readonly name: CustomerFieldName}) => T,
): Record<CustomerFieldName, T> => objectByField(fieldRows, make)

/** The flag of a field, without its dashes: `first-name`. */
export const flagOf = ({name, flag}: CustomerField): string =>
  flag ?? name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
