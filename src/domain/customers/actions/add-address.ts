import * as v from 'valibot'
import {AddressDraft, addressOf, checkAddressKeys} from '../../address.js'
import {customFieldErrors} from '../../custom-fields.js'
import {addressReferences} from '../address-references.js'
import {addressRelated} from '../customer.js'
import {customerAction} from '../customer-action.js'

export const addAddress = customerAction({
  name: 'addAddress',
  summary: 'append an address',
  fields: addressRelated,
  schema: v.object({address: AddressDraft}),
  messages: ['CustomerAddressAdded'],
  errors: ['DuplicateField', ...customFieldErrors],
  my: true,
  needs: ({address}) => addressReferences(address),
  apply: (customer, body, facts) => {
    const address = addressOf(body.address, facts.newAddressId(), facts)
    const addresses = [...customer.addresses, address]
    checkAddressKeys(addresses)
    return {next: {...customer, addresses}, messages: [{type: 'CustomerAddressAdded', payload: {address}}]}
  },
})
