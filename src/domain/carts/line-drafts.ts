import * as v from 'valibot'
import {limits} from '../../work/limits.js'
import type {Facts} from '../action.js'
import {Localized} from '../collections/localized.js'
import {CustomFieldsDraft, customFieldsOf} from '../custom-fields.js'
import {defined} from '../equal.js'
import {ApiError, invalidOperation} from '../errors.js'
import {isoTime} from '../iso-time.js'
import {identifierOf, type WantedReference} from '../references.js'
import {Key, listOf, optional, Text} from '../rules.js'
import type {Cart, CustomLineItem, LineItem, Price} from './cart.js'
import {type Product, type Variant, variantOf, variantsOf} from './catalogue.js'
import {checkCurrency, typedMoney, zeroLike} from './money.js'
import {priceFor} from './price.js'

export const inventoryModes = ['None', 'TrackOnly', 'ReserveOnOrder', 'ReserveOnCart'] as const

const Quantity = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** What a draft says of money: the digits follow from the currency. */
const MoneyDraft = v.object({currencyCode: Text, centAmount: v.pipe(v.number(), v.safeInteger())})

/** A member that would change the sum of a cart, and that nothing here computes: a draft must not have it. */
export const Uncomputed = optional(v.unknown())

/** Throws InvalidOperation for the first of these members that a draft has. */
export function refuseUncomputed(draft: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const name = names.find((one) => draft[one] !== undefined)
  if (name === undefined) return
  throw invalidOperation(`This server does not compute what '${name}' changes of the sum of a cart: leave it out.`)
}

const ofLines = ['externalTotalPrice', 'externalTaxRate', 'perMethodExternalTaxRate'] as const

const Instant = v.pipe(
  v.string(),
  v.isoTimestamp('expected a date and time in the form YYYY-MM-DDThh:mm:ss.sssZ'),
  v.transform((text) => isoTime(Date.parse(text))),
)

/** To which of the addresses of items how many units go. Source: API › ItemShippingDetailsDraft. */
const ShippingDetails = v.object({
  targets: listOf(
    v.object({
      addressKey: Text,
      quantity: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      shippingMethodKey: optional(Text),
    }),
    limits.addresses,
  ),
})

const recurring = {recurrencePolicy: identifierOf('recurrence-policy')}

/** What customers and visitors say of a line of their own: no prices. Source: API › MyLineItemDraft. */
const ownMembers = {
  key: optional(Key),
  productId: optional(Text),
  variantId: optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  sku: optional(Text),
  quantity: optional(Quantity),
  distributionChannel: optional(identifierOf('channel')),
  supplyChannel: optional(identifierOf('channel')),
  addedAt: optional(Instant),
  shippingDetails: optional(ShippingDetails),
  recurrenceInfo: optional(v.object({...recurring, priceSelectionMode: v.picklist(['Fixed', 'Dynamic'])})),
  custom: optional(CustomFieldsDraft),
}

const namesOneVariant = <T extends {readonly productId?: unknown; readonly sku?: unknown}>() =>
  v.check<T, string>(
    ({productId, sku}) => (productId === undefined) !== (sku === undefined),
    "expected a line item with either 'sku' or 'productId', and not both",
  )

export const MyLineItemDraft = v.pipe(v.object(ownMembers), namesOneVariant())

/** A variant of a product, by SKU or by product and number. Source: API › LineItemDraft. */
export const LineItemDraft = v.pipe(
  v.object({
    ...ownMembers,
    externalPrice: optional(MoneyDraft),
    externalTotalPrice: Uncomputed,
    externalTaxRate: Uncomputed,
    perMethodExternalTaxRate: Uncomputed,
    inventoryMode: optional(v.picklist(inventoryModes)),
  }),
  namesOneVariant(),
)

export const CustomLineItemDraft = v.object({
  key: optional(Key),
  name: Localized,
  slug: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{2,256}$/)),
  money: MoneyDraft,
  quantity: optional(Quantity),
  taxCategory: optional(identifierOf('tax-category')),
  externalTaxRate: Uncomputed,
  priceMode: optional(v.picklist(['Standard', 'External'])),
  shippingDetails: optional(ShippingDetails),
  recurrenceInfo: optional(v.object(recurring)),
  custom: optional(CustomFieldsDraft),
})

export type LineItemDraft = v.InferOutput<typeof LineItemDraft>
type CustomLineItemDraft = v.InferOutput<typeof CustomLineItemDraft>

interface AnyLineDraft extends Pick<CustomLineItemDraft, 'key' | 'quantity' | 'shippingDetails' | 'taxCategory'> {
  readonly distributionChannel?: WantedReference | undefined
  readonly supplyChannel?: WantedReference | undefined
  readonly recurrenceInfo?:
    | {readonly recurrencePolicy: WantedReference; readonly priceSelectionMode?: string}
    | undefined
}

