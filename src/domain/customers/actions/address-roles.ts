import {withMember} from '../../equal.js'
import {chosenAddress, optionalAddressChoice, withAddressChoice} from '../address-choice.js'
import {type AddressRole, addressRoles, type Customer} from '../customer.js'
import {addressAction} from '../customer-action.js'

const withId = (customer: Customer, {ids}: AddressRole, id: string): Customer =>
  customer[ids].includes(id) ? customer : {...customer, [ids]: [...customer[ids], id]}

export function withoutId(customer: Customer, {ids, byDefault}: AddressRole, id: string): Customer {
  const without = withMember(
    customer,
    ids,
    customer[ids].filter((one) => one !== id),
  )
  return without[byDefault] === id ? withMember(without, byDefault, undefined) : without
}

const setDefault = (role: AddressRole) =>
  addressAction({
    name: `setDefault${role.name}Address`,
    summary: `make an address the default for ${role.name.toLowerCase()}, or unset the default`,
    schema: optionalAddressChoice,
    messages: [`CustomerDefault${role.name}AddressSet`],
    errors: ['InvalidOperation'],
    apply: (customer, choice) => {
      const type = `CustomerDefault${role.name}AddressSet`
      if (choice.addressId === undefined && choice.addressKey === undefined) {
        return {next: withMember(customer, role.byDefault, undefined), messages: [{type, payload: {}}]}
      }
      const address = chosenAddress(customer, choice)
      const next = withMember(withId(customer, role, address.id), role.byDefault, address.id)
      return {next, messages: [{type, payload: {address}}]}
    },
  })

type Next = (customer: Customer, role: AddressRole, id: string) => Customer

const change = (role: AddressRole, verb: 'add' | 'remove', summary: string, next: Next) => {
  const type = `Customer${role.name}Address${verb === 'add' ? 'Added' : 'Removed'}`
  return addressAction({
    name: `${verb}${role.name}AddressId`,
    summary: `${summary} an address for ${role.name.toLowerCase()}`,
    schema: withAddressChoice({}),
    messages: [type],
    errors: ['InvalidOperation'],
    apply: (customer, choice) => {
      const address = chosenAddress(customer, choice)
      return {next: next(customer, role, address.id), messages: [{type, payload: {address}}]}
    },
  })
}

export const addressRoleActions = addressRoles.flatMap((role) => [
  setDefault(role),
  change(role, 'add', 'use', withId),
  change(role, 'remove', 'stop using', withoutId),
])
