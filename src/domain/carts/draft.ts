import * as v from 'valibot'
import {limits} from '../../work/limits.js'
import type {Facts} from '../action.js'
import {AddressDraft, addressOf} from '../address.js'
import {Currency} from '../codes/currencies.js'
import {CustomFieldsDraft, customFieldsOf, customReferencesOf} from '../custom-fields.js'
import {groupOf, projectLocale, storeOf} from '../customers/resolved.js'
import {defined, pick} from '../equal.js'
import {invalidOperation} from '../errors.js'
import {identifierOf, type WantedReference} from '../references.js'
import {Country, Email, Key, Locale, listOf, optional, Text} from '../rules.js'
import {type Cart, cartDefaults, readCart, type ShippingInfo} from './cart.js'
import type {ShippingMethod, Zone} from './catalogue.js'
import {
  CustomLineItemDraft,
  inventoryModes,
  LineItemDraft,
  MyLineItemDraft,
  referencesOfLine,
  refuseUncomputed,
  Uncomputed,
} from './line-drafts.js'
import {roundingModes, typedMoney} from './money.js'

const Days = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(365_250))

/** An address of a cart is no entry of a list: it keeps the id that it comes with, if any. */
const CartAddressDraft = v.object({...AddressDraft.entries, id: optional(Text)})

const members = {
  key: optional(Key),
  currency: Currency,
  customerEmail: optional(Email),
  country: optional(Country),
  locale: optional(Locale),
  store: optional(identifierOf('store')),
  inventoryMode: optional(v.picklist(inventoryModes)),
  taxMode: optional(v.picklist(['Platform', 'External', 'ExternalAmount', 'Disabled'])),
  shippingAddress: optional(CartAddressDraft),
  billingAddress: optional(CartAddressDraft),
  itemShippingAddresses: optional(listOf(CartAddressDraft, limits.addresses)),
  shippingMode: optional(v.picklist(['Single', 'Multiple'])),
  businessUnit: optional(identifierOf('business-unit')),
  shippingMethod: optional(identifierOf('shipping-method')),
  discountCodes: optional(v.array(Text)),
  deleteDaysAfterLastModification: optional(Days),
  custom: optional(CustomFieldsDraft),
}

/** A customer's or visitor's own new cart; what else a draft says means nothing. Source: API › MyCartDraft. */
export const MyCartDraft = v.object({...members, lineItems: optional(listOf(MyLineItemDraft, limits.lineItems))})

/** A new cart of anybody or nobody. Source: API › CartDraft. */
export const CartDraft = v.object({
  ...members,
  lineItems: optional(listOf(LineItemDraft, limits.lineItems)),
  purchaseOrderNumber: optional(Text),
  shippingRateInput: Uncomputed,
  externalTaxRateForShippingMethod: Uncomputed,
  customShipping: Uncomputed,
  shipping: Uncomputed,
  customerId: optional(Text),
  anonymousId: optional(Text),
  customerGroup: optional(identifierOf('customer-group')),
  customLineItems: optional(listOf(CustomLineItemDraft, limits.lineItems)),
  taxRoundingMode: optional(v.picklist(roundingModes)),
  priceRoundingMode: optional(v.picklist(roundingModes)),
  taxCalculationMode: optional(v.picklist(['LineItemLevel', 'UnitPriceLevel'])),
  origin: optional(v.picklist(['Customer', 'Merchant'])),
})

export type CartDraft = v.InferOutput<typeof CartDraft>

/** The references of a draft, to be read in one batch; products and the customer aside. */
export const referencesOf = (draft: CartDraft): readonly WantedReference[] => [
  ...[draft.store, draft.customerGroup, draft.shippingMethod, draft.businessUnit].flatMap(
    (reference) => reference ?? [],
  ),
  ...[
    draft,
    draft.shippingAddress,
    draft.billingAddress,
    ...(draft.itemShippingAddresses ?? []),
    ...(draft.lineItems ?? []),
    ...(draft.customLineItems ?? []),
  ].flatMap((part) => customReferencesOf(part?.custom)),
  ...[...(draft.lineItems ?? []), ...(draft.customLineItems ?? [])].flatMap(referencesOfLine),
]

