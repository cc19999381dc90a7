let codes: ReadonlySet<string> | undefined

/** Whether a code is a currency of ISO 4217, as this Node knows them. */
export function isCurrency(code: string): boolean {
  codes ??= new Set(Intl.supportedValuesOf('currency'))
  return codes.has(code)
}

/** Digits after the point of a currency's unit, e.g. 2 for EUR and 0 for JPY. */
export const fractionDigitsOf = (currencyCode: string): number =>
  new Intl.NumberFormat('en', {style: 'currency', currency: currencyCode}).resolvedOptions().maximumFractionDigits ?? 2
