import * as v from 'valibot'
import {actionOf, type Facts, type Registry, registryOf} from '../action.js'
import {ownCustomActions} from '../custom-actions.js'
import {defined, withMember} from '../equal.js'
import {ApiError} from '../errors.js'
import {optional, Text} from '../rules.js'
import type {Quote} from './quote.js'
import {isCustomerMove, type QuoteState} from './states.js'

const quoteAction = actionOf<Quote>()

/** A transition of a quote by its customer, and the permission that it requires in a business unit (decision 32). */
interface Move {
  readonly to: QuoteState
  readonly permission: string
  /** Completes `has no rights to …`. */
  readonly verb: string
}

/** The quote in another state. Throws AssociateMissingPermission and InvalidOperation. */
function transition(quote: Quote, {to, permission, verb}: Move, {associate}: Facts): Quote {
  const {businessUnit, quoteState} = quote
  if (businessUnit && !associate?.permissions.has(permission)) {
    throw ApiError.of('AssociateMissingPermission', {
      associate: {typeId: 'customer', id: associate?.customerId ?? ''},
      businessUnit,
      permissions: [permission],
      action: verb,
    })
  }
  if (isCustomerMove(quoteState, to)) return {...quote, quoteState: to}
  throw ApiError.of('InvalidOperation', {
    message: `The quote is in state '${quoteState}'; to ${verb} it must be in state 'Pending'.`,
  })
}

const moves = {
  Accepted: {to: 'Accepted', permission: 'AcceptMyQuotes', verb: 'accept a quote'},
  Declined: {to: 'Declined', permission: 'DeclineMyQuotes', verb: 'decline a quote'},
} as const satisfies Record<string, Move>

export const myQuoteStates = ['Accepted', 'Declined'] as const

/** Accepts or declines a quote that waits for an answer. Source: API › My Quotes. */
const changeMyQuoteState = quoteAction({
  name: 'changeMyQuoteState',
  summary: 'accept or decline the quote',
  fields: ['quoteState'],
  schema: v.object({quoteState: v.picklist(myQuoteStates)}),
  messages: ['QuoteStateChanged'],
  errors: ['InvalidOperation', 'AssociateMissingPermission'],
  my: true,
  apply: (quote, {quoteState}, facts) => ({
    next: transition(quote, moves[quoteState], facts),
    messages: [{type: 'QuoteStateChanged', payload: {quoteState, oldQuoteState: quote.quoteState}}],
  }),
})

const renegotiation = {
  to: 'DeclinedForRenegotiation',
  permission: 'RenegotiateMyQuotes',
  verb: 'renegotiate a quote',
} as const

/** Declines a quote but asks for a better one. Has a message of its own instead of QuoteStateChanged (decision 31). */
const requestQuoteRenegotiation = quoteAction({
  name: 'requestQuoteRenegotiation',
  summary: 'ask the seller for another offer',
  fields: ['quoteState', 'buyerComment'],
  schema: v.object({buyerComment: optional(Text)}),
  messages: ['QuoteRenegotiationRequested'],
  errors: ['InvalidOperation', 'AssociateMissingPermission'],
  my: true,
  apply: (quote, {buyerComment}, facts) => ({
    next: withMember(transition(quote, renegotiation, facts), 'buyerComment', buyerComment),
    messages: [{type: 'QuoteRenegotiationRequested', payload: defined({buyerComment})}],
  }),
})

export const myQuoteActions: Registry<Quote> = registryOf([
  changeMyQuoteState,
  requestQuoteRenegotiation,
  ...ownCustomActions<Quote>({resourceTypeId: 'quote', my: true}),
])
