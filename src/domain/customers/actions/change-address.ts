import {AddressDraft, addressOf, checkAddressKey} from '../../address.js'
import {customFieldErrors, customReferencesOf} from '../../custom-fields.js'
import {equal} from '../../equal.js'
import {chosenAddress, rolesOf, withAddressChoice} from '../address-choice.js'
import {addressRelated} from '../customer.js'
import {customerAction} from '../customer-action.js'

/** Replaces every member of an address but its id. */
export const changeAddress = customerAction({
  name: 'changeAddress',
  summary: 'replace an address, keeping its id',
  fields: addressRelated,
  schema: withAddressChoice({address: AddressDraft}),
  messages: ['CustomerAddressChanged'],
  errors: ['DuplicateField', ...customFieldErrors],
  my: true,
  references: ({address}) => customReferencesOf(address.custom),
  apply: (customer, body, facts) => {
    const old = chosenAddress(customer, body)
    const address = addressOf(body.address, old.id, facts)
    if (equal(address, old)) return {next: customer}
    checkAddressKey(customer.addresses, address)
    const addresses = customer.addresses.map((entry) => (entry.id === old.id ? address : entry))
    return {
      next: {...customer, addresses},
      messages: [{type: 'CustomerAddressChanged', payload: {address, addressRoles: rolesOf(customer, old.id)}}],
    }
  },
})
