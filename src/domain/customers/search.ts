import {addressFields} from '../address-fields.js'
import type {Field} from '../field.js'
import {foldings, phoneDigits} from '../search/folded-text.js'
import type {Customer} from './customer.js'
import {fieldRows} from './fields.js'

type Piece = readonly [name: string, pieces: (value: string) => readonly string[]]

const digits = (value: string): readonly string[] => [phoneDigits(value)]

const piecesOf = (fields: readonly (Field & {readonly name: string})[]): readonly Piece[] =>
  fields
    .filter(({searched}) => searched)
    .map(({name, personal}) => [name, personal === 'phone' ? digits : foldings] as const)

const ofCustomer = piecesOf(fieldRows)
const ofAddress = piecesOf(addressFields)

/**
 * Everything that a search finds a customer by, folded, a line for each value; what is part of an earlier one is left
 * out. The id is not in it: it is found by its start.
 */
export function searchText(customer: object): string {
  const {addresses = []} = customer as Partial<Customer>
  let text = added('', customer, ofCustomer)
  for (const address of addresses) text = added(text, address, ofAddress)
  return text
}

function added(text: string, document: object, pieces: readonly Piece[]): string {
  let all = text
  for (const [name, split] of pieces) {
    const value = (document as Readonly<Record<string, unknown>>)[name]
    if (typeof value !== 'string') continue
    for (const piece of split(value)) if (!all.includes(piece)) all += all === '' ? piece : `\n${piece}`
  }
  return all
}

/** Raised when `searchText` or its folding changes: indexes made by another release are made again. */
export const searchVersion = 1