export interface NewCart {
  readonly id: string
  readonly facts: Facts
  /** The group of its customer, which comes before the one of the draft. */
  readonly group?: Cart['customerGroup']
}

/** What a cart has as its draft does. */
const kept = [
  ...(['inventoryMode', 'taxMode', 'taxRoundingMode', 'priceRoundingMode', 'taxCalculationMode', 'origin'] as const),
  ...(['key', 'customerId', 'customerEmail', 'anonymousId', 'country', 'purchaseOrderNumber'] as const),
]

/** The cart of a draft, its lines still to come. Throws for references that do not resolve and an unknown locale. */
export function cartOf(draft: CartDraft, {id, facts, group}: NewCart): Cart {
  const {currency, store, locale, custom, customerGroup, shippingAddress, billingAddress, businessUnit} = draft
  refuseUncomputed(draft, ['externalTaxRateForShippingMethod', 'customShipping', 'shippingRateInput', 'shipping'])
  if (draft.shippingMode === 'Multiple') refuseUncomputed(draft, ['shippingMode'])
  if (draft.discountCodes?.length) refuseUncomputed(draft, ['discountCodes'])
  if (customerGroup && draft.customerId !== undefined) {
    throw invalidOperation("'customerGroup' cannot be set beside 'customerId'.")
  }
  return readCart({
    ...cartDefaults,
    ...defined({
      ...pick(draft, kept),
      type: 'Cart',
      id,
      version: 1,
      createdAt: facts.now,
      lastModifiedAt: facts.now,
      customerGroup: group ?? (customerGroup && groupOf(customerGroup, facts)),
      store: store && storeOf(store, facts),
      businessUnit: businessUnit && {typeId: 'business-unit', key: facts.resolve(businessUnit).key},
      locale: locale === undefined ? undefined : projectLocale(locale, facts.languages),
      shippingAddress: shippingAddress && cartAddressOf(shippingAddress, facts),
      billingAddress: billingAddress && cartAddressOf(billingAddress, facts),
      custom: custom && customFieldsOf(custom, 'order', facts),
      lineItems: [],
      customLineItems: [],
      totalPrice: typedMoney({currencyCode: currency, centAmount: 0}),
      shipping: [],
      discountCodes: [],
      directDiscounts: [],
      refusedGifts: [],
      itemShippingAddresses: (draft.itemShippingAddresses ?? []).map((address) => cartAddressOf(address, facts)),
      deleteDaysAfterLastModification: draft.deleteDaysAfterLastModification ?? 90,
    }),
  })
}

function cartAddressOf({id, ...draft}: v.InferOutput<typeof CartAddressDraft>, facts: Facts) {
  const {id: _, ...address} = addressOf(draft, '', facts)
  return defined({id, ...address})
}

/**
 * How a new cart is shipped: by the method that its draft names, at the rate of the zone that it goes to. Throws
 * InvalidOperation without an address, and for a method that does not go there in the cart's currency.
 */
export function shippingInfoOf(method: ShippingMethod, zones: readonly Zone[], cart: Cart): ShippingInfo {
  const {id, name, taxCategory, zoneRates} = method
  const {shippingAddress, totalPrice} = cart
  if (!shippingAddress) throw invalidOperation('A cart with a shipping method has a shipping address.')
  const {country, state} = shippingAddress
  const reached = new Set(
    zones.flatMap((zone) => {
      const isThere = zone.locations.some((at) => at.country === country && (at.state ?? state) === state)
      return isThere ? [zone.id] : []
    }),
  )
  const rate = zoneRates
    .filter(({zone}) => reached.has(zone.id))
    .flatMap(({shippingRates}) => shippingRates)
    .find(({price}) => price.currencyCode === totalPrice.currencyCode)
  if (!rate) {
    throw invalidOperation(
      `The shipping method '${id}' has no rate in ${totalPrice.currencyCode} for the shipping address.`,
    )
  }
  return defined({
    shippingMethodName: name,
    price: rate.price,
    shippingRate: rate,
    taxCategory,
    deliveries: [],
    shippingMethod: {typeId: 'shipping-method', id},
    shippingMethodState: 'MatchesCart',
  })
}
