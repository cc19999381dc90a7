import {defined, equal} from '../equal.js'
import type {Cart, CustomLineItem, LineItem, ShippingInfo} from './cart.js'
import {type Catalogue, type Product, type Variant, variantOf} from './catalogue.js'
import {amountOf, type Money, moneyOf, sumOf, timesOf} from './money.js'
import {priceFor} from './price.js'
import {type Taxation, taxationOf, taxesInAll} from './tax.js'

export interface Recalculation {
  readonly catalogue: Catalogue
  /** The customer's group, for group prices. Absent: none. */
  readonly customerGroup?: {readonly typeId: string; readonly id: string}
  /** ISO 8601, for the validity of prices. */
  readonly now: string
  /** Also updates name, variant, slug and product type of the lines. */
  readonly updateProductData?: boolean
  /** Leaves the tax rates as they are; amounts still follow the prices. */
  readonly keepTaxRates?: boolean
}

/**
 * The cart at today's prices and tax rates, without lines whose product or variant is gone (decision 33); the same
 * object if nothing differs. Throws MatchingPriceNotFound and MissingTaxRateForCountry.
 */
export function recalculated(cart: Cart, how: Recalculation): Cart {
  const ofCustomer: Cart = defined({...cart, customerGroup: how.customerGroup})
  const taxation = taxationOf(ofCustomer, how.catalogue, how.keepTaxRates === true)
  const lineItems = ofCustomer.lineItems.flatMap((line) => currentLine(line, ofCustomer, how, taxation) ?? [])
  const customLineItems = ofCustomer.customLineItems.map((line) => {
    const {money, taxCategory} = line
    return chargedLine(line, {unit: money, isSamePrice: true, category: taxCategory}, ofCustomer, taxation)
  })
  const next = withTotals({...ofCustomer, lineItems, customLineItems}, taxation)
  return equal(next, cart) ? cart : next
}

/** A line with the current data of its product; undefined if the product or variant is gone. */
function currentLine(line: LineItem, cart: Cart, how: Recalculation, taxation: Taxation): LineItem | undefined {
  const {catalogue, now, updateProductData} = how
  if (!catalogue.hasProducts) {
    return chargedLine(line, {unit: unitOf(line), isSamePrice: true, category: undefined}, cart, taxation)
  }
  const product = catalogue.products.get(line.productId)
  const variant = product && variantOf(product, line.variant.id)
  if (!variant) return undefined
  const price = hasOwnPrice(line) ? line.price : priceFor(line, variant, cart, now)
  const priced = {...line, price}
  const next = updateProductData ? withProductData(priced, product, variant) : priced
  const isSamePrice = equal(unitOf(line), unitOf(next))
  return chargedLine(next, {unit: unitOf(next), isSamePrice, category: product.taxCategory}, cart, taxation)
}

/** Whether a line's price is not from the catalogue: set by the shop, or of a gift. */
const hasOwnPrice = ({priceMode, lineItemMode}: LineItem): boolean =>
  priceMode !== 'Platform' || lineItemMode === 'GiftLineItem'

const unitOf = ({price}: LineItem): Money => price.discounted?.value ?? price.value

function withProductData(line: LineItem, product: Product, variant: Variant): LineItem {
  const {name, slug} = product.masterData.current
  const productType = line.productType?.id === product.productType?.id ? line.productType : product.productType
  return defined({
    ...line,
    name,
    productKey: product.key,
    productSlug: slug,
    productType,
    variant: {...variant, prices: [line.price]},
  })
}

function chargedLine<L extends LineItem | CustomLineItem>(
  line: L,
  basis: {readonly unit: Money; readonly isSamePrice: boolean; readonly category: {readonly id: string} | undefined},
  cart: Cart,
  taxation: Taxation,
): L {
  const {quantity, discountedPricePerQuantity, totalPrice} = line
  const discounts = basis.isSamePrice && covers(discountedPricePerQuantity, quantity) ? discountedPricePerQuantity : []
  const amount = totalOf(line, basis.unit, discounts, cart)
  const isSame = basis.isSamePrice && amount === amountOf(totalPrice)
  const total = isSame ? totalPrice : moneyOf(amount, cart.totalPrice)
  const taxes = taxation(line, basis.category, {amount, quantity, isSame})
  return defined({...line, ...taxes, totalPrice: total, discountedPricePerQuantity: discounts}) as L
}

type Discounts = LineItem['discountedPricePerQuantity']

/** Whether the discounts still apply: they were computed for one quantity, and their rules are not stored here. */
const covers = (discounts: Discounts, quantity: number): boolean =>
  discounts.length > 0 && discounts.reduce((sum, part) => sum + part.quantity, 0) === quantity

function totalOf(line: LineItem | CustomLineItem, unit: Money, discounts: Discounts, cart: Cart): bigint {
  const {priceRoundingMode, totalPrice} = cart
  // Its total was set as a whole and does not follow the quantity.
  if (line['priceMode'] === 'ExternalTotal') return amountOf(line.totalPrice)
  if (discounts.length === 0) return timesOf(unit, line.quantity, totalPrice, priceRoundingMode)
  return sumOf(
    discounts.map(({quantity, discountedPrice}) =>
      timesOf(discountedPrice.value, quantity, totalPrice, priceRoundingMode),
    ),
  )
}

function withTotals(cart: Cart, taxation: Taxation): Cart {
  const lines = [...cart.lineItems, ...cart.customLineItems]
  const subtotal = sumOf(lines.map(({totalPrice}) => amountOf(totalPrice)))
  const shippingInfo = cart.shippingInfo && shipped(cart.shippingInfo, subtotal, cart, taxation)
  const shipments = [shippingInfo, ...cart.shipping.map((shipping) => shipping.shippingInfo)].filter(
    (shipment) => shipment !== undefined,
  )
  const quantity = cart.lineItems.reduce((sum, line) => sum + line.quantity, 0)
  return defined({
    ...cart,
    shippingInfo,
    totalPrice: moneyOf(subtotal + sumOf(shipments.map(shippingCharge)), cart.totalPrice),
    taxedPrice: taxesInAll([...lines, ...shipments], cart.totalPrice),
    taxedShippingPrice: taxesInAll(shipments, cart.totalPrice),
    totalLineItemQuantity: cart.lineItems.length === 0 ? undefined : quantity,
  })
}

const shippingCharge = ({price, discountedPrice}: ShippingInfo): bigint => amountOf(discountedPrice?.value ?? price)

/** The shipping at its rate, free above `freeAbove`; tiered rates keep their price. */
function shipped(info: ShippingInfo, subtotal: bigint, cart: Cart, taxation: Taxation): ShippingInfo {
  const {shippingRate, price, taxCategory} = info
  const rate = shippingRate?.tiers.length === 0 ? shippingRate : undefined
  const isFree = rate?.freeAbove !== undefined && subtotal >= amountOf(rate.freeAbove)
  const full = rate ? amountOf(rate.price) : amountOf(price)
  const amount = isFree ? 0n : full
  const isSame = amount === amountOf(price)
  const next = isSame ? info : defined({...info, price: moneyOf(amount, cart.totalPrice), discountedPrice: undefined})
  const charge = {amount: shippingCharge(next), quantity: 1, isSame}
  return defined({...next, ...taxation(info, taxCategory, charge)})
}
