import {isAssignedCountry} from '../codes/countries.js'
import {isObject} from '../equal.js'
import {isDeliverableEmail} from '../rules.js'
import {isSecretPath} from '../secret-members.js'

/** A value that the API stores but that is probably a mistake (decision 9). */
export interface UnusualValue {
  readonly kind: 'email' | 'country' | 'shortened'
  readonly value: string
}

/** The kind of an unusual value, in words. */
export const unusualKinds: Readonly<Record<UnusualValue['kind'], string>> = {
  email: 'an email that is no mail address',
  country: 'a country code that ISO 3166 does not have',
  shortened: 'a number that a spreadsheet has shortened, whose other digits are gone',
}

interface Members {
  readonly email?: unknown
  readonly addresses?: unknown
}

/** What spreadsheets write for numbers that are too long: `6.45301E+12`, with a comma in half of the world. */
const shortened = /^[+-]?\d(?:[.,]\d+)?E\+\d{1,3}$/

/** The first text that is a shortened number. Runs for every row: a search for two letters comes before the pattern. */
function shortenedIn(members: object): string | undefined {
  for (const [name, value] of Object.entries(members) as [string, unknown][]) {
    if (typeof value !== 'string' || !value.includes('E+') || isSecretPath(name)) continue
    if (shortened.test(value.trim())) return value
  }
  return undefined
}

/** Undeliverable emails, countries unknown to ISO 3166 and shortened numbers: the first of each. */
export function unusualValues(draft: Members): UnusualValue[] {
  const {email, addresses} = draft
  const found: UnusualValue[] = []
  if (typeof email === 'string' && !isDeliverableEmail(email)) found.push({kind: 'email', value: email})
  let short = shortenedIn(draft)
  let unassigned: string | undefined
  for (const address of Array.isArray(addresses) ? (addresses as unknown[]) : []) {
    if (!isObject(address)) continue
    const {country} = address
    if (unassigned === undefined && typeof country === 'string' && !isAssignedCountry(country)) unassigned = country
    short ??= shortenedIn(address)
  }
  if (unassigned !== undefined) found.push({kind: 'country', value: unassigned})
  if (short !== undefined) found.push({kind: 'shortened', value: short})
  return found
}
