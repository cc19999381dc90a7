import * as v from 'valibot'
import {type ApiError, invalidOperation} from '../errors.js'
import {optional, Text} from '../rules.js'
import {type Address, type AddressRole, addressRoles, type Customer} from './customer.js'

const Choice = v.object({addressId: optional(Text), addressKey: optional(Text)})
type Choice = v.InferOutput<typeof Choice>

const given = ({addressId, addressKey}: Choice): number =>
  Number(addressId !== undefined) + Number(addressKey !== undefined)

/** Members of an action beside exactly one of `addressId` and `addressKey`. */
export const withAddressChoice = <M extends v.ObjectEntries>(members: M) =>
  v.pipe(
    v.object({...Choice.entries, ...members}),
    v.check((body) => given(body as Choice) === 1, "expected one of 'addressId' and 'addressKey'"),
  )

/** `addressId` or `addressKey`, or neither for no address. */
export const optionalAddressChoice = v.pipe(
  Choice,
  v.check((choice) => given(choice) < 2, "expected at most one of 'addressId' and 'addressKey'"),
)

export function missingAddress({addressId, addressKey}: Choice): ApiError {
  const which = addressId === undefined ? `the key ${addressKey}` : `the id ${addressId}`
  return invalidOperation(`Customer does not contain an address with ${which}.`)
}

/** The address that was chosen. Throws InvalidOperation if the customer has none such. */
export function chosenAddress(customer: Customer, {addressId, addressKey}: Choice): Address {
  const address = customer.addresses.find(({id, key}) =>
    addressId === undefined ? key !== undefined && key === addressKey : id === addressId,
  )
  if (address) return address
  throw missingAddress({addressId, addressKey})
}

export const rolesOf = (customer: Customer, addressId: string): AddressRole['name'][] =>
  addressRoles.flatMap(({name, ids}) => (customer[ids].includes(addressId) ? [name] : []))
