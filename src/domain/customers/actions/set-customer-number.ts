import * as v from 'valibot'
import {ApiError} from '../../errors.js'
import {optional, Text} from '../../rules.js'
import {customerAction} from '../customer-action.js'

/** Sets the customer number, which cannot be changed once it is set. */
export const setCustomerNumber = customerAction({
  name: 'setCustomerNumber',
  summary: 'give the customer number, once',
  fields: ['customerNumber'],
  sets: 'customerNumber',
  schema: v.object({customerNumber: optional(Text)}),
  messages: [],
  errors: ['DuplicateField', 'InvalidOperation'],
  apply: (customer, {customerNumber}) => {
    if (customerNumber === customer.customerNumber) return {next: customer}
    if (customer.customerNumber !== undefined || customerNumber === undefined) {
      throw ApiError.of('InvalidOperation', {message: 'A Customer number already exists and cannot be set again.'})
    }
    return {next: {...customer, customerNumber}}
  },
})
