import {isAssignedCountry} from '../countries.js'
import {isDeliverableEmail} from '../rules.js'

/** What a customer's data holds that the API stores but a person should look at (decision 9). */
export interface UnusualValue {
  readonly kind: 'email' | 'country'
  readonly value: string
}

/** What an unusual value is, for a sentence. */
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

/** Emails that are no mail address and countries that ISO 3166 does not have, each at most once. */
export function unusualValues({email, addresses}: Members): UnusualValue[] {
  const found: UnusualValue[] = []
  if (typeof email === 'string' && !isDeliverableEmail(email)) found.push({kind: 'email', value: email})
  const countries = (Array.isArray(addresses) ? (addresses as unknown[]) : []).map(countryOf)
  for (const value of new Set(countries)) {
    if (typeof value === 'string' && !isAssignedCountry(value)) found.push({kind: 'country', value})
  }
  return found
}
