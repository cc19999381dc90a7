import * as v from 'valibot'
import {limits} from '../../../limits.js'
import {AddressDraft, addressOf, checkAddressKey} from '../../address.js'
import {customFieldErrors, customReferencesOf} from '../../custom-fields.js'
import {ApiError} from '../../errors.js'
import {addressRelated} from '../customer.js'
import {customerAction} from '../customer-action.js'

export const addAddress = customerAction({
  name: 'addAddress',
  summary: 'append an address',
  fields: addressRelated,
  schema: v.object({address: AddressDraft}),
  messages: ['CustomerAddressAdded'],
  errors: ['DuplicateField', 'MaxResourceLimitExceeded', ...customFieldErrors],
  my: true,
  references: ({address}) => customReferencesOf(address.custom),
  apply: (customer, body, facts) => {
    if (customer.addresses.length >= limits.addresses) {
      throw ApiError.of('MaxResourceLimitExceeded', {limit: limits.addresses, exceededResource: 'address'})
    }
    const address = addressOf(body.address, facts.newAddressId(), facts)
    checkAddressKey(customer.addresses, address)
    const addresses = [...customer.addresses, address]
    return {next: {...customer, addresses}, messages: [{type: 'CustomerAddressAdded', payload: {address}}]}
  },
})
