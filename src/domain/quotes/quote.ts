import * as v from 'valibot'
import {customFieldsView, type Deep, documentMembers, referenceTo, StoreKeyReference} from '../customers/customer.js'
import {Money, schemasOf} from '../resource-fields.js'
import {Moment} from '../shape-of.js'

export const quoteStates = [
  'Pending',
  'Declined',
  'DeclinedForRenegotiation',
  'RenegotiationAddressed',
  'Accepted',
  'Withdrawn',
] as const

export type QuoteState = (typeof quoteStates)[number]

const maybe = v.exactOptional

/** The members of a quote that are read here. */
const Own = v.object({
  ...documentMembers,
  key: maybe(v.string()),
  quoteRequest: referenceTo('quote-request'),
  stagedQuote: referenceTo('staged-quote'),
  customer: maybe(referenceTo('customer')),
  customerGroup: maybe(referenceTo('customer-group')),
  validTo: maybe(Moment),
  buyerComment: maybe(v.string()),
  store: maybe(StoreKeyReference),
  businessUnit: maybe(v.object({typeId: v.literal('business-unit'), key: v.string()})),
  totalPrice: Money,
  custom: maybe(customFieldsView('quote')),
  quoteState: v.picklist(quoteStates),
  state: maybe(referenceTo('state')),
})

/** A quote, as stored and as replies show it. Source: API › Quote. */
export const Quote = v.object({...schemasOf('quote'), ...Own.entries})

/** An interface, so that declarations name it in place of writing it out. */
export interface Quote extends Deep<v.InferOutput<typeof Own>> {}
