let codes: ReadonlySet<string> | undefined

/** Whether a code is a currency of ISO 4217, by the data of this Node. */
export function isCurrency(code: string): boolean {
  codes ??= new Set(Intl.supportedValuesOf('currency'))
  return codes.has(code)
}

/** Fraction digits of a currency: 2 for EUR, 0 for JPY. */
export const fractionDigitsOf = (currencyCode: string): number =>
  new Intl.NumberFormat('en', {style: 'currency', currency: currencyCode}).resolvedOptions().maximumFractionDigits ?? 2
