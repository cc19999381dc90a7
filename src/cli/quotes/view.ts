import type {SchemaParts} from '../../domain/shape-of.js'
import {listAt, textAt, valueAt} from '../output/fields.js'
import {moneyText} from '../output/money.js'
import {spokenMoment} from '../output/times.js'
import {column, identifier, kept, moment, type View, whole, wrapping} from '../output/view.js'
import {messageTypeText} from '../output/views.js'

const moneyAt = (path: string) => (document: unknown) => moneyText(valueAt(document, path))

/** The name in its first language, otherwise the SKU, slug or id. */
function nameOf(item: unknown): string {
  const [language = ''] = Object.keys(valueAt(item, 'name') ?? {})
  return textAt(item, `name.${language}`) || textAt(item, 'variant.sku') || textAt(item, 'slug') || textAt(item, 'id')
}

/** `2 × Desk: 1233.10 EUR` for each line of a quote. */
export const itemLines = (quote: unknown): string[] =>
  [...listAt(quote, 'lineItems'), ...listAt(quote, 'customLineItems')].map(
    (item) => `${String(valueAt(item, 'quantity'))} × ${nameOf(item)}: ${moneyAt('totalPrice')(item)}`,
  )

export const quoteView: View = {
  model: async () => (await import('../../domain/quotes/quote.js')).Quote as unknown as SchemaParts,
  first: (quote) => textAt(quote, 'quoteState') === 'Pending',
  columns: [
    column('key', 'key', {keep: 'whole', fallbackColumn: 'id'}),
    wrapping('state', (quote) => messageTypeText(textAt(quote, 'quoteState'))),
    kept('total', moneyAt('totalPrice')),
    column('valid until', 'validTo', {keep: 'wrap', moment: 'end'}),
    identifier('business unit', 'businessUnit'),
    column('version'),
    identifier('id'),
  ],
  card: [
    whole('id'),
    column('version'),
    whole('key'),
    column('state', 'quoteState'),
    column('items', (quote) => itemLines(quote).join(' | ')),
    column('total', moneyAt('totalPrice')),
    column('net', moneyAt('taxedPrice.totalNet')),
    column('tax', moneyAt('taxedPrice.totalTax')),
    column('gross', moneyAt('taxedPrice.totalGross')),
    column('shipping', moneyAt('shippingInfo.price')),
    moment('valid until', 'validTo'),
    column('purchase order', 'purchaseOrderNumber'),
    column('customer'),
    column('business unit', 'businessUnit'),
    column('store'),
    column('seller says', 'sellerComment'),
    column('buyer says', 'buyerComment'),
    column('custom', 'custom.fields'),
    moment('created', 'createdAt'),
    moment('modified', 'lastModifiedAt'),
  ],
}

/** Whether and when an offer ends: `until 31 Dec 2027 23:59`, `RAN OUT 31 Mar 23:59`; empty for one without an end. */
export function validity(quote: unknown, now: number): string {
  const validTo = textAt(quote, 'validTo')
  if (validTo === '') return ''
  return `${Date.parse(validTo) <= now ? 'RAN OUT' : 'until'} ${spokenMoment(validTo, now) ?? validTo}`
}

/** The offer for a person who answers it: items, prices, expiry. `now` in milliseconds since the epoch. */
export function offerLines(quote: unknown, now: number): string[] {
  const taxed = [
    ['net', 'taxedPrice.totalNet'],
    ['tax', 'taxedPrice.totalTax'],
    ['gross', 'taxedPrice.totalGross'],
  ].flatMap(([label = '', path = '']) => {
    const amount = moneyAt(path)(quote)
    return amount === '' ? [] : [`${label} ${amount}`]
  })
  const facts = [
    ['valid', validity(quote, now)],
    ['business unit', textAt(quote, 'businessUnit.key')],
    ['seller says', textAt(quote, 'sellerComment')],
  ].filter(([, value]) => value !== '')
  return [
    `quote ${textAt(quote, 'key') || textAt(quote, 'id')}`,
    ...itemLines(quote).map((line) => `  ${line}`),
    ...[moneyAt('shippingInfo.price')(quote)].filter(Boolean).map((price) => `  shipping: ${price}`),
    `  total ${moneyAt('totalPrice')(quote)}${taxed.length > 0 ? ` (${taxed.join(', ')})` : ''}`,
    ...facts.map(([label, value]) => `  ${label}: ${value}`),
  ]
}