export const referencesOfLine = ({
  distributionChannel,
  supplyChannel,
  recurrenceInfo,
  taxCategory,
}: AnyLineDraft): readonly WantedReference[] =>
  [distributionChannel, supplyChannel, recurrenceInfo?.recurrencePolicy, taxCategory].flatMap((one) => one ?? [])

const referenceTo = (wanted: WantedReference, facts: Facts) => ({typeId: wanted.typeId, id: facts.resolve(wanted).id})

/** What lines of both kinds keep of their draft, and begin with. Throws InvalidOperation for an address that the cart does not have. */
function keptOf({key, quantity = 1, shippingDetails, recurrenceInfo}: AnyLineDraft, cart: Cart, facts: Facts) {
  const targets = shippingDetails?.targets.filter((target) => target.quantity > 0) ?? []
  const addresses = cart['itemShippingAddresses'] as readonly {readonly key?: string}[]
  const stray = targets.find(({addressKey}) => !addresses.some((address) => address.key === addressKey))
  if (stray) throw invalidOperation(`The cart has no item shipping address with the key '${stray.addressKey}'.`)
  const sum = targets.reduce((total, target) => total + target.quantity, 0)
  return {
    key,
    quantity,
    shippingDetails: targets.length > 0 ? {targets: targets.map(defined), valid: sum === quantity} : undefined,
    recurrenceInfo: recurrenceInfo && {
      ...recurrenceInfo,
      recurrencePolicy: referenceTo(recurrenceInfo.recurrencePolicy, facts),
    },
    discountedPricePerQuantity: [],
    perMethodTaxRate: [],
    taxedPricePortions: [],
    state: [],
    totalPrice: zeroLike(cart.totalPrice),
  }
}

export interface LineFacts {
  readonly facts: Facts
  readonly newId: () => string
  readonly products: readonly Product[]
}

const notFound = (details: {readonly id: string} | {readonly sku: string}): ApiError =>
  ApiError.of('ReferencedResourceNotFound', {typeId: 'product', ...details})

/** The product and variant that a draft names. Throws ReferencedResourceNotFound. */
function namedVariant(
  {productId, variantId = 1, sku}: LineItemDraft,
  products: readonly Product[],
): [Product, Variant] {
  if (sku !== undefined) {
    for (const product of products) {
      const variant = variantsOf(product).find((candidate) => candidate['sku'] === sku)
      if (variant) return [product, variant]
    }
    throw notFound({sku})
  }
  const id = productId ?? ''
  const product = products.find((candidate) => candidate.id === id)
  if (!product) throw notFound({id})
  const variant = variantOf(product, variantId)
  if (variant) return [product, variant]
  throw invalidOperation(`The product '${id}' has no variant ${variantId}.`)
}

/** A line at today's price. Throws MatchingPriceNotFound, and the errors of its references and custom fields. */
export function lineItemOf(draft: LineItemDraft, cart: Cart, {facts, newId, products}: LineFacts): LineItem {
  const {externalPrice, inventoryMode, addedAt, custom} = draft
  refuseUncomputed(draft, ofLines)
  const [product, variant] = namedVariant(draft, products)
  if (externalPrice) checkCurrency(externalPrice.currencyCode, cart)
  const kept = keptOf(draft, cart, facts)
  const distributionChannel = draft.distributionChannel && referenceTo(draft.distributionChannel, facts)
  const {recurrenceInfo} = kept
  const place = defined({productId: product.id, distributionChannel, recurrenceInfo})
  const price: Price = externalPrice
    ? {id: newId(), value: typedMoney(externalPrice)}
    : priceFor(place, variant, cart, facts.now)
  const {name, slug} = product.masterData.current
  return defined({
    id: newId(),
    ...kept,
    productId: product.id,
    productKey: product.key,
    name,
    productSlug: slug,
    productType: product.productType,
    variant: {...variant, prices: [price]},
    price,
    distributionChannel,
    supplyChannel: draft.supplyChannel && referenceTo(draft.supplyChannel, facts),
    priceMode: externalPrice ? 'ExternalPrice' : 'Platform',
    lineItemMode: 'Standard',
    inventoryMode,
    custom: custom && customFieldsOf(custom, 'line-item', facts),
    addedAt: addedAt ?? facts.now,
    lastModifiedAt: facts.now,
  }) as LineItem
}

/** A line that no product stands behind. Throws InvalidOperation and the errors of its references. */
export function customLineItemOf(draft: CustomLineItemDraft, cart: Cart, {facts, newId}: LineFacts): CustomLineItem {
  const {name, slug, money, taxCategory, priceMode, custom} = draft
  refuseUncomputed(draft, priceMode === 'External' ? ['externalTaxRate', 'priceMode'] : ['externalTaxRate'])
  checkCurrency(money.currencyCode, cart)
  return defined({
    id: newId(),
    ...keptOf(draft, cart, facts),
    name,
    slug,
    money: typedMoney(money),
    taxCategory: taxCategory && referenceTo(taxCategory, facts),
    priceMode: 'Standard',
    custom: custom && customFieldsOf(custom, 'custom-line-item', facts),
  }) as CustomLineItem
}
