import {withMember} from '../../equal.js'
import {chosenAddress, rolesOf, withAddressChoice} from '../address-choice.js'
import {addressRelated, type Customer} from '../customer.js'
import {customerAction} from '../customer-action.js'

/** Removes an address from the list and from all its roles. */
export const removeAddress = customerAction({
  name: 'removeAddress',
  summary: 'remove an address and its roles',
  fields: addressRelated,
  schema: withAddressChoice({}),
  messages: ['CustomerAddressRemoved'],
  errors: ['InvalidOperation'],
  my: true,
  apply: (customer, choice) => {
    const address = chosenAddress(customer, choice)
    const others = (ids: readonly string[]) => ids.filter((id) => id !== address.id)
    let next: Customer = {
      ...customer,
      addresses: customer.addresses.filter(({id}) => id !== address.id),
      shippingAddressIds: others(customer.shippingAddressIds),
      billingAddressIds: others(customer.billingAddressIds),
    }
    if (customer.defaultShippingAddressId === address.id) next = withMember(next, 'defaultShippingAddressId', undefined)
    if (customer.defaultBillingAddressId === address.id) next = withMember(next, 'defaultBillingAddressId', undefined)
    const payload = {address, addressRoles: rolesOf(customer, address.id)}
    return {next, messages: [{type: 'CustomerAddressRemoved', payload}]}
  },
})
