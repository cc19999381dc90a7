import * as v from 'valibot'
import {fractionDigitsOf} from '../codes/currencies.js'
import {invalidOperation} from '../errors.js'

/** Arithmetic on money without floating point: amounts are bigint, intermediate values are fractions. */

export const roundingModes = ['HalfEven', 'HalfUp', 'HalfDown'] as const
export type Rounding = (typeof roundingModes)[number]

const Whole = v.pipe(v.number(), v.safeInteger())

export const Money = v.looseObject({
  currencyCode: v.string(),
  centAmount: Whole,
  fractionDigits: v.exactOptional(v.pipe(Whole, v.minValue(0), v.maxValue(20))),
  /** High-precision money: the amount before rounding to `centAmount`, in units of its own `fractionDigits`. */
  preciseAmount: v.exactOptional(Whole),
})

export type Money = v.InferOutput<typeof Money>

export interface Fraction {
  readonly numerator: bigint
  /** Above zero. */
  readonly denominator: bigint
}

const decimalForm = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** The exact value of a number's decimal notation: 0.08875 is 8875/100000. */
export function fractionOf(decimal: number): Fraction {
  const [, sign = '', whole = '0', rest = '', exponent = '0'] = decimalForm.exec(String(decimal)) ?? []
  const digits = BigInt(`${sign}${whole}${rest}`)
  const scale = rest.length - Number(exponent)
  return scale < 0
    ? {numerator: digits * 10n ** BigInt(-scale), denominator: 1n}
    : {numerator: digits, denominator: 10n ** BigInt(scale)}
}

/** The nearest integer; the mode decides ties: to the even one, away from zero, or towards it. */
export function rounded({numerator, denominator}: Fraction, mode: Rounding): bigint {
  const sign = numerator < 0n ? -1n : 1n
  const size = numerator * sign
  const floor = size / denominator
  const doubled = (size % denominator) * 2n
  const isTie = doubled === denominator
  const up = isTie ? mode === 'HalfUp' || (mode === 'HalfEven' && floor % 2n === 1n) : doubled > denominator
  return sign * (up ? floor + 1n : floor)
}

/** An amount in the unit of `like`. Throws InvalidOperation beyond what JSON carries exactly. */
export function moneyOf(amount: bigint, like: Money): Money {
  const centAmount = Number(amount)
  if (!Number.isSafeInteger(centAmount)) throw invalidOperation(`The amount ${amount} is too large for a cart.`)
  const {preciseAmount: _, ...rest} = like
  return {...rest, type: 'centPrecision', centAmount}
}

export const amountOf = ({centAmount}: Money): bigint => BigInt(centAmount)

export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)

/** The price of `quantity` units, in the smallest unit of the currency of `like`. */
export function timesOf(unit: Money, quantity: number, like: Money, mode: Rounding): bigint {
  const {preciseAmount, fractionDigits, centAmount} = unit
  const finer = (fractionDigits ?? 0) - (like.fractionDigits ?? 0)
  if (preciseAmount === undefined || finer <= 0) return BigInt(centAmount) * BigInt(quantity)
  return rounded({numerator: BigInt(preciseAmount) * BigInt(quantity), denominator: 10n ** BigInt(finer)}, mode)
}

export const typedMoney = ({currencyCode, centAmount}: Pick<Money, 'currencyCode' | 'centAmount'>): Money => ({
  type: 'centPrecision',
  currencyCode,
  centAmount,
  fractionDigits: fractionDigitsOf(currencyCode),
})

export const zeroLike = (like: Money): Money => moneyOf(0n, like)

/** Throws InvalidOperation for money in another currency than the cart's. */
export function checkCurrency(currencyCode: string, {totalPrice}: {readonly totalPrice: Money}): void {
  if (currencyCode === totalPrice.currencyCode) return
  throw invalidOperation(`The cart is in ${totalPrice.currencyCode}, so nothing in it is priced in ${currencyCode}.`)
}
