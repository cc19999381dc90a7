import type {Address, Customer} from './customer.js'
import type {DesiredAddress, DesiredCustom, DesiredCustomer} from './desired-customer.js'
import {isSameReference} from './diff-values.js'

/**
 * Whether a file has a member: `custom.fields.size`, `addresses.*.city`, or an object that holds one, `addresses.*.custom`.
 * What it has no column for stays as the customer has it.
 */
export type Covers = (path: string) => boolean

type CustomFields = NonNullable<Customer['custom']>

const fieldsOf = (fields: object, isKept: (name: string) => boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)))

/** The custom fields of a row beside those that its file does not have; another type has other fields. */
function completedFields(
  held: CustomFields | undefined,
  wanted: DesiredCustom | null | undefined,
  has: (name: string) => boolean,
): DesiredCustom | null | undefined {
  if (!held || wanted === null || (wanted && !isSameReference(held.type, wanted.type))) return wanted
  const others = fieldsOf(held.fields, (name) => !has(name))
  if (!wanted)
    return Object.keys(others).length === 0 ? undefined : ({type: held.type, fields: others} as DesiredCustom)
  return {...wanted, ...(wanted.fields ? {fields: {...others, ...wanted.fields}} : {})}
}

export const completedCustom = (current: Customer, desired: DesiredCustomer, covers: Covers): DesiredCustomer =>
  desired.custom
    ? {
        ...desired,
        custom: completedFields(current.custom, desired.custom, (name) => covers(`custom.fields.${name}`)) ?? null,
      }
    : desired

const [ofAddress, ofAddressField] = ['addresses.*.', 'addresses.*.custom.fields.']

/** What a file can say of an address: its id, and the members that the file has. */
export function coveredPart(address: Address, covers: Covers): Address {
  const {id, custom, ...members} = address
  const part = {id, ...fieldsOf(members, (name) => covers(ofAddress + name))} as Address
  if (!custom || !covers(`${ofAddress}custom`)) return part
  return {...part, custom: {...custom, fields: fieldsOf(custom.fields, (name) => covers(ofAddressField + name))}}
}

/** The address of a row with what its file does not have, as the customer has it. */
export function completedAddress(held: Address, wanted: DesiredAddress, covers: Covers): DesiredAddress {
  const {custom: heldFields, ...members} = held
  const rest = fieldsOf(members, (name) => !covers(ofAddress + name))
  const custom = covers(`${ofAddress}custom`)
    ? completedFields(heldFields, wanted.custom, (name) => covers(ofAddressField + name))
    : (heldFields as DesiredCustom | undefined)
  return {...rest, ...wanted, id: held.id, ...(custom === undefined ? {} : {custom})}
}
