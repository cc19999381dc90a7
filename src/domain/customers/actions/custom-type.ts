import * as v from 'valibot'
import type {Facts} from '../../action.js'
import {type CustomFields, customFieldsOf, FieldValues, referencesIn, withTypeOf} from '../../custom-fields.js'
import {withMember} from '../../equal.js'
import type {MessageDraft} from '../../messages.js'
import {identifierOf} from '../../references.js'
import {optional, Text} from '../../rules.js'
import {chosenAddress} from '../address-choice.js'
import {customerAction} from '../customer-action.js'

const typeMembers = {type: optional(identifierOf('type')), fields: optional(FieldValues)}

interface TypeBody {
  readonly type?: {readonly id?: string; readonly key?: string} | undefined
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

const needsOf = ({type, fields}: TypeBody) => (type ? [{...type, typeId: 'type'}, ...referencesIn(fields)] : [])

/** The new custom fields of a resource and the message about them, named by `prefix`. */
function changeType(
  old: CustomFields | undefined,
  {type, fields}: TypeBody,
  resourceTypeId: string,
  facts: Facts,
  prefix: string,
  extra: object,
): {custom: CustomFields | undefined; message: MessageDraft} {
  const previousTypeId = old ? {previousTypeId: old.type.id} : {}
  if (!type) return {custom: undefined, message: {type: `${prefix}TypeRemoved`, payload: {...previousTypeId, ...extra}}}
  const custom = customFieldsOf({type, fields}, resourceTypeId, facts, 'custom')
  return {custom, message: {type: `${prefix}TypeSet`, payload: {customFields: custom, ...previousTypeId, ...extra}}}
}

export const setCustomType = customerAction({
  name: 'setCustomType',
  summary: 'set the custom type and its fields, or remove them',
  schema: v.pipe(v.looseObject({}), v.transform(withTypeOf), v.object(typeMembers)),
  messages: ['CustomerCustomTypeSet', 'CustomerCustomTypeRemoved'],
  errors: ['RequiredField', 'InvalidField', 'InvalidOperation', 'ReferencedResourceNotFound'],
  my: true,
  needs: needsOf,
  apply: (customer, body, facts) => {
    const {custom, message} = changeType(customer.custom, body, 'customer', facts, 'CustomerCustom', {})
    return {next: withMember(customer, 'custom', custom), messages: [message]}
  },
})

export const setAddressCustomType = customerAction({
  name: 'setAddressCustomType',
  summary: 'set the custom type of an address and its fields, or remove them',
  schema: v.pipe(v.looseObject({}), v.transform(withTypeOf), v.object({addressId: Text, ...typeMembers})),
  messages: ['CustomerAddressCustomTypeSet', 'CustomerAddressCustomTypeRemoved'],
  errors: ['RequiredField', 'InvalidField', 'InvalidOperation', 'ReferencedResourceNotFound'],
  my: true,
  needs: needsOf,
  apply: (customer, body, facts) => {
    const address = chosenAddress(customer, {addressId: body.addressId})
    const extra = {addressId: address.id}
    const {custom, message} = changeType(address.custom, body, 'address', facts, 'CustomerAddressCustom', extra)
    const next = withMember(address, 'custom', custom)
    if (next === address) return {next: customer}
    const addresses = customer.addresses.map((entry) => (entry === address ? next : entry))
    return {next: {...customer, addresses}, messages: [message]}
  },
})
