import * as v from 'valibot'
import {limits} from '../../../work/limits.js'
import {AddressDraft, addressOf} from '../../address.js'
import {customFieldErrors, customReferencesOf} from '../../custom-fields.js'
import {equal, withMember} from '../../equal.js'
import {checkDistinct, checkRoom} from '../../errors.js'
import {chosenAddress, optionalAddressChoice, rolesOf, withAddressChoice} from '../address-choice.js'
import {type AddressRole, addressRoles, type Customer} from '../customer.js'
import {addressAction} from '../customer-action.js'

const addAddress = addressAction({
  name: 'addAddress',
  summary: 'append an address',
  schema: v.object({address: AddressDraft}),
  messages: ['CustomerAddressAdded'],
  errors: ['DuplicateField', 'MaxResourceLimitExceeded', ...customFieldErrors],
  references: ({address}) => customReferencesOf(address.custom),
  apply: (customer, body, facts) => {
    checkRoom(customer.addresses.length + 1, limits.addresses, 'address')
    const address = addressOf(body.address, facts.newAddressId(), facts)
    const addresses = [...customer.addresses, address]
    checkDistinct('addresses', 'key', addresses)
    return {next: {...customer, addresses}, messages: [{type: 'CustomerAddressAdded', payload: {address}}]}
  },
})

const changeAddress = addressAction({
  name: 'changeAddress',
  summary: 'replace an address, keeping its id',
  schema: withAddressChoice({address: AddressDraft}),
  messages: ['CustomerAddressChanged'],
  errors: ['DuplicateField', ...customFieldErrors],
  references: ({address}) => customReferencesOf(address.custom),
  apply: (customer, body, facts) => {
    const old = chosenAddress(customer, body)
    const address = addressOf(body.address, old.id, facts)
    if (equal(address, old)) return {next: customer}
    const addresses = customer.addresses.map((entry) => (entry.id === old.id ? address : entry))
    checkDistinct('addresses', 'key', addresses)
    return {
      next: {...customer, addresses},
      messages: [{type: 'CustomerAddressChanged', payload: {address, addressRoles: rolesOf(customer, old.id)}}],
    }
  },
})

const removeAddress = addressAction({
  name: 'removeAddress',
  summary: 'remove an address and its roles',
  schema: withAddressChoice({}),
  messages: ['CustomerAddressRemoved'],
  errors: ['InvalidOperation'],
  apply: (customer, choice) => {
    const address = chosenAddress(customer, choice)
    let next: Customer = {...customer, addresses: customer.addresses.filter(({id}) => id !== address.id)}
    for (const role of addressRoles) next = withoutId(next, role, address.id)
    const payload = {address, addressRoles: rolesOf(customer, address.id)}
    return {next, messages: [{type: 'CustomerAddressRemoved', payload}]}
  },
})

const withId = (customer: Customer, {ids}: AddressRole, id: string): Customer =>
  customer[ids].includes(id) ? customer : {...customer, [ids]: [...customer[ids], id]}

function withoutId(customer: Customer, {ids, byDefault}: AddressRole, id: string): Customer {
  const rest = customer[ids].filter((other) => other !== id)
  const next = withMember(customer, ids, rest)
  return next[byDefault] === id ? withMember(next, byDefault, undefined) : next
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

const moves = [
  {verb: 'add', summary: 'use an address for', done: 'Added', change: withId},
  {verb: 'remove', summary: 'stop using an address for', done: 'Removed', change: withoutId},
]

const changesOfRole = (role: AddressRole) =>
  moves.map(({verb, summary, done, change}) => {
    const type = `Customer${role.name}Address${done}`
    return addressAction({
      name: `${verb}${role.name}AddressId`,
      summary: `${summary} ${role.name.toLowerCase()}`,
      schema: withAddressChoice({}),
      messages: [type],
      errors: ['InvalidOperation'],
      apply: (customer, choice) => {
        const address = chosenAddress(customer, choice)
        return {next: change(customer, role, address.id), messages: [{type, payload: {address}}]}
      },
    })
  })

export const addressActions = [
  addAddress,
  changeAddress,
  removeAddress,
  ...addressRoles.flatMap((role) => [setDefault(role), ...changesOfRole(role)]),
]
