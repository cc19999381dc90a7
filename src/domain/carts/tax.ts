import {defined, equal} from '../equal.js'
import {ApiError} from '../errors.js'
import type {Cart, TaxedPrice, TaxRate} from './cart.js'
import type {Catalogue} from './catalogue.js'
import {amountOf, fractionOf, type Money, moneyOf, rounded, sumOf} from './money.js'

export interface Taxable {
  readonly taxRate?: TaxRate
  readonly taxedPrice?: TaxedPrice
}

/** An amount in the smallest unit of the currency, for a number of units. */
interface Charge {
  readonly amount: bigint
  readonly quantity: number
  /** Whether the existing taxes were computed from this amount. */
  readonly isSame: boolean
}

interface Taxes {
  readonly taxRate: TaxRate | undefined
  readonly taxedPrice: TaxedPrice | undefined
}

/** Computes the taxes of one part of a cart, whose tax category is `category`. */
export type Taxation = (part: Taxable, category: {readonly id: string} | undefined, charge: Charge) => Taxes

/**
 * The taxation of a cart. With `keepRates`, for carts with external taxes and in projects without products it keeps the
 * existing rates; otherwise it looks them up (decision 33).
 */
export function taxationOf(cart: Cart, catalogue: Catalogue, keepRates: boolean): Taxation {
  const {taxMode, shippingMode} = cart
  const isSingle = shippingMode !== 'Multiple'
  if (!keepRates && catalogue.hasProducts && taxMode === 'Platform' && isSingle) {
    return (_, category, charge) => {
      const taxRate = category && rateAt(cart, category.id, catalogue)
      return {taxRate, taxedPrice: taxRate && taxedAt(taxRate, charge, cart)}
    }
  }
  const isComputed = isSingle && (taxMode === 'Platform' || taxMode === 'External')
  return ({taxRate, taxedPrice}, _, charge) => {
    if (charge.isSame) return {taxRate, taxedPrice}
    return {taxRate, taxedPrice: isComputed && taxRate ? taxedAt(taxRate, charge, cart) : undefined}
  }
}

/** The rate for the shipping address: of its state, else of its country. Throws MissingTaxRateForCountry. */
function rateAt({shippingAddress}: Cart, categoryId: string, {taxCategories}: Catalogue): TaxRate | undefined {
  if (!shippingAddress) return undefined
  const {country, state} = shippingAddress
  const ofCountry = (taxCategories.get(categoryId)?.rates ?? []).filter((rate) => rate.country === country)
  const rate =
    ofCountry.find((candidate) => candidate.state !== undefined && candidate.state === state) ??
    ofCountry.find((candidate) => candidate.state === undefined)
  if (rate) return rate
  const place = {country, ...defined({state})}
  throw ApiError.of('MissingTaxRateForCountry', {taxCategoryId: categoryId, ...place})
}

function taxedAt(rate: TaxRate, charge: Pick<Charge, 'amount' | 'quantity'>, cart: Cart): TaxedPrice {
  const {numerator, denominator} = fractionOf(rate.amount)
  const {taxCalculationMode, taxRoundingMode, totalPrice} = cart
  const {amount} = charge
  const quantity = BigInt(charge.quantity)
  // A discounted total that the quantity does not divide has no unit price to tax.
  const byUnit = taxCalculationMode === 'UnitPriceLevel' && quantity > 0n && amount % quantity === 0n
  const times = byUnit ? quantity : 1n
  const taxed = {
    numerator: (amount / times) * numerator,
    denominator: rate.includedInPrice ? denominator + numerator : denominator,
  }
  const tax = rounded(taxed, taxRoundingMode) * times
  const net = rate.includedInPrice ? amount - tax : amount
  return {
    totalNet: moneyOf(net, totalPrice),
    totalGross: moneyOf(net + tax, totalPrice),
    taxPortions: [{rate: rate.amount, amount: moneyOf(tax, totalPrice), name: rate.name}],
    totalTax: moneyOf(tax, totalPrice),
  }
}

/** The taxes of a whole cart; undefined while any part is untaxed. */
export function taxesInAll(parts: readonly Taxable[], like: Money): TaxedPrice | undefined {
  const taxes = parts.flatMap(({taxedPrice}) => taxedPrice ?? [])
  if (taxes.length === 0 || taxes.length < parts.length) return undefined
  const portions: TaxedPrice['taxPortions'] = []
  for (const portion of taxes.flatMap(({taxPortions}) => taxPortions)) {
    const at = portions.findIndex(({rate, name}) => equal([rate, name], [portion.rate, portion.name]))
    const present = portions[at]
    if (!present) portions.push(portion)
    else portions[at] = {...present, amount: moneyOf(amountOf(present.amount) + amountOf(portion.amount), like)}
  }
  const sum = (member: 'totalNet' | 'totalGross' | 'totalTax') =>
    moneyOf(sumOf(taxes.map((tax) => amountOf(tax[member]))), like)
  return {
    totalNet: sum('totalNet'),
    totalGross: sum('totalGross'),
    taxPortions: portions,
    totalTax: sum('totalTax'),
  }
}
