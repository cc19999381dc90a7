import * as v from 'valibot'
import {rule} from '../rules.js'

let codes: ReadonlySet<string> | undefined

/** Whether a code is a currency of ISO 4217, by the data of this Node. */
export function isCurrency(code: string): boolean {
  codes ??= new Set(Intl.supportedValuesOf('currency'))
  return codes.has(code)
}

export const Currency = v.pipe(v.string(), rule(isCurrency, 'A currency is a code of ISO 4217, such as EUR.'))

const digits = new Map<string, number>()

/** Fraction digits of a currency: 2 for EUR, 0 for JPY. Formatters are costly to make, and currencies are few. */
export function fractionDigitsOf(currencyCode: string): number {
  const known = digits.get(currencyCode)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', {style: 'currency', currency: currencyCode})
  const found = format.resolvedOptions().maximumFractionDigits ?? 2
  if (isCurrency(currencyCode)) digits.set(currencyCode, found)
  return found
}
