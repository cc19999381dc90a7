import {addressFields} from '../address-fields.js'
import type {Customer} from '../customers/customer.js'
import {type CustomerField, fieldRows} from '../customers/fields.js'
import type {Field} from '../field.js'
import {folded} from '../folded-text.js'
import {phoneWords, wordsOf} from './words.js'

/**
 * The search text of a customer: when it was changed last, then a line for each value that a search looks into, with the
 * tag of its field and its words. Stores keep it beside the customer.
 *
 *     searchText({id: '1a6d', firstName: 'Hazel', lastModifiedAt: '2026-11-20T10:00:00.000Z'})
 *     // '0mwot5j40\nA 1a6d\nH hazel'
 */

export interface TextField {
  /** As requests name it: `lastName`, `addresses.city`. */
  readonly name: string
  /** One character, the first of its lines. */
  readonly tag: string
  readonly words: (value: string) => readonly string[]
  /** Part of the field `all`. */
  readonly inAll: boolean
  /** What it tells of a person, by which matches are ranked. */
  readonly tells: 'identity' | 'name' | 'other'
}

const inOne = (value: string): readonly string[] => [folded(value)]

type Untagged = Omit<TextField, 'tag'>

const ofField = ({name, personal, searched, ...row}: CustomerField): Untagged => ({
  name,
  words: row.leaf === 'date' ? inOne : personal === 'phone' ? phoneWords : wordsOf,
  inAll: searched === true,
  tells: row.identifies ? 'identity' : row.namePart ? 'name' : 'other',
})

const isKept = ({searched, leaf}: Field): boolean => Boolean(searched) || leaf === 'date'

const onCustomer: readonly Untagged[] = [
  {name: 'id', words: inOne, inAll: false, tells: 'identity'},
  ...fieldRows.filter(isKept).map(ofField),
]
const onAddress: readonly Untagged[] = addressFields
  .filter(isKept)
  .map((field: Field) => ({...ofField(field), tells: 'other' as const}))

const firstTag = 65

const tagged = (fields: readonly Untagged[], from: number): readonly TextField[] =>
  fields.map((field, at) => ({...field, tag: String.fromCharCode(firstTag + from + at)}))

const ofCustomer = tagged(onCustomer, 0)
const ofAddress = tagged(onAddress, ofCustomer.length)

/** The fields of search texts, as requests name them. */
export const textFields: readonly TextField[] = [
  ...ofCustomer,
  ...ofAddress.map((field) => ({...field, name: `addresses.${field.name}`})),
]

const stampCharacters = 9

/** A time such that later ones are greater as texts, which begins a search text. */
export const stampOf = (time: unknown): string =>
  (typeof time === 'string' ? Date.parse(time) || 0 : 0).toString(36).padStart(stampCharacters, '0')

export const stampIn = (text: string): string => text.slice(0, stampCharacters)

/** The most characters of a search text, and of one value in it: a search looks at no more of a customer (decision 70). */
const [textCharacters, valueCharacters] = [16_384, 1_024]

export function searchText(customer: object): string {
  const {addresses = [], lastModifiedAt} = customer as Partial<Customer>
  let text = stampOf(lastModifiedAt)
  for (const field of ofCustomer) text += lineOf(field, customer)
  for (const address of addresses) {
    if (text.length >= textCharacters) break
    for (const field of ofAddress) text += lineOf(field, address)
  }
  return text.length > textCharacters ? text.slice(0, text.lastIndexOf('\n', textCharacters)) : text
}

function lineOf({name, tag, words}: TextField, document: object): string {
  const value = (document as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? textLine(tag, words(value.slice(0, valueCharacters))) : ''
}

/** The line of a value: each word has a blank in front of it. */
export const textLine = (tag: string, words: readonly string[]): string => `\n${tag} ${words.join(' ')}`

/** Raised when `searchText` or its folding changes: indexes made by another release are made again. */
export const searchVersion = 4
