import * as v from 'valibot'
import {actionOf, type Facts, type Registry, registryOf} from '../action.js'
import {ownCustomActions} from '../custom-actions.js'
import {defined, withMember} from '../equal.js'
import {ApiError, invalidOperation} from '../errors.js'
import {optional, Text} from '../rules.js'
import type {Quote} from './quote.js'

const quoteAction = actionOf<Quote>()

/** Transitions from `Pending` by a customer (decision 31): the permission that each requires in a business unit (decision 32), and the end of `has no rights to …`. */
const moves = {
  Accepted: {permission: 'AcceptMyQuotes', verb: 'accept a quote'},
  Declined: {permission: 'DeclineMyQuotes', verb: 'decline a quote'},
  DeclinedForRenegotiation: {permission: 'RenegotiateMyQuotes', verb: 'renegotiate a quote'},
} as const

/** The quote in another state. Throws AssociateMissingPermission and InvalidOperation. */
function transition(quote: Quote, to: keyof typeof moves, {associate}: Facts): Quote {
  const {businessUnit, quoteState} = quote
  const {permission, verb} = moves[to]
  if (businessUnit && !associate?.permissions.has(permission)) {
    throw ApiError.of('AssociateMissingPermission', {
      associate: {typeId: 'customer', id: associate?.customerId ?? ''},
      businessUnit,
      permissions: [permission],
      action: verb,
    })
  }
  if (quoteState === 'Pending') return {...quote, quoteState: to}
  throw invalidOperation(`The quote is in state '${quoteState}'; to ${verb} it must be in state 'Pending'.`)
}

export const myQuoteStates = ['Accepted', 'Declined'] as const

export const myQuoteActions: Registry<Quote> = registryOf([
  /** Accepts or declines a quote that waits for an answer. Source: API › My Quotes. */
  quoteAction({
    name: 'changeMyQuoteState',
    summary: 'accept or decline the quote',
    fields: ['quoteState'],
    schema: v.object({quoteState: v.picklist(myQuoteStates)}),
    messages: ['QuoteStateChanged'],
    errors: ['InvalidOperation', 'AssociateMissingPermission'],
    my: true,
    apply: (quote, {quoteState}, facts) => ({
      next: transition(quote, quoteState, facts),
      messages: [{type: 'QuoteStateChanged', payload: {quoteState, oldQuoteState: quote.quoteState}}],
    }),
  }),
  /** Declines a quote but asks for a better one. Has a message of its own instead of QuoteStateChanged (decision 31). */
  quoteAction({
    name: 'requestQuoteRenegotiation',
    summary: 'ask the seller for another offer',
    fields: ['quoteState', 'buyerComment'],
    schema: v.object({buyerComment: optional(Text)}),
    messages: ['QuoteRenegotiationRequested'],
    errors: ['InvalidOperation', 'AssociateMissingPermission'],
    my: true,
    apply: (quote, {buyerComment}, facts) => ({
      next: withMember(transition(quote, 'DeclinedForRenegotiation', facts), 'buyerComment', buyerComment),
      messages: [{type: 'QuoteRenegotiationRequested', payload: defined({buyerComment})}],
    }),
  }),
  ...ownCustomActions<Quote>({resourceTypeId: 'quote', my: true}),
])
