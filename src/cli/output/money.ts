/** An amount as the API writes it: whole units of the smallest coin, and how many digits follow the point. */
interface Amount {
  readonly currencyCode: string
  readonly centAmount: number
  readonly fractionDigits?: number
  readonly preciseAmount?: number
}

const isAmount = (value: unknown): value is Amount =>
  typeof value === 'object' &&
  value !== null &&
  'currencyCode' in value &&
  typeof value.currencyCode === 'string' &&
  'centAmount' in value &&
  Number.isSafeInteger(value.centAmount)

/** `2040.30 EUR`, `12000 JPY`: the digits of the money itself, without separators that readers could take for a point. */
export function moneyText(value: unknown): string {
  if (!isAmount(value)) return ''
  const {currencyCode, centAmount, preciseAmount = centAmount, fractionDigits = 2} = value
  const digits = Math.abs(preciseAmount)
    .toString()
    .padStart(fractionDigits + 1, '0')
  const whole = digits.slice(0, digits.length - fractionDigits)
  const fraction = fractionDigits === 0 ? '' : `.${digits.slice(-fractionDigits)}`
  return `${preciseAmount < 0 ? '-' : ''}${whole}${fraction} ${currencyCode}`
}
