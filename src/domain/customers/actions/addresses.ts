import * as v from 'valibot'
import {limits} from '../../../work/limits.js'
import {AddressDraft, addressOf, checkAddressKeys} from '../../address.js'
import {customFieldErrors, customReferencesOf} from '../../custom-fields.js'
import {equal} from '../../equal.js'
import {checkRoom} from '../../errors.js'
import {chosenAddress, rolesOf, withAddressChoice} from '../address-choice.js'
import {addressRoles, type Customer} from '../customer.js'
import {addressAction} from '../customer-action.js'
import {withoutId} from './address-roles.js'

export const addAddress = addressAction({
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
    checkAddressKeys(addresses)
    return {next: {...customer, addresses}, messages: [{type: 'CustomerAddressAdded', payload: {address}}]}
  },
})

export const changeAddress = addressAction({
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
    checkAddressKeys(addresses)
    return {
      next: {...customer, addresses},
      messages: [{type: 'CustomerAddressChanged', payload: {address, addressRoles: rolesOf(customer, old.id)}}],
    }
  },
})

export const removeAddress = addressAction({
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
