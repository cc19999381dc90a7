import {withMember} from '../../equal.js'
import {chosenAddress, optionalAddressChoice, withAddressChoice} from '../address-choice.js'
import {type AddressRole, addressRoles, type Customer} from '../customer.js'
import {addressAction} from '../customer-action.js'

const withId = (customer: Customer, {ids}: AddressRole, id: string): Customer =>
  customer[ids].includes(id) ? customer : {...customer, [ids]: [...customer[ids], id]}

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

const addId = (role: AddressRole) =>
  addressAction({
    name: `add${role.name}AddressId`,
    summary: `use an address for ${role.name.toLowerCase()}`,
    schema: withAddressChoice({}),
    messages: [`Customer${role.name}AddressAdded`],
    errors: ['InvalidOperation'],
    apply: (customer, choice) => {
      const address = chosenAddress(customer, choice)
      return {
        next: withId(customer, role, address.id),
        messages: [{type: `Customer${role.name}AddressAdded`, payload: {address}}],
      }
    },
  })

const removeId = (role: AddressRole) =>
  addressAction({
    name: `remove${role.name}AddressId`,
    summary: `stop using an address for ${role.name.toLowerCase()}`,
    schema: withAddressChoice({}),
    messages: [`Customer${role.name}AddressRemoved`],
    errors: ['InvalidOperation'],
    apply: (customer, choice) => {
      const address = chosenAddress(customer, choice)
      if (!customer[role.ids].includes(address.id)) return {next: customer}
      const without = {...customer, [role.ids]: customer[role.ids].filter((id) => id !== address.id)}
      const next = customer[role.byDefault] === address.id ? withMember(without, role.byDefault, undefined) : without
      return {next, messages: [{type: `Customer${role.name}AddressRemoved`, payload: {address}}]}
    },
  })

export const addressRoleActions = addressRoles.flatMap((role) => [setDefault(role), addId(role), removeId(role)])
