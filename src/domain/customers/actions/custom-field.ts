import * as v from 'valibot'
import {type CustomFields, type FieldChange, referencesIn, withCustomField} from '../../custom-fields.js'
import {equal} from '../../equal.js'
import type {MessageDraft} from '../../messages.js'
import {Text} from '../../rules.js'
import {chosenAddress} from '../address-choice.js'
import {customerAction} from '../customer-action.js'

const fieldMembers = {name: Text, value: v.optional(v.unknown())}

const needsOf = (custom: CustomFields | undefined, value: unknown) => [
  ...(custom ? [custom.type] : []),
  ...referencesIn(value),
]

function messageOf(change: FieldChange, prefix: string, name: string, extra: object): MessageDraft {
  switch (change.kind) {
    case 'removed':
      return {type: `${prefix}FieldRemoved`, payload: {name, ...extra}}
    case 'added':
      return {type: `${prefix}FieldAdded`, payload: {name, value: change.value, ...extra}}
    case 'changed': {
      const {value, previousValue} = change
      return {type: `${prefix}FieldChanged`, payload: {name, value, previousValue, ...extra}}
    }
  }
}

export const setCustomField = customerAction({
  name: 'setCustomField',
  summary: 'set one custom field, or remove its value',
  schema: v.object(fieldMembers),
  messages: ['CustomerCustomFieldAdded', 'CustomerCustomFieldChanged', 'CustomerCustomFieldRemoved'],
  errors: ['InvalidOperation', 'InvalidField', 'RequiredField'],
  my: true,
  needs: ({value}, customer) => needsOf(customer.custom, value),
  apply: (customer, {name, value}, facts) => {
    const change = withCustomField(customer.custom, name, value, facts, 'custom')
    if (equal(change.next, customer.custom)) return {next: customer}
    return {next: {...customer, custom: change.next}, messages: [messageOf(change, 'CustomerCustom', name, {})]}
  },
})

export const setAddressCustomField = customerAction({
  name: 'setAddressCustomField',
  summary: 'set one custom field of an address, or remove its value',
  schema: v.object({addressId: Text, ...fieldMembers}),
  messages: [
    'CustomerAddressCustomFieldAdded',
    'CustomerAddressCustomFieldChanged',
    'CustomerAddressCustomFieldRemoved',
  ],
  errors: ['InvalidOperation', 'InvalidField', 'RequiredField'],
  my: true,
  needs: ({addressId, value}, customer) => needsOf(customer.addresses.find(({id}) => id === addressId)?.custom, value),
  apply: (customer, {addressId, name, value}, facts) => {
    const address = chosenAddress(customer, {addressId})
    const change = withCustomField(address.custom, name, value, facts, 'address.custom')
    if (equal(change.next, address.custom)) return {next: customer}
    const addresses = customer.addresses.map((entry) => (entry === address ? {...entry, custom: change.next} : entry))
    const message = messageOf(change, 'CustomerAddressCustom', name, {addressId: address.id})
    return {next: {...customer, addresses}, messages: [message]}
  },
})
