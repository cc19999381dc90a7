import * as v from 'valibot'
import {withMember} from '../../equal.js'
import {DateOnly, optional, Text} from '../../rules.js'
import type {Customer} from '../customer.js'
import {customerAction} from '../customer-action.js'

type PlainField =
  | 'firstName'
  | 'lastName'
  | 'middleName'
  | 'title'
  | 'salutation'
  | 'externalId'
  | 'companyName'
  | 'dateOfBirth'
  | 'vatId'

interface Setter {
  readonly field: PlainField
  readonly label: string
  readonly message?: string
  readonly my?: true
  readonly schema?: typeof Text | typeof DateOnly
}

/** An action that sets one member, and removes it when the value is left out. */
function setter({field, label, message, my, schema = Text}: Setter) {
  const name = `set${field.charAt(0).toUpperCase()}${field.slice(1)}`
  return customerAction({
    name,
    summary: `set or remove the ${label}`,
    sets: field,
    schema: v.object({[field]: optional(schema)}),
    messages: message ? [message] : [],
    ...(my ? {my} : {}),
    apply: (customer: Customer, body) => {
      const value = body[field]
      return {
        next: withMember(customer, field, value),
        messages: message ? [{type: message, payload: value === undefined ? {} : {[field]: value}}] : [],
      }
    },
  })
}

/** Actions that set one plain member. Source: API › Customer update actions. */
export const plainFields = [
  setter({field: 'firstName', label: 'first name', message: 'CustomerFirstNameSet', my: true}),
  setter({field: 'lastName', label: 'last name', message: 'CustomerLastNameSet', my: true}),
  setter({field: 'middleName', label: 'middle name', my: true}),
  setter({field: 'title', label: 'title', message: 'CustomerTitleSet', my: true}),
  setter({field: 'salutation', label: 'salutation', my: true}),
  setter({field: 'externalId', label: 'id in another system', message: 'CustomerExternalIdSet'}),
  setter({field: 'companyName', label: 'company name', message: 'CustomerCompanyNameSet', my: true}),
  setter({field: 'dateOfBirth', label: 'date of birth', message: 'CustomerDateOfBirthSet', my: true, schema: DateOnly}),
  setter({field: 'vatId', label: 'VAT id', my: true}),
]
