import {addressFields} from '../address-fields.js'
import type {Field} from '../field.js'
import {foldings, phoneDigits} from '../folded-text.js'
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

function* texts(document: object, pieces: readonly Piece[]): Generator<string> {
  for (const [name, split] of pieces) {
    const value: unknown = Reflect.get(document, name)
    if (typeof value === 'string') yield* split(value)
  }
}

/**
 * Everything that a search finds a customer by, folded, a line for each value; what is part of another value is left
 * out. The id is not in it: it is found by its start.
 */
export function searchText(customer: object): string {
  const {addresses = []} = customer as Partial<Customer>
  const all = [...texts(customer, ofCustomer), ...addresses.flatMap((address) => [...texts(address, ofAddress)])]
  let text = ''
  for (const piece of [...new Set(all)].sort((a, b) => b.length - a.length)) {
    if (!text.includes(piece)) text += text === '' ? piece : `\n${piece}`
  }
  return text
}

/** Raised when `searchText` or its folding changes: indexes made by another release are made again. */
export const searchVersion = 1
