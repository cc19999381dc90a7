import type {Customer} from '../../domain/customers/customer.js'
import {isObject} from '../../domain/equal.js'
import {dialled, queryWords} from '../../domain/folded-text.js'
import {listAt, textAt} from '../output/fields.js'
import {type CallerField, callerFieldsIn} from '../target/caller-fields.js'
import type {Guard} from '../target/guards.js'

/** What the profiles that lead to a target have a caller asked, together. */
export const callerFieldsOf = (guards: readonly Guard[]): readonly CallerField[] => [
  ...new Set(
    guards.flatMap(({name, profile: {askCaller}}) =>
      askCaller === undefined ? [] : callerFieldsIn(askCaller, `askCaller of profile '${name}'`),
    ),
  ),
]

/** The values of a customer, any of which a caller may say. */
export const valuesOf = ({members, isOfAddress}: CallerField, customer: Customer): readonly string[] =>
  (isOfAddress ? customer.addresses : [customer])
    .flatMap((holder) => members.map((member) => textAt(holder, member)))
    .filter((value) => spellings(value).length > 0)

/** A copy of a customer with a mark in place of the fields, or without them. */
export function withHidden(customer: unknown, fields: readonly CallerField[], mark?: string): unknown {
  if (!isObject(customer) || fields.length === 0) return customer
  const hidden = (holder: unknown, isOfAddress: boolean): unknown => {
    const names = fields.filter((field) => field.isOfAddress === isOfAddress).flatMap(({members}) => members)
    const entries = Object.entries(isObject(holder) ? holder : {})
    return Object.fromEntries(
      entries.flatMap(([name, value]) => (names.includes(name) ? (mark ? [[name, mark]] : []) : [[name, value]])),
    )
  }
  const addresses = listAt(customer, 'addresses').map((address) => hidden(address, true))
  return {...(hidden(customer, false) as object), addresses}
}

/** Whether a caller said one of the values of a field, in any form in which people say it. */
export async function comparison() {
  const {datesIn} = await import('../input/dates-in.js')
  return ({name}: CallerField, typed: string, values: readonly string[]): boolean =>
    name === 'dateOfBirth'
      ? datesIn(typed).dates.some((date) => values.includes(date))
      : values.some((value) => (name === 'phone' ? isSameNumber : isSameText)(typed, value))
}

/** A text without case, accents, blanks and punctuation, as it may be spelled. */
const spellings = (value: string): readonly string[] => {
  const words = queryWords(value)
  return words.length === 0 ? [] : [words.map(([first]) => first).join(''), words.map((word) => word.at(-1)).join('')]
}

const isSameText = (typed: string, value: string): boolean => {
  const asked = spellings(typed)
  return spellings(value).some((spelling) => asked.includes(spelling))
}

const [minDigits, maxPrefix] = [6, 3]

/** Whether two telephone numbers are one, with and without the code of the country. */
function isSameNumber(typed: string, value: string): boolean {
  const [shorter = '', longer = ''] = [dialled(typed), dialled(value)].sort((a, b) => a.length - b.length)
  return shorter.length >= minDigits && longer.endsWith(shorter) && longer.length - shorter.length <= maxPrefix
}
