import * as v from 'valibot'
import {defined, withMember} from '../../equal.js'
import {optional} from '../../rules.js'
import type {Customer} from '../customer.js'
import {customerAction} from '../customer-action.js'
import {type CustomerField, fieldRows} from '../fields.js'

/** The name of the action that sets a field: `setFirstName`. */
const setterName = (field: string): string => `set${field.charAt(0).toUpperCase()}${field.slice(1)}`

/** An action that sets one member, and removes it when the value is left out. */
function setter({name, label, schema, my}: CustomerField, message: string | undefined) {
  return customerAction({
    name: setterName(name),
    summary: `set or remove the ${label}`,
    sets: name,
    fields: [name],
    schema: v.object({[name]: optional(schema)}),
    messages: message === undefined ? [] : [message],
    ...(my ? {my} : {}),
    apply: (customer: Customer, body) => ({
      next: withMember(customer, name as keyof Customer, body[name]),
      messages: message === undefined ? [] : [{type: message, payload: defined({[name]: body[name]})}],
    }),
  })
}

/** Actions that set one plain member, for each field that declares its setter. Source: API › Customer update actions. */
export const plainFields = fieldRows.flatMap((field) => (field.set ? [setter(field, field.set.message)] : []))
