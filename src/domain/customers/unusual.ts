import type {UpdateAction} from '../action.js'
import {isAssignedCountry} from '../codes/countries.js'
import {isObject} from '../equal.js'
import {isDeliverableEmail} from '../rules.js'
import {isSecretPath} from '../secret-members.js'
import type {Customer} from './customer.js'

/** The kinds of values that the API stores but that are probably a mistake (decision 9), in words. */
export const unusualKinds = {
  email: 'an email that is no mail address',
  country: 'a country code that ISO 3166 does not have',
  birth: 'a date of birth before 1900 or in the future',
  shortened: 'a number that a spreadsheet has shortened, without its other digits',
  placeholder: 'a text that stands for a missing value',
  damaged: 'a text whose characters were damaged on the way',
  guarded: 'a text that a spreadsheet had guarded or written as a number, and that is read without it',
  yearless: 'a day without a year, which is no date of birth and is left out',
  divided: 'a name that is divided into the first word and the rest, or at its comma',
  zeros: 'a number that loses the zeros at its start which the customer has',
  disabled: 'an account that is switched off',
} as const

/** What becomes of a value, unless its kind says it. */
export const unusualEnds: Partial<Record<keyof typeof unusualKinds, string>> = {
  ...{guarded: '', yearless: '', divided: ''},
  disabled: '; leave such rows out by "where" in a map file, or map the column to a custom field',
}

export interface UnusualValue {
  readonly kind: keyof typeof unusualKinds
  readonly value: string
  /** Of a value that a person should look over: the first ten. */
  readonly samples?: readonly string[]
}

interface Members {
  readonly email?: unknown
  readonly dateOfBirth?: unknown
  readonly addresses?: unknown
}

/** What spreadsheets write for numbers that are too long: `6.45301E+12`, with a comma in half of the world. */
const shortened = /^\s*[+-]?\d(?:[.,]\d+)?E\+\d{1,3}\s*$/i

/** What people and programs write where nothing is known. */
const placeholder =
  /^\s*(?:\(?null\)?|\\n|none|nil|nan|undefined|#?n\/a|k\.\s?a\.|-{1,3}|\.|\?+|x{3,}|unknown|unbekannt|(?:test|none|null|no-?e?mail|unknown)@.*)\s*$/i

/** UTF-8 that was read as Windows-1252, characters that were lost, and characters as HTML writes them. */
const damaged =
  /[\u00c3\u00c2][\u0080-\u00bf\u0178\u0160\u0161\u0152\u0153\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|\u00e2\u20ac|\ufffd|&(?:#\d{2,5}|#x[\da-f]{2,4}|[a-z]+(?:uml|acute|grave|circ|tilde|cedil|lig)|amp|quot);/i

/** What is unusual about a text whatever it means. Runs for every cell: cheap looks come before the patterns. */
export function unusualText(text: string): UnusualValue['kind'] | undefined {
  if (text.length <= 24 && text.includes('+') && shortened.test(text)) return 'shortened'
  if (text.length <= 64 && placeholder.test(text)) return 'placeholder'
  return /[&\u00c2\u00c3\u00e2\ufffd]/.test(text) && damaged.test(text) ? 'damaged' : undefined
}

/** Undeliverable emails, countries unknown to ISO 3166, births before 1900 and after `today`: the first of each. */
export function unusualValues({email, dateOfBirth, addresses}: Members, today: string): UnusualValue[] {
  const found: UnusualValue[] = []
  if (typeof email === 'string' && !isDeliverableEmail(email)) found.push({kind: 'email', value: email})
  if (typeof dateOfBirth === 'string' && (dateOfBirth > today || dateOfBirth < '1900'))
    found.push({kind: 'birth', value: dateOfBirth})
  for (const address of Array.isArray(addresses) ? (addresses as unknown[]) : []) {
    const country = isObject(address) ? address['country'] : undefined
    if (typeof country !== 'string' || isAssignedCountry(country)) continue
    found.push({kind: 'country', value: country})
    break
  }
  return found
}

/** Numbers of a customer that update actions leave without their zeros, as spreadsheets do, by the path of each. */
export function lostZeros({addresses, custom, ...plain}: Customer, actions: readonly UpdateAction[]) {
  return actions.flatMap(({action, addressId, address, name, value, ...members}) => {
    const [held, after, at]: readonly [object | undefined, object, string] =
      action === 'changeAddress'
        ? [addresses.find(({id}) => id === addressId), address as object, 'addresses.0.']
        : action === 'setCustomField'
          ? [custom?.fields, {[`${name}`]: value}, 'custom.fields.']
          : [plain, members, '']
    return Object.entries(after).flatMap(([member, text]) => {
      const former: unknown = held && Reflect.get(held, member)
      const isLost = typeof former === 'string' && /^0+\d/.test(former) && former.replace(/^0+(?=\d)/, '') === text
      return isLost ? [{path: at + member, value: `${text}`}] : []
    })
  })
}

export function unusualTexts(members: object): UnusualValue[] {
  const addresses: unknown = 'addresses' in members ? members.addresses : []
  return [members, ...(Array.isArray(addresses) ? (addresses as unknown[]).filter(isObject) : [])].flatMap((one) =>
    Object.entries(one).flatMap(([name, value]) => {
      const kind = typeof value === 'string' && !isSecretPath(name) ? unusualText(value) : undefined
      return kind === undefined ? [] : [{kind, value: value as string}]
    }),
  )
}
