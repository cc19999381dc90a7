import {addressTextMembers} from '../address-fields.js'
import {author, custom, reference} from '../collections/shape-parts.js'

/** What predicates and sort keys may name of a quote (decision 15); a shape of the query language as plain data. */

const text = {leaf: 'string'} as const
const number = {leaf: 'number'} as const
const moment = {leaf: 'datetime'} as const
const open = {open: true} as const
const keyReference = {members: {typeId: text, key: text}} as const

const money = {
  members: {type: text, currencyCode: text, centAmount: number, fractionDigits: number, preciseAmount: number},
} as const

const taxRate = {
  members: {
    id: text,
    key: text,
    name: text,
    amount: number,
    includedInPrice: {leaf: 'boolean'},
    country: text,
    state: text,
  },
} as const

const taxPortions = {array: true, members: {rate: number, amount: money, name: text}} as const
const taxedPrice = {members: {totalNet: money, totalGross: money, totalTax: money, taxPortions}} as const

const addressMembers = {
  id: text,
  key: text,
  country: text,
  ...Object.fromEntries(addressTextMembers.map((name) => [name, text])),
  custom,
}

const itemStates = {array: true, members: {quantity: number, state: reference}} as const

const lineItem = {
  array: true,
  members: {
    id: text,
    key: text,
    productId: text,
    productKey: text,
    name: open,
    productSlug: open,
    productType: {members: {typeId: text, id: text, version: number}},
    variant: {
      members: {
        id: number,
        sku: text,
        key: text,
        prices: {open: true, array: true},
        attributes: {open: true, array: true},
        images: {open: true, array: true},
        assets: {open: true, array: true},
      },
    },
    price: {members: {id: text, key: text, value: money, country: text, customerGroup: reference, channel: reference}},
    quantity: number,
    totalPrice: money,
    taxedPrice,
    taxRate,
    perMethodTaxRate: {open: true, array: true},
    taxedPricePortions: {open: true, array: true},
    discountedPricePerQuantity: {open: true, array: true},
    state: itemStates,
    supplyChannel: reference,
    distributionChannel: reference,
    inventoryMode: text,
    priceMode: text,
    lineItemMode: text,
    shippingDetails: open,
    custom,
    addedAt: moment,
    lastModifiedAt: moment,
  },
} as const

const customLineItem = {
  array: true,
  members: {
    id: text,
    key: text,
    name: open,
    slug: text,
    money,
    quantity: number,
    totalPrice: money,
    taxedPrice,
    taxRate,
    taxCategory: reference,
    state: itemStates,
    priceMode: text,
    shippingDetails: open,
    custom,
  },
} as const

export const quoteShape = {
  members: {
    id: text,
    version: number,
    versionModifiedAt: moment,
    lastMessageSequenceNumber: number,
    createdAt: moment,
    lastModifiedAt: moment,
    createdBy: author,
    lastModifiedBy: author,
    key: text,
    quoteRequest: reference,
    stagedQuote: reference,
    customer: reference,
    customerGroup: reference,
    validTo: moment,
    sellerComment: text,
    buyerComment: text,
    store: keyReference,
    businessUnit: keyReference,
    lineItems: lineItem,
    customLineItems: customLineItem,
    totalPrice: money,
    taxedPrice,
    shippingAddress: {members: addressMembers},
    billingAddress: {members: addressMembers},
    itemShippingAddresses: {array: true, members: addressMembers},
    inventoryMode: text,
    taxMode: text,
    priceRoundingMode: text,
    taxRoundingMode: text,
    taxCalculationMode: text,
    country: text,
    shippingInfo: {
      members: {
        shippingMethodName: text,
        price: money,
        shippingMethod: reference,
        shippingMethodState: text,
        taxedPrice,
        taxRate,
        taxCategory: reference,
        shippingRate: open,
        deliveries: {open: true, array: true},
      },
    },
    shippingRateInput: open,
    paymentInfo: {members: {payments: {array: true, members: {typeId: text, id: text}}}},
    directDiscounts: {open: true, array: true},
    custom,
    quoteState: text,
    state: reference,
    purchaseOrderNumber: text,
  },
} as const
