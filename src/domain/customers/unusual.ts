import {isAssignedCountry} from '../codes/countries.js'
import {isDeliverableEmail} from '../rules.js'

/** A value that the API stores but that is probably a mistake (decision 9). */
export interface UnusualValue {
  readonly kind: 'email' | 'country'
  readonly value: string
}

/** The kind of an unusual value, in words. */
export const unusualKinds: Readonly<Record<UnusualValue['kind'], string>> = {
  email: 'an email that is no mail address',
  country: 'a country code that ISO 3166 does not have',
}

interface Members {
  readonly email?: unknown
  readonly addresses?: unknown
}

const countryOf = (address: unknown): unknown =>
  typeof address === 'object' && address !== null ? (address as {country?: unknown}).country : undefined

/** An undeliverable email and countries unknown to ISO 3166, without repeats. */
export function unusualValues({email, addresses}: Members): UnusualValue[] {
  const found: UnusualValue[] = []
  if (typeof email === 'string' && !isDeliverableEmail(email)) found.push({kind: 'email', value: email})
  const countries = (Array.isArray(addresses) ? (addresses as unknown[]) : []).map(countryOf)
  for (const value of new Set(countries)) {
    if (typeof value === 'string' && !isAssignedCountry(value)) found.push({kind: 'country', value})
  }
  return found
}
